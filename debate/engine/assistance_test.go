package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"roundtable/debate"
)

func TestAssisting_saysWhatARoundWaitsForBeforeItIsThere(t *testing.T) {
	light := says(`{"level": 1, "clusters": [], "options": ["X", "Y"], "criteria": ["fast", "cheap"]}`)
	tb := newTable(t, map[string]line{"light": light, "m1": says("So."), "m2": says("So.")})
	evs, s := tb.start(tb.lighted(tb.panel("tradeoff", 2, 2)))
	more, _ := tb.start(s)
	var told []string
	for _, ev := range append(evs, more...) {
		switch ev := ev.(type) {
		case debate.RoundStarted, debate.TurnStarted, debate.TurnEnded, debate.Assessed, debate.RoundEnded, debate.Concluding:
			told = append(told, strings.TrimPrefix(fmt.Sprintf("%T", ev), "debate."))
		case debate.Assisting:
			told = append(told, fmt.Sprintf("%s, %s, round %d", ev.Description(), ev.Limit, ev.Round))
		}
	}
	const members = "TurnStarted TurnStarted TurnEnded TurnEnded"
	want := []string{
		"RoundStarted", "Light names options and criteria, 30s, round 1", members, "Light measures the agreement, 1m0s, round 1", "Assessed", "RoundEnded",
		"RoundStarted", members, "Light measures the agreement, 1m0s, round 2", "Assessed", "Concluding", "TurnEnded", "RoundEnded",
	}
	got := strings.Join(told, " ")
	got = strings.ReplaceAll(got, "TurnStarted TurnEnded TurnStarted TurnEnded", members) // who is faster does not matter
	if got != strings.Join(want, " ") {
		t.Errorf("told:\n%s\nwant:\n%s", got, strings.Join(want, " "))
	}
}

func TestAssisting_isNotSaidWhereNobodyIsAsked(t *testing.T) {
	tb := newTable(t, map[string]line{"m1": says("So."), "m2": says("So.")})
	evs, _ := tb.start(tb.panel("tradeoff", 1, 2))
	if n := len(of[debate.Assisting](evs)); n > 0 {
		t.Errorf("it is said %d times", n)
	}
}

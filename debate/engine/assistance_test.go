package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"roundtable/debate"
)

func TestAssisting_saysWhatARoundWaitsForBeforeItIsThere(t *testing.T) {
	t.Parallel()
	t.Run("a model", func(t *testing.T) { requireAssisting(t, false, "1m0s") })
	t.Run("an agent", func(t *testing.T) { requireAssisting(t, true, "5m0s") })
}

// requireAssisting plays a debate with a light model that may take so long for the analysis.
// Loop says whether it is an agent with a loop of its own.
func requireAssisting(t *testing.T, loop bool, analysis string) {
	light := replyText(`{"level": 1, "clusters": []}`)
	h := newHarness(t, map[string]replyFunc{"light": light, "m1": replyText("So."), "m2": replyText("So.")})
	s := h.sessionWithLight(h.seatedSession("collaborative", 2, 2))
	s.ID, s.Light.Loop = "", loop
	s, err := h.store.Create(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	evs, s := h.run(s)
	more, _ := h.run(s)
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
		"RoundStarted", members,
		"Light is measuring agreement, " + analysis + ", round 1",
		"Assessed", "RoundEnded",
		"RoundStarted", members, "Light is measuring agreement, " + analysis + ", round 2", "Assessed", "Concluding", "TurnEnded", "RoundEnded",
	}
	got := strings.Join(told, " ")
	got = strings.ReplaceAll(got, "TurnStarted TurnEnded TurnStarted TurnEnded", members) // who is faster does not matter
	if got != strings.Join(want, " ") {
		t.Errorf("told:\n%s\nwant:\n%s", got, strings.Join(want, " "))
	}
}

func TestAssisting_isNotSaidWhereNobodyIsAsked(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"m1": replyText("So."), "m2": replyText("So.")})
	evs, _ := h.run(h.seatedSession("expert-panel", 1, 2))
	if n := len(eventsOf[debate.Assisting](evs)); n > 0 {
		t.Errorf("it is said %d times", n)
	}
}

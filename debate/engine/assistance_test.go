package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"roundtable/debate"
)

func TestAssisting_saysWhatARoundWaitsForBeforeItIsThere(t *testing.T) {
	t.Parallel()
	t.Run("a model", func(t *testing.T) { requireAssisting(t, false, "1m0s") })
	t.Run("an agent", func(t *testing.T) { requireAssisting(t, true, "5m0s") })
}

// requireAssisting plays a review with a light model that may take so long for the comparison.
// Loop says whether it is an agent with a loop of its own.
func requireAssisting(t *testing.T, loop bool, limit string) {
	h := newReview(t, replyComparing)
	evs, s := h.run(h.startReview(func(s *debate.Session) {
		addLight(s)
		s.Light.Loop = loop
	}))
	more, _ := h.run(s)
	var told []string
	for _, ev := range append(evs, more...) {
		switch ev := ev.(type) {
		case debate.RoundStarted, debate.TurnStarted, debate.TurnEnded, debate.RoundCounted, debate.RunEnded, debate.Concluding:
			told = append(told, strings.TrimPrefix(fmt.Sprintf("%T", ev), "debate."))
		case debate.Assisting:
			told = append(told, fmt.Sprintf("%s, %s, round %d", ev.Profile.Name, ev.Limit, ev.Round))
		}
	}
	started, ended := "TurnStarted", "TurnEnded"
	slices.SortStableFunc(told[1:7], func(a, b string) int { return strings.Compare(b, a) }) // who is faster does not matter
	at := slices.Index(told, "RunEnded") + 2
	slices.SortStableFunc(told[at:at+6], func(a, b string) int { return strings.Compare(b, a) })
	want := []string{
		"RoundStarted", started, started, started, ended, ended, ended, "Light, " + limit + ", round 1", "RoundCounted", "RunEnded",
		"RoundStarted", started, started, started, ended, ended, ended, "RoundCounted", "Concluding", "TurnEnded", "RunEnded",
	}
	if !slices.Equal(told, want) {
		t.Errorf("told:\n%s\nwant:\n%s", told, want)
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

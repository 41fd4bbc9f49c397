package debate_test

import (
	"encoding/json"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/testing/must"
)

func TestMode_ofAnOlderSessionIsPlayedAsItWas(t *testing.T) {
	const stored = `{"name":"adversarial","summary":"s","use":"u","min_seats":2,"max_seats":8,"rounds":2,"order":"sequential",
		"roles":[{"name":"proponent","vote":"yes","brief":"For."},{"name":"opponent","vote":"no","brief":"Against."}],
		"rules":"r","first":"f","later":"l","last":"z","asking":"a","decision":"vote"}`
	var m debate.Mode
	must.Do(t, json.Unmarshal([]byte(stored), &m))
	if err := m.Validate(); err != nil {
		t.Error(err)
	}
	if steps := m.Steps([]agents.ID{"a", "b", "c"}, 1, 2); len(steps) != 3 || steps[2].Phase != "" || m.Sees() != debate.SeesSeats {
		t.Errorf("steps %+v, sees %s", steps, m.Sees())
	}
	if r, _ := m.RoleOf(3, 3); r.Name != "proponent" {
		t.Errorf("seat 3 is %q", r.Name)
	}
	again := must.Get(json.Marshal(m))(t)
	if strings.Contains(string(again), "visibility") || strings.Contains(string(again), "phases") {
		t.Errorf("what it did not say is said now: %s", again)
	}
}

func TestWordLimit_isThatOfThePhase(t *testing.T) {
	plain := debate.Mode{Phases: []debate.Phase{{Name: "talk"}, {Name: "vote", Asks: debate.AsksVote}}}
	own := debate.Mode{Words: 200, ReportWords: 800, Phases: []debate.Phase{
		{Name: "talk"}, {Name: "vote", Asks: debate.AsksVote}, {Name: "ranking", Asks: debate.AsksRanking, Words: 90}, {Name: "close", Words: 60},
	}}
	for _, c := range []struct {
		mode  debate.Mode
		phase string
		want  int
	}{
		{plain, "talk", 300},
		{plain, "vote", 150},
		{own, "talk", 200},
		{own, "vote", 150},
		{own, "ranking", 90},
		{own, "close", 60},
		{debate.Mode{Words: 200}, "", 200},
	} {
		if got := c.mode.WordLimit(c.phase); got != c.want {
			t.Errorf("phase %q: %d words, want %d", c.phase, got, c.want)
		}
	}
	if plain, own := plain.ReportLimit(), own.ReportLimit(); plain != 500 || own != 800 {
		t.Errorf("reports have %d and %d words, want 500 and 800", plain, own)
	}
}

// A chosen ending or number of rounds comes before the ending of the mode.
func TestEndsFor_isTheModesOwnUnlessSomethingWasGiven(t *testing.T) {
	agreed := debate.Mode{Ends: debate.EndsAgreed}
	for _, c := range []struct {
		mode   debate.Mode
		chosen debate.Ends
		rounds bool
		want   debate.Ends
	}{
		{agreed, "", false, debate.EndsAgreed},
		{agreed, "", true, debate.EndsPlanned},
		{agreed, debate.EndsPlanned, false, debate.EndsPlanned},
		{agreed, debate.EndsSettled, true, debate.EndsSettled},
		{debate.Mode{}, "", false, debate.EndsPlanned},
		{debate.Mode{}, debate.EndsAgreed, true, debate.EndsAgreed},
	} {
		if got := c.mode.EndsFor(c.chosen, c.rounds); got != c.want {
			t.Errorf("chosen %q, rounds %v: %s, want %s", c.chosen, c.rounds, got, c.want)
		}
	}
}

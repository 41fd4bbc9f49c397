package debate_test

import (
	"testing"

	"roundtable/agents"
	"roundtable/debate"
)

func TestTooFewAnswers_namesWhoDidNotAnswer(t *testing.T) {
	t.Parallel()
	s := debate.Session{ID: "s", Mode: debate.Mode{Order: debate.Sequential, First: "Say.", Last: "Say."}, Rounds: 2}
	for _, name := range []string{"Ada", "Brook", "Cy", "Dee"} {
		s.Seats = append(s.Seats, agents.Profile{ID: agents.ID(name), Name: name})
	}
	r := debate.Round{Number: 1, Manifest: debate.Manifest{Round: 1, Rounds: 2, Seats: []agents.ID{"Ada", "Brook", "Cy", "Dee"}}}
	add := func(step int, name string, st debate.Statement, f *debate.TurnFailure) {
		r.Responses = append(r.Responses, debate.Response{
			Turn:  agents.Turn{Session: "s", Round: 1, Step: step, Attempt: 1, Agent: agents.ID(name)},
			State: debate.TurnDone, Statement: st, Failure: f,
		})
	}
	add(0, "Ada", debate.Statement{Body: "So."}, nil)
	add(1, "Brook", debate.Statement{}, &debate.TurnFailure{Cause: "The server is down."})
	add(2, "Cy", debate.Statement{}, nil)
	const want = "only Ada of 4 seats answered in round 1\n- Brook: The server is down.\n- Cy: Its answer has no statement.\n- Dee: It was not asked."
	few := s.TooFewAnswers(r)
	if few == nil || few.Error() != want || !few.CanGoOn() || few.Missing() != "Brook, Cy and Dee" {
		t.Errorf("%v, want %s", few, want)
	}
	add(3, "Dee", debate.Statement{Vote: "yes"}, nil)
	if few := s.TooFewAnswers(r); few != nil {
		t.Errorf("two answered: %v", few)
	}
}

package debate_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
)

// threeRounds is a debate of three rounds. C1 was asked in round 1 and answered for round 2,
// C2 was asked in round 2 and answered for round 3, C3 was asked in round 3 and its answer not sent.
func threeRounds() debate.Session {
	asked := func(id string, round int) ledger.Request {
		return ledger.Request{
			ID: id, Round: round, State: ledger.Released, Priority: ledger.Required,
			Asks: []ledger.Ask{{Turn: agents.Turn{Round: round, Agent: "ada"}, Query: id, Priority: ledger.Required}},
			Answers: []ledger.Answer{{
				Revision: 1, Outcome: ledger.Answered, Content: "old " + id, Author: ledger.Author{Kind: ledger.Person},
			}},
			Delivered: []ledger.Delivery{{Revision: 1, Round: round + 1}},
		}
	}
	s := debate.Session{
		ID: "origin", Rounds: 3, Mode: debate.Mode{Name: "m", MinSeats: 2, MaxSeats: 3}, Question: debate.QuestionOpen,
		Seats:    []agents.Profile{{ID: "ada", Name: "Ada", Model: "a"}, {ID: "brook", Name: "Brook", Model: "b"}},
		Requests: []ledger.Request{asked("C1", 1), asked("C2", 2), asked("C3", 3)},
	}
	s.Requests[2].State, s.Requests[2].Delivered = ledger.Resolved, nil
	for n := 1; n <= 3; n++ {
		s.History = append(s.History, debate.Round{Number: n, Ended: time.Unix(int64(n), 0)})
	}
	return s
}

func other(id, content string) []ledger.Submission {
	return []ledger.Submission{{Request: id, Outcome: ledger.Answered, Content: content}}
}

func TestFork_changesAnswersFactsAndModels(t *testing.T) {
	t.Parallel()
	unavailable := []ledger.Submission{{Request: "C1", Outcome: ledger.Unavailable, Content: "why"}}
	model := []agents.Profile{{ID: "ada", Name: "Ada", Model: "z"}}
	mode, panel := &debate.Mode{Name: "other", MinSeats: 2, MaxSeats: 3}, &debate.Panel{Name: "two", Seats: threeRounds().Seats}
	for _, c := range []struct {
		name string
		plan debate.ForkPlan
		want string // requests with their states
	}{
		{"nothing", debate.ForkPlan{Round: 1, Facts: []string{"C1"}}, "C1 released"},
		{"an answer", debate.ForkPlan{Round: 1, Answers: other("C1", " new ")}, "C1 resolved"},
		{"no answer", debate.ForkPlan{Round: 1, Answers: unavailable}, "C1 resolved"},
		{"a fact told early", debate.ForkPlan{Round: 1, Facts: []string{"C1", "C2"}}, "C1 released, C2 released"},
		{"a fact left out", debate.ForkPlan{Round: 1, Omitted: []string{"C1"}}, "C1 pending"},
		{"a model", debate.ForkPlan{Round: 2, Models: model, Facts: []string{"C2"}}, "C1 released, C2 released"},
		{"an answer to be sent", debate.ForkPlan{Round: 3}, "C1 released, C2 released, C3 resolved"},
		{"one left out", debate.ForkPlan{Round: 3, Omitted: []string{"C3"}}, "C1 released, C2 released, C3 pending"},
		{"mode and panel", debate.ForkPlan{Mode: mode, Panel: panel}, ""},
	} {
		fork, events, err := threeRounds().Fork(c.plan)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var states []string
		for _, r := range ledger.Fold(events).Requests {
			states = append(states, r.ID+" "+string(r.State))
		}
		if got := strings.Join(states, ", "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		for _, m := range c.plan.Models {
			if now, _ := fork.Upcoming().Seat(m.ID); now.Model != m.Model {
				t.Errorf("%s: %s has the model %s", c.name, m.ID, now.Model)
			}
		}
	}
}

func TestFork_refusesWhatCannotChange(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		plan debate.ForkPlan
		says string
	}{
		{"an answer that was seen", debate.ForkPlan{Round: 2, Answers: other("C1", "new")}, "fork from round 1"},
		{"a fact that was seen", debate.ForkPlan{Round: 3, Omitted: []string{"C2"}}, "fork from round 2"},
		{"an answer to what is asked later", debate.ForkPlan{Round: 1, Answers: other("C2", "new")}, "C2 was asked in round 2"},
		{"an unknown request", debate.ForkPlan{Round: 1, Answers: other("C9", "new")}, "There is no question C9"},
		{"the same answer", debate.ForkPlan{Round: 1, Answers: other("C1", "old C1")}, "has this answer already"},
		{"a blank answer", debate.ForkPlan{Round: 1, Answers: other("C1", " ")}, "C1 is blank"},
		{"an unknown seat", debate.ForkPlan{Models: []agents.Profile{{ID: "zed", Model: "z"}}}, "There is no seat zed"},
		{"the same model", debate.ForkPlan{Models: threeRounds().Seats[:1]}, "has the model a already"},
		{"a mode after round 1", debate.ForkPlan{Round: 1, Mode: &debate.Mode{}}, "fork from round 0"},
		{"a panel that is too small", debate.ForkPlan{Panel: &debate.Panel{Seats: threeRounds().Seats[:1]}}, "2"},
	} {
		_, _, err := threeRounds().Fork(c.plan)
		if !errors.Is(err, debate.ErrNotReady) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestForkLine_saysWhatBothDebatesCameTo(t *testing.T) {
	for _, c := range []struct {
		name   string
		parent *debate.Parent
		round  int
		line   string
		want   string
	}{
		{"both", &debate.Parent{Name: "Move?", Result: "yes"}, 1, "No, 2 of 3", "fork of “Move?”, after round 1: yes → No, 2 of 3"},
		{"neither", &debate.Parent{Name: "Move\nnow?"}, 0, "", "fork of “Move now?”, from the start: (no verdict) → (no verdict)"},
		{"gone", nil, 2, "No, 2 of 3", "fork of a debate that is gone, after round 2"},
	} {
		s := debate.Session{ForkedFrom: "origin", Parent: c.parent, ForkRound: c.round}
		if got := s.ForkLine(c.line); got != c.want {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
		}
	}
	if got := (debate.Session{}).ForkLine(""); got != "" {
		t.Errorf("no fork: %q", got)
	}
}

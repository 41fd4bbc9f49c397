package debate_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

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
	model, sent := []agents.Profile{{ID: "ada", Name: "Ada", Model: "z"}}, ledger.Released
	for _, c := range []struct {
		name string
		plan debate.ForkPlan
		want map[string]ledger.State
	}{
		{"nothing", debate.ForkPlan{Round: 1, Facts: []string{"C1"}}, map[string]ledger.State{"C1": ledger.Released}},
		{"an answer", debate.ForkPlan{Round: 1, Answers: other("C1", " new ")}, map[string]ledger.State{"C1": ledger.Resolved}},
		{
			"no answer",
			debate.ForkPlan{Round: 1, Answers: []ledger.Submission{{Request: "C1", Outcome: ledger.Unavailable, Content: "why"}}},
			map[string]ledger.State{"C1": ledger.Resolved},
		},
		{
			"a fact told early",
			debate.ForkPlan{Round: 1, Facts: []string{"C1", "C2"}},
			map[string]ledger.State{"C1": ledger.Released, "C2": ledger.Released},
		},
		{"a fact left out", debate.ForkPlan{Round: 1, Omitted: []string{"C1"}}, map[string]ledger.State{"C1": ledger.Pending}},
		{
			"a model",
			debate.ForkPlan{Round: 2, Models: model, Facts: []string{"C2"}},
			map[string]ledger.State{"C1": ledger.Released, "C2": ledger.Released},
		},
		{"an answer to be sent", debate.ForkPlan{Round: 3}, map[string]ledger.State{"C1": sent, "C2": sent, "C3": ledger.Resolved}},
		{
			"one left out",
			debate.ForkPlan{Round: 3, Omitted: []string{"C3"}},
			map[string]ledger.State{"C1": sent, "C2": sent, "C3": ledger.Pending},
		},
		{
			"mode and panel", debate.ForkPlan{
				Mode: &debate.Mode{Name: "other", MinSeats: 2, MaxSeats: 3}, Panel: &debate.Panel{Name: "two", Seats: threeRounds().Seats},
			}, map[string]ledger.State{},
		},
	} {
		fork, events, err := threeRounds().Fork(c.plan)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got := map[string]ledger.State{}
		for _, r := range ledger.Fold(events).Requests {
			got[r.ID] = r.State
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
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

package oracle_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/modes"
	"roundtable/internal/testing/debatetest"
)

var builtinModes = sync.OnceValues(modes.Builtin)

// sessionMode returns the mode of a panel as its session has it.
func sessionMode(t testing.TB, p panel) debate.Mode {
	all, err := builtinModes()
	if err != nil {
		t.Fatal(err)
	}
	m, err := modes.Find(all, p.mode)
	if err != nil {
		t.Fatal(err)
	}
	known := builtinMode(p.mode, p.old())
	if p.old() {
		m.Votes, m.Question = "", ""
		m.Phases = slices.DeleteFunc(slices.Clone(m.Phases), func(ph debate.Phase) bool { return ph.Name == "own view" })
	} else if m.Votes != known.votes {
		t.Fatalf("mode %s has the voting phase %q, not %q", m.Name, m.Votes, known.votes)
	}
	if p.options != nil {
		m.Options = p.options
	}
	if p.criteria != nil {
		m.Criteria = p.criteria
	}
	return m
}

// build plays a panel. Check is called for each statement, as the engine does.
func build(t testing.TB, p panel, check func(debate.Session, *debate.Response)) *debatetest.Scenario {
	f := &debatetest.Scenario{TB: t, Session: debate.Session{
		ID: "k7m2", Topic: "What should be done?", Question: debate.QuestionKind(p.kind), Mode: sessionMode(t, p),
		Rounds: p.planned, Nonce: "a secret",
	}}
	for _, name := range p.names {
		f.Seats = append(f.Seats, agents.Profile{ID: seatID(name), Name: name, Provider: "p", Model: modelOf(p, name)})
	}
	for n := range p.rounds {
		playRound(f, p, n+1, check)
	}
	switch p.stop {
	case "user":
		f.Stopped = debate.StoppedByUser
	case "budget":
		f.Stopped = debate.StoppedByBudget
	}
	return f
}

func modelOf(p panel, name string) string {
	if p.oneModel {
		return "m"
	}
	return "m-" + name
}

func seatID(name string) agents.ID { return agents.ID(strings.ToLower(name)) }

func playRound(f *debatetest.Scenario, p panel, n int, check func(debate.Session, *debate.Response)) {
	answerFacts(f, p, n)
	f.BeginRound("")
	steps := f.Mode.Steps(f.Current().Manifest.Seats, n, p.planned)
	checkSteps(f, p, n, steps)
	for _, s := range steps {
		seen := f.SnapshotBefore(s).SeenResponses()
		for _, id := range s.Seats {
			_, seat := f.Seat(id)
			t, ok := p.turnOf(n, s.Phase, seat-1)
			if !ok { // the debate ended before
				continue
			}
			attempt := 1
			if t.retried {
				f.FailInStep(s, id, attempt, "the first attempt failed")
				attempt++
			}
			if t.failed != "" {
				f.FailInStep(s, id, attempt, t.failed)
				endTurn(p, t, latest(f))
				continue
			}
			f.SayRaw(s, id, attempt, t.raw)
			latest(f).SeenResponses = seen
			check(f.Session, latest(f))
		}
	}
	for i, fact := range p.facts {
		if fact.asked == n {
			f.Ask(seatID(p.names[0]), ledger.Question{Query: fmt.Sprintf("What is the value number %d?", i+1), Priority: priorityOf(fact)})
		}
	}
	f.EndRound()
	f.Current().Consensus = &debate.Consensus{Method: debate.ConsensusUnavailable, Seats: len(p.names), Labels: groupingOf(p, n)}
}

func latest(f *debatetest.Scenario) *debate.Response {
	return &f.Current().Responses[len(f.Current().Responses)-1]
}

// endTurn sets how a turn without a statement ended, unless it failed.
func endTurn(p panel, t turn, x *debate.Response) {
	switch {
	case t.failed == cancelled:
		x.State, x.Failure.Kind, x.Failure.Cause = debate.TurnCancelled, agents.KindCancelled, "Cancelled by you."
	case t.failed == cutOff && p.stop == "user":
		x.State, x.Failure.Kind, x.Failure.Cause = debate.TurnCancelled, agents.KindCancelled, debate.CauseCutOff
	case t.failed == cutOff:
		x.Failure.Kind = agents.KindBudget
	}
}

func priorityOf(f fact) ledger.Priority {
	if f.required {
		return ledger.Required
	}
	return ledger.Optional
}

// answerFacts answers what is released for a round.
func answerFacts(f *debatetest.Scenario, p panel, n int) {
	for i, fact := range p.facts {
		for j, v := range fact.revisions {
			if v.round != n {
				continue
			}
			sub := ledger.Submission{Request: factID(i), Outcome: ledger.Answered, Content: fmt.Sprintf("It is %d.", j), Correct: j > 0}
			if !v.answered {
				sub.Outcome = ledger.Unavailable
			}
			f.Answer(sub)
		}
	}
}

// checkSteps compares the steps of a round with those that the description has.
func checkSteps(f *debatetest.Scenario, p panel, n int, steps []debate.Step) {
	var got, want []string
	for _, s := range steps {
		got = append(got, fmt.Sprint(s.Phase, s.Seats))
	}
	for _, s := range plannedSteps(p.mode, len(p.names), n, p.planned, p.old()) {
		var ids []agents.ID
		for _, seat := range s.seats {
			ids = append(ids, seatID(p.names[seat]))
		}
		want = append(want, fmt.Sprint(s.phase, ids))
	}
	if !slices.Equal(got, want) {
		f.Fatalf("round %d of mode %s has the steps\n%v, not\n%v", n, p.mode, got, want)
	}
}

// groupingOf returns the grouping of a round as it is stored.
func groupingOf(p panel, n int) *debate.Grouping {
	groups := p.rounds[n-1].grouping
	if groups == nil {
		return nil
	}
	out := debate.Grouping{By: "Light"}
	for _, g := range groups {
		out.Groups = append(out.Groups, debate.LabelGroup{Side: debate.Side(g[0]), Labels: g})
	}
	return &out
}

// until returns the session as it was when a round ended, before its analysis.
func until(f *debatetest.Scenario, n int) debate.Session {
	s := f.Session
	s.Stopped = debate.NotStopped
	s.History = slices.Clone(s.History[:n])
	s.History[n-1].Consensus = nil
	s.History[n-1].Ended = time.Time{}
	return s
}

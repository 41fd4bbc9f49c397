package debate_test

import (
	"slices"
	"testing"
	"time"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/testing/debatetest"
)

func TestStatus_isComputedFromWhatThereIs(t *testing.T) { // R18
	for _, c := range []struct {
		name string
		do   func(f *debatetest.Scenario)
		want debate.Status
		next int
	}{
		{"no round", func(*debatetest.Scenario) {}, debate.Drafted, 1},
		{"a round under way", func(f *debatetest.Scenario) { f.BeginRound("") }, debate.Interrupted, 0},
		{"a round under way with a question", func(f *debatetest.Scenario) {
			f.BeginRound("")
			f.Ask("ada",
				ledger.Question{Query: "Why?"})
		}, debate.Interrupted, 0},
		{"a round has ended", func(f *debatetest.Scenario) { f.PlayRound("So.") }, debate.Ready, 2},
		{"a required question is open", func(f *debatetest.Scenario) {
			f.PlayRound("So.")
			f.Ask("ada",
				ledger.Question{Query: "Why?"})
		}, debate.NeedsContext, 2},
		{"an optional question is open", func(f *debatetest.Scenario) {
			f.PlayRound("So.")
			f.Ask("ada", ledger.Question{Query: "Why?", Priority: ledger.Optional})
		}, debate.Ready, 2},
		{"the question is answered", func(f *debatetest.Scenario) {
			f.PlayRound("So.")
			f.Ask("ada", ledger.Question{Query: "Why?"})
			f.Answer(ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "Because."})
		}, debate.Ready, 2},
		{"the last round has ended", func(f *debatetest.Scenario) { f.PlayRound("So."); f.PlayRound("So.") }, debate.Ready, 0},
		{"a required question is open after the last round", func(f *debatetest.Scenario) {
			f.PlayRound("So.")
			f.PlayRound("So.")
			f.Ask("ada", ledger.Question{Query: "Why?"})
		}, debate.Ready, 0},
		{"a verdict", func(f *debatetest.Scenario) { f.PlayRound("So."); f.PlayRound("So."); f.Verdict = &debate.Verdict{} }, debate.Complete, 0},
		{"rounds added, and the old question counts again", func(f *debatetest.Scenario) {
			f.PlayRound("So.")
			f.PlayRound("So.")
			f.Ask("ada", ledger.Question{Query: "Why?"})
			f.Rounds = 3
		}, debate.NeedsContext, 3},
		{"stopped at the gate, no verdict yet", func(f *debatetest.Scenario) {
			f.PlayRound("So.")
			f.Ask("ada", ledger.Question{Query: "Why?"})
			f.Stopped = debate.StoppedByUser
		}, debate.Ready, 0},
		{"stopped amid a round", func(f *debatetest.Scenario) { f.BeginRound(""); f.Stopped = debate.StoppedByBudget }, debate.Interrupted, 0},
		{"stopped, with a verdict", func(f *debatetest.Scenario) {
			f.PlayRound("So.")
			f.Stopped, f.Verdict = debate.StoppedByBudget, &debate.Verdict{}
		}, debate.Stopped, 0},
	} {
		f := debatetest.New(t, "collaborative", 2, "Ada", "Brook")
		c.do(f)
		if got := f.Status(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if got := f.Next(); got != c.next {
			t.Errorf("%s: the next round is %d, want %d", c.name, got, c.next)
		}
	}
}

func TestWithResponse_replacesTheSameAttemptAndLeavesTheOldSessionAlone(t *testing.T) {
	f := debatetest.New(t, "collaborative", 2, "Ada", "Brook")
	f.BeginRound("")
	running := f.Response("ada")
	running.State = debate.TurnRunning
	one := f.Session.WithResponse(running)
	two := one.WithResponse(f.Response("ada"))
	if n := len(f.History[0].Responses); n != 0 {
		t.Errorf("the session it started from has %d responses", n)
	}
	if one.History[0].Responses[0].State != debate.TurnRunning {
		t.Error("an older copy has changed")
	}
	if got := two.History[0].Responses; len(got) != 1 || got[0].State != debate.TurnDone {
		t.Errorf("responses = %+v", got)
	}
}

func TestWithRequest_keepsTheNewestCopyInTheOrderOfNumbers(t *testing.T) {
	var s debate.Session
	for _, id := range []string{"C2", "C10", "C1", "C9"} {
		s = s.WithRequest(ledger.Request{ID: id, Seq: 5, Query: "first"})
	}
	before := s
	s = s.WithRequest(ledger.Request{ID: "C2", Seq: 4, Query: "older"})
	s = s.WithRequest(ledger.Request{ID: "C9", Seq: 6, Query: "newer"})
	var got []string
	for _, r := range s.Requests {
		got = append(got, r.ID+" "+r.Query)
	}
	if want := []string{"C1 first", "C2 first", "C9 newer", "C10 first"}; !slices.Equal(got, want) {
		t.Errorf("requests = %v, want %v", got, want)
	}
	if r, _ := before.Request("C9"); r.Query != "first" {
		t.Error("the session it started from has changed")
	}
}

func TestLatest_isTheNewestAttemptOfEveryTurn(t *testing.T) {
	f := debatetest.New(t, "adversarial", 2, "Ada", "Brook")
	f.BeginRound("")
	f.Say("ada", "So.")
	for _, attempt := range []int{1, 2, 3} {
		x := f.Response("brook")
		x.Turn.Attempt = attempt
		f.Current().Responses = append(f.Current().Responses, x)
	}
	var got []string
	for _, x := range f.Current().Latest() {
		got = append(got, x.ID())
	}
	if want := []string{"r1.s0.ada.a1", "r1.s1.brook.a3"}; !slices.Equal(got, want) {
		t.Errorf("latest = %v, want %v", got, want)
	}
}

// What is meant for a later round waits for one, also while the last round runs or was cut off.
func TestLacksRound_inAndAfterTheLastRound(t *testing.T) {
	ended := debate.Round{Number: 1, Ended: time.Unix(1, 0)}
	for _, c := range []struct {
		name string
		s    debate.Session
		want bool
	}{
		{"not begun", debate.Session{Rounds: 2}, false},
		{"a round before the last", debate.Session{Rounds: 2, History: []debate.Round{{Number: 1}}}, false},
		{"in the last round", debate.Session{Rounds: 1, History: []debate.Round{{Number: 1}}}, true},
		{"after it", debate.Session{Rounds: 1, History: []debate.Round{ended}}, true},
		{"ended by the user", debate.Session{Rounds: 2, History: []debate.Round{ended}, Stopped: debate.StoppedByUser}, true},
		{"with a verdict", debate.Session{Rounds: 2, History: []debate.Round{ended}, Verdict: &debate.Verdict{}}, true},
	} {
		if got := c.s.LacksRound(); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// A debate that can only be read never needs the user, whatever it was left with.
func TestState_ofWhatWasLeftUnfinished(t *testing.T) {
	asked := []ledger.Request{{ID: "C1", Priority: ledger.Required, State: ledger.Pending}}
	for _, rounds := range [][]debate.Round{nil, {{Number: 1}}, {{Number: 1, Ended: time.Unix(1, 0)}}} {
		s := debate.Session{Rounds: 2, History: rounds, Requests: asked, Gone: "mode oxford", Stopped: debate.LeftUnfinished}
		listed := debate.SessionSummary{Status: s.Status(), Stopped: s.Stopped, Required: 1}
		if s.State(false) != debate.StateGone || listed.State() != debate.StateGone || s.Next() != 0 || listed.Status != debate.Stopped {
			t.Errorf("%d rounds: %q, %q in a list, status %q, next %d", len(rounds), s.State(false), listed.State(), listed.Status, s.Next())
		}
	}
}

package debate_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/testing/debatetest"
)

func TestStatus_isComputedFromWhatThereIs(t *testing.T) { // R18
	type steps []func(f *debatetest.Scenario)
	begun := func(f *debatetest.Scenario) { f.BeginRound("") }
	played := func(f *debatetest.Scenario) { f.PlayRound("So.") }
	asked := func(f *debatetest.Scenario) { f.Ask("ada", ledger.Question{Query: "Why?"}) }
	optional := func(f *debatetest.Scenario) { f.Ask("ada", ledger.Question{Query: "Why?", Priority: ledger.Optional}) }
	answered := func(f *debatetest.Scenario) {
		f.Answer(ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "Because."})
	}
	longer := func(f *debatetest.Scenario) { f.Rounds = 3 }
	ended := func(f *debatetest.Scenario) { f.Stopped = debate.StoppedByUser }
	broke := func(f *debatetest.Scenario) { f.Stopped = debate.StoppedByBudget }
	verdict := func(f *debatetest.Scenario) { f.Verdict = &debate.Verdict{} }
	for _, c := range []struct {
		name string
		do   steps
		want debate.Status
		next int
	}{
		{"no round", nil, debate.Drafted, 1},
		{"a round under way", steps{begun}, debate.Interrupted, 0},
		{"a round under way with a question", steps{begun, asked}, debate.Interrupted, 0},
		{"a round has ended", steps{played}, debate.Ready, 2},
		{"a required question is open", steps{played, asked}, debate.NeedsContext, 2},
		{"an optional question is open", steps{played, optional}, debate.Ready, 2},
		{"the question is answered", steps{played, asked, answered}, debate.Ready, 2},
		{"the last round has ended", steps{played, played}, debate.Ready, 0},
		{"a required question is open after the last round", steps{played, played, asked}, debate.Ready, 0},
		{"a verdict", steps{played, played, verdict}, debate.Complete, 0},
		{"rounds added, and the old question counts again", steps{played, played, asked, longer}, debate.NeedsContext, 3},
		{"stopped at the gate, no verdict yet", steps{played, asked, ended}, debate.Ready, 0},
		{"stopped amid a round", steps{begun, broke}, debate.Interrupted, 0},
		{"stopped, with a verdict", steps{played, broke, verdict}, debate.Stopped, 0},
	} {
		f := debatetest.New(t, "collaborative", 2, "Ada", "Brook")
		for _, do := range c.do {
			do(f)
		}
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

// What has no price is told in tokens, and never as no dollars.
func TestBudgetError_namesNoDollarsWithoutAPrice(t *testing.T) {
	both, usd := debate.Budget{USD: 0.5, Tokens: 2000}, debate.Budget{USD: 0.5}
	for _, c := range []struct {
		err  debate.BudgetError
		want string
	}{
		{
			debate.BudgetError{Budget: both, Spent: debate.Budget{Tokens: 1200}, Needed: debate.Budget{Tokens: 1963}},
			"the budget of $0.50 or 2000 tokens does not allow another call; 1200 tokens spent so far, and one could use up to 1963 tokens",
		},
		{
			debate.BudgetError{Budget: both, Spent: debate.Budget{USD: 0.25, Tokens: 1200}, Needed: debate.Budget{Tokens: 1963}},
			"the budget of $0.50 or 2000 tokens does not allow another call; $0.25 or 1200 tokens spent so far, and one could use up to 1963 tokens",
		},
		{
			debate.BudgetError{Budget: usd, Spent: debate.Budget{USD: 0.25}, Needed: debate.Budget{USD: 0.5}},
			"the budget of $0.50 does not allow another call; $0.25 spent so far, and one could use up to $0.50",
		},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

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

func TestAdmits_refusesNamesThatCannotBeHidden(t *testing.T) {
	m := debatetest.Mode(t, "delphi")
	ok := agents.Profile{ID: "ada", Name: "Ada"}
	for name, c := range map[string]struct {
		other agents.Profile
		want  string
	}{
		"a short name": {agents.Profile{ID: "bodo", Name: "Bo"}, `the name "Bo" is too short`},
		"a short id":   {agents.Profile{ID: "b", Name: "Bodo"}, `the name "b" is too short`},
		"another seat's label": {
			agents.Profile{ID: "bodo", Name: "participant 1"},
			`the name "participant 1" of seat 2 looks like one of these labels`,
		},
		"what labels begin with":          {agents.Profile{ID: "participant", Name: "Bodo"}, `the name "participant" of seat 2`},
		"none":                            {agents.Profile{ID: "bodo", Name: "Bodo"}, ""},
		"letters that take several bytes": {agents.Profile{ID: "лев", Name: "Лев"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			err := m.CheckPanel([]agents.Profile{ok, c.other})
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
	if err := debatetest.Mode(t, "collaborative").CheckPanel([]agents.Profile{ok, {ID: "b", Name: "B"}}); err != nil {
		t.Errorf("where names are shown: %v", err)
	}
}

func TestFamily_isWhatModelsOfOneMakerHaveInCommon(t *testing.T) {
	for model, want := range map[string]string{
		"gpt-5-mini": "gpt", "openai/gpt-oss:20b": "gpt", "o3-mini": "gpt", "claude-sonnet-4-5": "claude", "llama3.1": "llama",
		"Llama-3.3-70b": "llama",
		"mixtral-8x7b":  "mistral", "gemini-2.5-flash": "gemini", "7b": "", "": "",
		"my-finetune": "", "m1": "", "qwq:32b": "qwen", "qwen/qwen3-8b": "qwen", "codellama:7b": "llama",
	} {
		if got := debate.ModelFamily(model); got != want {
			t.Errorf("%s is of %q, want %q", model, got, want)
		}
	}
}

func TestRosterNote_tellsWhatTiesAPanel(t *testing.T) {
	seat := func(model string) agents.Profile { return agents.Profile{Model: model, Provider: "p"} }
	loop := func(provider string) agents.Profile {
		return agents.Profile{Name: provider, Model: "default", Provider: provider, Loop: true}
	}
	demo := agents.Profile{Model: "scripted-1", Provider: debate.DemoProvider}
	for _, c := range []struct {
		name  string
		seats []agents.Profile
		local bool
		want  string
	}{
		{"mixed", []agents.Profile{seat("gpt-5"), seat("claude")}, true, ""},
		{"one family", []agents.Profile{seat("gpt-5"), seat("gpt-4")}, true, debate.WarningOneFamily},
		{"one is unknown", []agents.Profile{seat("gpt-5"), seat("7b")}, true, ""},
		{"one unknown model", []agents.Profile{seat("7b"), seat("7b")}, false, debate.WarningOneFamily},
		{"one local model", []agents.Profile{seat("7b"), seat("7b")}, true, "One model in two seats: two may not fit into memory together."},
		{"two programs", []agents.Profile{loop("claude"), loop("gemini")}, true, ""},
		{"one program twice", []agents.Profile{loop("x"), seat("7b"), loop("x")}, true, "x and x are one program and tend to make the same mistakes."},
		{"scripted", []agents.Profile{demo, demo}, true, ""},
		{"one seat", []agents.Profile{seat("gpt-5")}, true, ""},
	} {
		if got := (debate.Session{Seats: c.seats}).RosterNote(func(string) bool { return c.local }); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestWorkspace_refusesProgramsInAContainer(t *testing.T) {
	const (
		one = "the workspace /src (container) cannot be used: the program of Olive cannot run in it, since it needs the network of its " +
			"model and your sign-in; use the mode clone, or run all of Roundtable in a container"
		two = "the workspace /src (container) cannot be used: the programs of Olive and Cy cannot run in it, since they need the " +
			"network of their models and your sign-in; use the mode clone, or run all of Roundtable in a container"
	)
	ada, olive, cy := agents.Profile{Name: "Ada"}, agents.Profile{Name: "Olive", Loop: true}, agents.Profile{Name: "Cy", Loop: true}
	container := debate.Workspace{Dir: "/src", Mode: debate.WorkspaceContainer}
	clone := debate.Workspace{Dir: "/src", Mode: debate.WorkspaceClone}
	for _, c := range []struct {
		name  string
		of    debate.Workspace
		seats []agents.Profile
		chair *agents.Profile
		want  string
	}{
		{"no program", container, []agents.Profile{ada}, &ada, ""},
		{"a program", container, []agents.Profile{ada, olive}, nil, one},
		{"also as chair", container, []agents.Profile{ada}, &olive, one},
		{"a seat as chair", container, []agents.Profile{ada, olive}, &olive, one},
		{"two", container, []agents.Profile{olive}, &cy, two},
		{"in a clone", clone, []agents.Profile{olive}, &cy, ""},
		{"nowhere", debate.Workspace{Mode: debate.WorkspaceContainer}, []agents.Profile{olive}, nil, ""},
	} {
		got := ""
		if err := c.of.Check((debate.Session{Seats: c.seats, Chair: c.chair}).Speakers()); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestSpending_addsUpAsDecimalsDo(t *testing.T) {
	one, two := 0.1, 0.2
	if got := (debate.Spending{}).Plus(1, agents.Usage{}, &one).Plus(1, agents.Usage{}, &two); *got.Cost != 0.3 {
		t.Errorf("%v", *got.Cost)
	}
}

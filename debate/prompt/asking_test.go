package prompt_test

import (
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/prompt"
	"roundtable/internal/testing/debatetest"
	"roundtable/internal/testing/must"
)

// asking returns the part of a seat's prompt about questions to the user, "" if there is
// none.
func asking(f *debatetest.Scenario, seat agents.ID) string {
	for _, part := range f.Prompt(seat).User {
		if part.Title == "questions to the user" {
			return part.Text
		}
	}
	return ""
}

const lateAnswered = "What you ask now is answered only if the user wants another round."

func TestAsking_saysHowManyMayBeAskedAndWhatOfTheLastRoundIsAnswered(t *testing.T) {
	for _, c := range []struct {
		name           string
		caps           ledger.Caps
		rounds, played int
		want           string
		last           bool
	}{
		{"by the limit of the round", ledger.Caps{PerRound: 3, PerSession: 20}, 4, 0, "you can ask up to 3 questions", false},
		{"what is left of the session", ledger.Caps{PerRound: 3, PerSession: 4}, 4, 2, "you can ask up to 2 questions", false},
		{"what was asked in earlier rounds", ledger.Caps{PerRound: 3, PerSession: 20}, 4, 2, "you can ask up to 3 questions", false},
		{"one", ledger.Caps{PerRound: 3, PerSession: 3}, 4, 2, "you can ask one question", false},
		{"none", ledger.Caps{PerRound: 3, PerSession: 2}, 4, 2, "you cannot ask anything new", false},
		{"without a limit", ledger.Caps{}, 4, 1, "you can ask as many questions as you need", false},
		{"two rounds", ledger.DefaultCaps, 2, 0, "you can ask up to 3 questions", false},
		{"the last round", ledger.DefaultCaps, 2, 1, "you can ask up to 3 questions", true},
		{"a single round", ledger.DefaultCaps, 1, 0, "you can ask up to 3 questions", true},
	} {
		f := debatetest.New(t, "collaborative", c.rounds, "Ada", "Brook")
		f.Caps = c.caps
		for round := range c.played {
			f.BeginRound("")
			f.Ask("ada", ledger.Question{Query: "Question " + strings.Repeat("I", round+1), Priority: ledger.Optional})
			f.FinishRound("So.")
		}
		f.BeginRound("")
		got := asking(f, "ada")
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: want %q in\n%s", c.name, c.want, got)
		}
		if strings.Contains(got, lateAnswered) != c.last {
			t.Errorf("%s: the last round: want %v in\n%s", c.name, c.last, got)
		}
	}
}

// What a seat asked in an earlier step of the round counts, and not what it asked in earlier rounds.
func TestAsking_countsWhatWasAskedInTheRound(t *testing.T) {
	f := debatetest.New(t, "adversarial", 2, "Ada", "Brook")
	for _, queries := range [][]string{{"How many users?", "Who decides?"}, {"What does it cost?"}} {
		f.BeginRound("")
		for _, query := range queries {
			f.Ask("ada", ledger.Question{Query: query, Priority: ledger.Optional})
		}
		f.FinishRound("So.")
	}
	snap := must.Get(prompt.NewSnapshot(f.Session, 2))(t)
	snap = snap.With(f.Current().Responses).WithRequests(f.Requests)
	votes := f.Mode.Steps(f.SeatIDs(), 2, 2)[2]
	if text := prompt.Member(f.Mode, snap, votes, f.Seats[0]).Messages()[1].Text; !strings.Contains(text, "you can ask up to 2 questions") {
		t.Error(text)
	}
}

// What is open is what was open when the round began, and what turns before this one asked
// whose statements its speaker sees.
func TestAsking_listsWhatIsOpenAndWhoAsked(t *testing.T) {
	f := debatetest.New(t, "adversarial", 3, "Adams", "Brook", "Clara")
	f.BeginRound("")
	f.Ask("adams", ledger.Question{Query: "How many\n users?", Priority: ledger.Optional})
	f.Ask("adams", ledger.Question{Query: "Who decides?"})
	if got := asking(f, "adams"); strings.Contains(got, "C1") {
		t.Errorf("a turn that starts again reads what it asked before:\n%s", got)
	}
	f.Say("adams", "So.")
	if got, want := asking(f, "brook"), "C1, open, asked by Adams: How many users?\nC2, open, asked by Adams: Who decides?\n"; !strings.Contains(got, want) {
		t.Errorf("Brook reads\n%s\nwant\n%s", got, want)
	}
	f.Ask("brook", ledger.Question{Query: "how many users", Priority: ledger.Optional})
	f.Ask("brook", ledger.Question{Query: "What does it cost?", Priority: ledger.Optional})
	brook := asking(f, "brook")
	f.Say("brook", "So.")
	clara := asking(f, "clara")
	for _, want := range []string{"C1, open, asked by Adams, Brook: How many users?\n", "C3, open, asked by Brook: What does it cost?\n"} {
		if !strings.Contains(clara, want) {
			t.Errorf("Clara reads\n%s\nwant\n%s", clara, want)
		}
	}
	f.FailTurn("clara")
	f.EndRound()
	f.Answer(ledger.Submission{Request: "C2", Outcome: ledger.Answered, Content: "The board."})
	f.BeginRound("")
	later := asking(f, "adams")
	if strings.Contains(later, "C2") || !strings.Contains(later, "C1, open, asked by Adams, Brook: How many users?\nC3, open, asked by Brook") {
		t.Errorf("in round 2 Adams reads\n%s", later)
	}

	// Whatever comes later, the prompts of then stay as they were.
	f.Say("adams", "So.")
	f.EndRound()
	f.Answer(ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "Few."})
	f.BeginRound("")
	first := must.Get(prompt.NewSnapshot(f.Session, 1))(t)
	said := f.History[0].Responses
	for seat, c := range map[agents.ID]struct {
		before int
		want   string
	}{"brook": {1, brook}, "clara": {2, clara}} {
		who, n := f.Seat(seat)
		snap := first.With(said[:c.before]).WithRequests(f.Requests)
		text := prompt.Member(f.Mode, snap, debate.Step{Index: n - 1}, who).Messages()[1].Text
		if !strings.Contains(text, c.want) {
			t.Errorf("the prompt of %s has changed:\n%s\nwant\n%s", seat, text, c.want)
		}
	}
}

// The tool has the name that the seat's own model knows it by.
func TestAsking_namesTheToolAsTheModelSeesIt(t *testing.T) {
	f := debatetest.New(t, "collaborative", 3, "Ada", "Brook")
	f.Seats[0].ToolPrefix = "mcp__x__"
	f.BeginRound("")
	f.Ask("brook", ledger.Question{Query: "Why?", Priority: ledger.Optional})
	f.FinishRound("So.")
	f.BeginRound("")
	for seat, name := range map[agents.ID]string{"ada": " mcp__x__request_context", "brook": " request_context"} {
		for _, want := range []string{"with the tool" + name + ".", ": call" + name + " with its id"} {
			if got := asking(f, seat); !strings.Contains(got, want) {
				t.Errorf("%s reads\n%s\nwant %q", seat, got, want)
			}
		}
	}
}

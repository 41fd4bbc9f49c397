package prompt_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"
	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/testing/debatetest"
)

// collaboration is a debate of three in which much has happened: an answer, an
// unavailable one, a correction, a member that failed, and a focus question.
func collaboration(t testing.TB) (later, last *debatetest.Scenario) {
	f := debatetest.New(t, "collaborative", 3, "Ada", "Brook", "Cy")
	f.Seats[0].Persona = "You are the one who builds.\n"
	f.BeginRound("")
	f.Ask("brook", ledger.Question{Query: "How many users are there?"})
	f.Ask("cy", ledger.Question{Query: "how many users are there"})
	f.Ask("cy", ledger.Question{Query: "Who decides?"})
	f.Ask("ada", ledger.Question{Query: "Is there a date?", Priority: ledger.Optional})
	f.Say("ada", debatetest.Statement("Split it.\n\n- It grows.", "Split it soon.", "yes", 0.7))
	f.Say("brook", "It depends on [C1].")
	f.FailTurn("cy")
	f.EndRound()
	f.Answer(ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "12,000 a day\nand growing", Source: "the books"})
	f.Answer(ledger.Submission{Request: "C2", Outcome: ledger.Unavailable, Content: "the board has not met"})
	f.BeginRound("What would it cost?")
	later = f.Clone()
	f.Say("ada", debatetest.Statement("By [C1] it has to be split.", "Split it.", "yes", 0.8))
	f.Say("brook", debatetest.Statement("Keep it whole.", "Keep it whole.", "no", 0.6))
	f.Say("cy", "A long answer that was")
	f.Current().Responses[2].Finish = agents.FinishLength
	f.EndRound()
	f.Answer(ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "13,000 a day", Correct: true})
	f.Answer(ledger.Submission{Request: "C3", Outcome: ledger.Answered, Content: "May"})
	f.BeginRound("")
	return later, f
}

// What no mode shows of itself: a focus, a correction, an answer that is unavailable, a seat that failed.
func TestPrompt_collaborative(t *testing.T) {
	later, last := collaboration(t)
	t.Run("later", func(t *testing.T) { golden.RequireEqual(t, debatetest.RenderPrompt(later.Prompt("brook"))) })
	t.Run("last", func(t *testing.T) { golden.RequireEqual(t, debatetest.RenderPrompt(last.Prompt("cy"))) })
}

func TestPrompt_ofTheFirstStepHasNoTraceOfContext(t *testing.T) {
	for _, mode := range []string{"collaborative", "adversarial"} {
		f := debatetest.New(t, mode, 2, "Ada", "Brook")
		f.BeginRound("")
		got := f.Prompt("ada")
		var titles []string
		for _, part := range got.User {
			titles = append(titles, part.Title)
		}
		want := []string{"the question", "who you are", "questions to the user", "form of the statement", "instructions for round 1"}
		if diff := cmp.Diff(want, titles); diff != "" {
			t.Errorf("%s: parts of the user message (-want +got):\n%s", mode, diff)
		}
		blind := debatetest.New(t, mode, 2, "Ada", "Brook")
		blind.BeginRound("")
		blind.Say("brook", "I spoke before Ada was asked.")
		blind.Ask("brook", ledger.Question{Query: "Why?"})
		if diff := cmp.Diff(got, blind.Prompt("ada")); diff != "" {
			t.Errorf("%s: rows of the round have entered it (-want +got):\n%s", mode, diff)
		}
	}
	f := debatetest.New(t, "collaborative", 2, "Ada", "Brook", "Cy")
	f.BeginRound("")
	for _, seat := range []agents.ID{"brook", "cy"} {
		ada, other := f.Prompt("ada"), f.Prompt(seat)
		for i, part := range ada.User {
			differs := part.Title == "who you are" || part.Title == "form of the statement" // whose example has another side
			if ada.System != other.System || (part != other.User[i]) != differs {
				t.Errorf("%s is asked something else than Ada:\n%s\n%s", seat, part.Text, other.User[i].Text)
			}
		}
	}
}

func TestPrompt_everyAnswerIsThereOnceForEverybody(t *testing.T) {
	later, last := collaboration(t)
	for _, seat := range []agents.ID{"ada", "brook", "cy"} {
		for _, c := range []struct {
			f    *debatetest.Scenario
			text string
			want int
		}{
			{later, "12,000 a day", 1},
			{later, "How many users are there?", 1},
			{later, "[C2]", 1},
			{later, "the board has not met", 1},
			{later, "asked by Brook, Cy in round 1", 1},
			{later, "the books", 1},
			{later, "C3", 1},
			{later, "C3, open, asked by Ada: Is there a date?", 1},
			{last, "13,000 a day", 1},
			{last, "12,000 a day", 0},
			{last, "[C2]", 1},
			{last, "[C3]", 1},
		} {
			m := c.f.Prompt(seat).Messages()
			if n := strings.Count(m[0].Text+m[1].Text, c.text); n != c.want {
				t.Errorf("%s reads %q %d times in round %d, want %d:\n%s", seat, c.text, n, c.f.Current().Number, c.want, m[1].Text)
			}
		}
	}
}

func TestPrompt_peersAreOnlyEverInTheUserMessage(t *testing.T) {
	later, last := collaboration(t)
	for _, f := range []*debatetest.Scenario{later, last} {
		for _, seat := range f.Seats {
			m := f.Prompt(seat.ID).Messages()
			if len(m) != 2 || m[0].Role != agents.System || m[1].Role != agents.User {
				t.Fatalf("messages = %+v, want system and user", m)
			}
			for _, said := range []string{"It grows", "12,000", "13,000", "Keep it whole", "the board", "What would it cost"} {
				if strings.Contains(m[0].Text, said) {
					t.Errorf("the system message of %s has %q", seat.ID, said)
				}
			}
			for round := 1; round < f.Current().Number; round++ {
				want := 0
				if f.History[round-1].AttemptsOf(seat.ID)[0].State == debate.TurnDone {
					want = 1
				}
				own := fmt.Sprintf("%s (your own), round %d", seat.Name, round)
				if n := strings.Count(m[1].Text, own); n != want {
					t.Errorf("%s reads %q %d times, want %d", seat.ID, own, n, want)
				}
			}
			if strings.Contains(m[1].Text, "exploded") {
				t.Errorf("%s reads the error of a peer", seat.ID)
			}
		}
	}
}

package prompt_test

import (
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"roundtable/agents"
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

func TestPrompt_ofTheFirstStepAsksAllTheSame(t *testing.T) {
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

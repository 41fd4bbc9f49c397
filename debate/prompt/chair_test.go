package prompt_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/prompt"
	"roundtable/internal/testing/debatetest"
	"roundtable/internal/testing/must"
)

// A member reports on a debate that was ended; each mode shows a chair from outside.
func TestChairPrompt(t *testing.T) {
	_, f := collaboration(t)
	f.Say("ada", debatetest.Statement("So be it.", "Split it.", "yes", 0.9))
	f.FailTurn("brook")
	f.Say("cy", "Well.")
	f.EndRound()
	f.Stopped = debate.StoppedByUser
	p, fit, err := prompt.Chair(f.Session, f.Seats[0])
	if err != nil || fit != nil { // nothing is shortened
		t.Fatalf("%+v, %v", fit, err)
	}
	golden.RequireEqual(t, debatetest.RenderPrompt(p.WithReport(f.Session, "I report.")))
}

func TestChairPrompt_saysWhatItsAnswerIsByTheResult(t *testing.T) {
	for _, c := range []struct {
		mode  string
		sides string
		want  string
	}{
		{"collaborative", "yes yes no", "Your answer is that of the majority; say who was outvoted."},
		{"collaborative", "yes no undecided", "The vote is split. Your answer says so, and chooses no side for the members."},
		{"collaborative", "yes undecided -", "There is no majority. Your answer says so"},
		{"collaborative", "undecided undecided yes", "Most members are undecided. Your answer says so"},
		{"collaborative", "- - -", "No vote could be counted. Your answer says so"},
		{"devils-advocate", "yes no", "Nothing decides by itself here."},
		{"council", "yes no yes", "No vote could be counted."}, // no ballot
	} {
		sides := strings.Fields(c.sides)
		f := debatetest.New(t, c.mode, 1, []string{"Adams", "Brook", "Clara"}[:len(sides)]...)
		f.Question = debate.QuestionYesNo
		f.BeginRound("")
		for i, side := range sides {
			if side == "-" {
				f.FailTurn(f.Seats[i].ID)
				continue
			}
			f.Say(f.Seats[i].ID, debatetest.Statement("What it says.", "So.", side, 0.5))
		}
		f.EndRound()
		p, _, err := prompt.Chair(f.Session, agents.Profile{ID: "zed", Name: "Zed"})
		must.Do(t, err)
		if got := debatetest.RenderPrompt(p); !strings.Contains(got, c.want) {
			t.Errorf("%s, %s: the prompt has no %q:\n%s", c.mode, c.sides, c.want, got)
		}
	}
}

package prompt_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/prompt"
	"roundtable/internal/testing/debatetest"
)

func TestChairPrompt(t *testing.T) {
	_, _, f := collaboration(t)
	f.Say("ada", debatetest.Statement("So be it.", "Split it.", "yes", 0.9))
	f.FailTurn("brook")
	f.Say("cy", "Well.")
	f.EndRound()
	f.Stopped = debate.StoppedByUser
	for name, chair := range map[string]agents.Profile{"outside": {ID: "zed", Name: "Zed"}, "member": f.Seats[1]} {
		t.Run(name, func(t *testing.T) {
			p, err := prompt.Chair(f.Session, chair)
			if err != nil {
				t.Fatal(err)
			}
			golden.RequireEqual(t, debatetest.RenderPrompt(p))
		})
	}
}

func TestChairPrompt_saysWhatDecides(t *testing.T) {
	for rule, want := range map[debate.DecisionRule]string{
		debate.DecideByVote:      "What decides is the vote:",
		debate.DecideByConsensus: "What decides is what the members hold in common.",
		debate.DecideByRanking:   "What decides is the members' ranking as it was counted.",
		debate.DecideByNothing:   "Nothing decides by itself here.",
		"":                       "are the last ones of Ada, Brook.\nWrite the report now.", // of an older session
	} {
		_, _, f := collaboration(t)
		f.EndRound()
		f.Mode.Decision = rule
		p, err := prompt.Chair(f.Session, agents.Profile{ID: "zed", Name: "Zed"})
		if err != nil {
			t.Fatal(err)
		}
		if got := debatetest.RenderPrompt(p); !strings.Contains(got, want) {
			t.Errorf("rule %q: the prompt has no %q:\n%s", rule, want, got)
		}
	}
}

func TestChairPrompt_saysWhoHasNoVote(t *testing.T) {
	for _, c := range []struct {
		mode string
		kind debate.QuestionKind
		want string
	}{
		{"devils-advocate", "", "each member has one, but for Adams, Brook: their roles prescribe a side or take none. A vote is the stance"},
		{"devils-advocate", debate.QuestionYesNo, "A vote is the side that it takes in the end. Say how it came out"},
		{"adversarial", "", "each member has one, by the stance that it states in the end."},
		{"adversarial", debate.QuestionYesNo, `each member has one, by the side that it takes in the phase "own view" of the last round.`},
	} {
		f := debatetest.New(t, c.mode, 1, "Adams", "Brook", "Clara")
		f.Question = c.kind
		f.BeginRound("")
		for _, step := range f.Mode.Steps(f.Current().Manifest.Seats, 1, 1) {
			for _, seat := range step.Seats {
				f.SayInStep(step, seat)
			}
		}
		f.EndRound()
		p, err := prompt.Chair(f.Session, agents.Profile{ID: "zed", Name: "Zed"})
		if err != nil {
			t.Fatal(err)
		}
		if got := debatetest.RenderPrompt(p); !strings.Contains(got, c.want) {
			t.Errorf("%s: the prompt has no %q:\n%s", c.mode, c.want, got)
		}
	}
	f := debatetest.New(t, "devils-advocate", 1, "Adams", "Brook")
	f.BeginRound("")
	f.EndRound()
	p, err := prompt.Chair(f.Session, agents.Profile{ID: "zed", Name: "Zed"})
	if want := "No member has a vote of its own"; err != nil || !strings.Contains(debatetest.RenderPrompt(p), want) {
		t.Errorf("where all roles prescribe a side the prompt has no %q (%v):\n%s", want, err, debatetest.RenderPrompt(p))
	}
}

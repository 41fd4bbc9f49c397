package prompt_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"
	"roundtable/debate"
	"roundtable/internal/testing/debatetest"
)

func TestBlock_asksForTheBlockOfTheStepAlone(t *testing.T) {
	for _, c := range []struct {
		name, mode string
		kind       debate.QuestionKind
	}{
		{"open", "delphi", debate.QuestionOpen},
		{"yes-no", "collaborative", debate.QuestionYesNo},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := debatetest.New(t, c.mode, 2, "Adams", "Brook", "Clara")
			f.Question = c.kind
			f.PlayRound(debatetest.Statement("What all say.", "So.", "yes", 0.5))
			f.BeginRound("")
			who, _ := f.Seat("brook")
			p := f.Snapshot("brook").BlockRequest(f.StepOf("brook"), who, "I hold that it should be split.")
			golden.RequireEqual(t, debatetest.RenderPrompt(p))
			if text := p.Messages()[0].Text + p.Messages()[1].Text; strings.Contains(text, "What all say.") {
				t.Errorf("it has what others said:\n%s", text)
			}
		})
	}
}

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

// The block that is asked for is the one that the step asks for: a ballot, or a stance.
func TestBlock_hasTheFieldsOfItsStep(t *testing.T) {
	for _, c := range []struct{ mode, phase, field string }{
		{"council", "ranking", `"ranking"`}, {"collaborative", "", `"vote"`},
	} {
		f := debatetest.New(t, c.mode, 1, "Adams", "Brook", "Clara")
		f.Question = debate.QuestionYesNo
		f.BeginRound("")
		who, _ := f.Seat("brook")
		for _, step := range f.Mode.Steps(f.Current().Manifest.Seats, 1, 1) {
			if step.Phase != c.phase {
				continue
			}
			text := f.SnapshotBefore(step).BlockRequest(step, who, "So.").Messages()[1].Text
			if !strings.Contains(text, c.field) || strings.Contains(text, "Write your statement") {
				t.Errorf("%s: no %s:\n%s", c.mode, c.field, text)
			}
			c.field = ""
		}
		if c.field != "" {
			t.Errorf("%s has no phase %q", c.mode, c.phase)
		}
	}
}

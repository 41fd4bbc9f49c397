package prompt_test

import (
	"strings"
	"testing"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/testing/debatetest"
)

// changedBy returns the line of a prompt that says what changed_by is, "" if it does not
// ask for it.
func changedBy(f *debatetest.Scenario, step debate.Step) string {
	who, _ := f.Seat(step.Seats[0])
	parts := f.SnapshotBefore(step).BlockRequest(step, who, "So.").User
	_, after, _ := strings.Cut(parts[len(parts)-1].Text, "\n- changed_by: ")
	line, _, _ := strings.Cut(after, "\n")
	return line
}

func TestChangedBy_isAskedWhereViewsAreGivenFromTheSecondRoundOn(t *testing.T) {
	for _, c := range []struct {
		mode, phase string
		round       int
		want        bool
	}{
		{"collaborative", "", 1, false},
		{"collaborative", "", 2, true},
		{"delphi", "", 2, true},
		{"adversarial", "", 2, false}, // argued in a role
		{"adversarial", "own view", 2, true},
		{"council", "ranking", 2, false},
	} {
		f := debatetest.New(t, c.mode, 2, "Adams", "Brook", "Clara")
		f.Question = debate.QuestionYesNo
		for range c.round - 1 {
			f.PlayRound(debatetest.Statement("So.", "So.", "yes", 0.5))
		}
		f.BeginRound("")
		found := false
		for _, step := range f.Mode.Steps(f.Current().Manifest.Seats, c.round, 2) {
			if step.Phase == c.phase && !found {
				found = true
				if got := changedBy(f, step); (got != "") != c.want {
					t.Errorf("%s, %q, round %d: changed_by is explained as %q", c.mode, c.phase, c.round, got)
				}
			}
		}
		if !found {
			t.Errorf("%s has no phase %q in round %d", c.mode, c.phase, c.round)
		}
	}
}

// Only what a member was given can be named: ids come with facts and evidence, names
// where the mode shows them.
func TestChangedBy_namesWhatCanHaveMovedAMember(t *testing.T) {
	f := debatetest.New(t, "collaborative", 2, "Adams", "Brook")
	f.Question = debate.QuestionYesNo
	f.Bring(file("main.go", 3))
	f.BeginRound("")
	f.Ask("adams", ledger.Question{Query: "How many?"})
	f.Say("adams", "So.")
	f.Say("brook", "So.")
	f.EndRound()
	f.Answer(ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "Few."})
	f.BeginRound("")
	got := changedBy(f, f.StepOf("adams"))
	for _, want := range []string{`"C1"`, `"F1:120-140"`, "a tool", "a member's name", "null if your answer is the same"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
	g := debatetest.New(t, "delphi", 2, "Adams", "Brook")
	g.Question = debate.QuestionYesNo
	g.PlayRound("So.")
	g.BeginRound("")
	got = changedBy(g, g.StepOf("adams"))
	if strings.Contains(got, "C1") || strings.Contains(got, "F1") || strings.Contains(got, "name, if") || !strings.Contains(got, "label") {
		t.Errorf("without facts and names: %q", got)
	}
}

// Who takes no side is asked for one word, which is read without a note.
func TestBlock_asksForTheWordUndecided(t *testing.T) {
	for _, kind := range []debate.QuestionKind{debate.QuestionYesNo, debate.QuestionOpen, debate.QuestionChoice, debate.QuestionUnset} {
		f := debatetest.New(t, "collaborative", 1, "Ada", "Brook")
		f.Question, f.Mode.Options = kind, []string{"A", "B"}
		f.BeginRound("")
		if text := f.UserMessage("ada"); !strings.Contains(text, `exactly "undecided"`) || strings.Contains(text, "neutral") {
			t.Errorf("%s: another word is asked for:\n%s", kind, text)
		}
		f.Say("ada", debatetest.Statement("So.", "So.", "undecided", 0.5))
		said := f.Current().Responses[0].Statement
		if said.Vote != "undecided" || len(said.Notes) > 0 {
			t.Errorf("undecided was read as %q with notes %q", said.Vote, said.Notes)
		}
	}
}

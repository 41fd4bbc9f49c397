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

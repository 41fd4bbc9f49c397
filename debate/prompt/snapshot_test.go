package prompt_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/prompt"
	"roundtable/internal/testing/debatetest"
	"roundtable/internal/testing/must"
)

var unexported = cmp.Exporter(func(reflect.Type) bool { return true })

func TestSnapshot_isRebuiltTheSameWhateverComesLater(t *testing.T) {
	f, _ := collaboration(t)
	before := must.Get(prompt.NewSnapshot(f.Session, 2))(t)
	built := debatetest.RenderPrompt(f.Prompt("brook"))
	f.Say("ada", "Added during the round.")
	f.Ask("ada", ledger.Question{Query: "How many servers?"})
	f.Answer(ledger.Submission{Request: "C4", Outcome: ledger.Answered, Content: "Six."})
	f.Answer(ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "Corrected.", Correct: true})
	late := f.History[0].Responses[2]
	late.Turn.Attempt, late.State = 2, debate.TurnDone
	late.Statement.Body = "Cy was run again, too late."
	f.History[0].Responses = append(slices.Clone(f.History[0].Responses), late)
	if got := debatetest.RenderPrompt(f.Prompt("brook")); got != built {
		t.Errorf("rows of the round have changed its prompt:\n%s", cmp.Diff(built, got))
	}
	f.EndRound()
	f.BeginRound("another focus")
	after := must.Get(prompt.NewSnapshot(f.Session, 2))(t)
	if diff := cmp.Diff(before, after, unexported); diff != "" {
		t.Errorf("the snapshot of round 2 (-then +now):\n%s", diff)
	}
	if after.Hash != f.History[1].Manifest.Hash() {
		t.Error("its hash is not that of the manifest")
	}
}

func TestSnapshot_refusesWhatItCannotRebuild(t *testing.T) {
	f, _ := collaboration(t)
	for _, round := range []int{0, -1, 3} {
		if _, err := prompt.NewSnapshot(f.Session, round); err == nil {
			t.Errorf("there is a snapshot of round %d", round)
		}
	}
	m := &f.History[1].Manifest
	facts := m.Facts
	m.Facts = append(slices.Clone(facts), debate.FactRef{ID: facts[0].ID, Revision: 9})
	_, err := prompt.NewSnapshot(f.Session, 2)
	if err == nil || !strings.Contains(err.Error(), facts[0].ID+" revision 9, which is not there") {
		t.Errorf("%v", err)
	}
	m.Facts, f.Requests = facts, f.Requests[:1]
	if _, err := prompt.NewSnapshot(f.Session, 2); err == nil || !strings.Contains(err.Error(), "C2 revision 1") {
		t.Errorf("without C2: %v", err)
	}
	if _, _, err := prompt.Chair(f.Session, f.Seats[0]); err == nil {
		t.Error("there is a report of it")
	}
}

func TestSnapshot_growsWithoutTouchingWhatItGrewFrom(t *testing.T) {
	f := debatetest.New(t, "adversarial", 2, "Ada", "Brook", "Cy")
	f.PlayRound("So.")
	f.BeginRound("")
	base := must.Get(prompt.NewSnapshot(f.Session, 2))(t)
	base = base.With([]debate.Response{f.Response("ada")})
	for grown := base; len(grown.Earlier) < 20; { // with and without room behind the slice
		x, y := f.Response("brook"), f.Response("cy")
		next := grown.With([]debate.Response{x})
		grown.With([]debate.Response{y})
		if got := next.Earlier[len(next.Earlier)-1].Turn.Agent; got != "brook" {
			t.Fatalf("of %d responses the last is of %s, which another snapshot has added", len(next.Earlier), got)
		}
		grown = next
	}
	hash := base.Hash
	saw := base.SeenResponses()
	failed := f.Response("cy")
	failed.State = debate.TurnFailed
	a := base.With([]debate.Response{f.Response("brook"), failed})
	if !slices.Equal(base.SeenResponses(), saw) {
		t.Errorf("saw %v, then %v", saw, base.SeenResponses())
	}
	if a.Hash != hash {
		t.Error("the hash of what the round started from has changed")
	}
	if want := []string{
		"r1.s0.ada.a1", "r1.s1.brook.a1", "r1.s2.cy.a1", "r2.s0.ada.a1",
		"r2.s1.brook.a1",
	}; !slices.Equal(a.SeenResponses(), want) {
		t.Errorf("saw %v, want %v", a.SeenResponses(), want)
	}
}

package prompt_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/prompt"
	"roundtable/debate/statement"
	"roundtable/internal/testing/debatetest"
	"roundtable/internal/testing/must"
)

var unexported = cmp.Exporter(func(reflect.Type) bool { return true })

// A round that rests on an answer that is gone has no prompt.
func TestSnapshot_needsTheAnswersOfItsRound(t *testing.T) {
	f, _ := collaboration(t)
	facts := f.History[1].Manifest.Facts
	f.History[1].Manifest.Facts = append(slices.Clone(facts), debate.FactRef{ID: facts[0].ID, Revision: 9})
	if _, err := prompt.NewSnapshot(f.Session, 2); err == nil || !strings.Contains(err.Error(), facts[0].ID+" revision 9, which is not there") {
		t.Errorf("%v", err)
	}
}

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
	f.Requests = f.Requests[:1]
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

func TestPrompt_isTheSameInWhateverOrderAnswersArrive(t *testing.T) { // I6
	names := []string{"Ada", "Brook", "Cy", "Dee", "Eli", "Fay", "Gus", "Hal"}
	random := rand.New(rand.NewPCG(1, 2))
	want := ""
	for range 10 {
		f := debatetest.New(t, "collaborative", 2, names...)
		f.BeginRound("")
		var arrived []debate.Response
		for _, p := range f.Seats {
			x := f.Response(p.ID)
			x.Statement = statement.Parse(debatetest.Statement("I am "+p.Name+".", p.Name+" holds it.", "yes", 0.5))
			if p.ID == "cy" || p.ID == "fay" {
				x.State = debate.TurnFailed
			}
			arrived = append(arrived, x)
			if p.ID == "fay" {
				x.State, x.Turn.Attempt = debate.TurnDone, 2
				arrived = append(arrived, x)
			}
		}
		random.Shuffle(len(arrived), func(i, j int) { arrived[i], arrived[j] = arrived[j], arrived[i] })
		for _, x := range arrived {
			f.Session = f.Session.WithResponse(x)
		}
		f.EndRound()
		f.BeginRound("")
		got := ""
		for _, p := range f.Seats {
			got += debatetest.RenderPrompt(f.Prompt(p.ID))
		}
		if want == "" {
			want = got
		}
		if got != want {
			t.Fatalf("the prompts depend on the order:\n%s", cmp.Diff(want, got))
		}
	}
	if n := strings.Count(want, "I am Cy."); n != 0 {
		t.Errorf("the text of a failed turn is in %d prompts", n)
	}
	if a, b := strings.Index(want, "I am Eli."), strings.Index(want, "I am Fay."); a < 0 || b < a {
		t.Error("the statements are not by seat")
	}
}

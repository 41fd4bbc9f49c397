package engine_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/engine"
	"roundtable/debate/ledger"
	"roundtable/debate/prompt"
)

func TestStatus_isComputedFromWhatThereIs(t *testing.T) { // R18
	for _, c := range []struct {
		name string
		do   func(f *forum)
		want debate.Status
		next int
	}{
		{"no round", func(*forum) {}, debate.Drafted, 1},
		{"a round under way", func(f *forum) { f.begin("") }, debate.Interrupted, 0},
		{"a round under way with a question", func(f *forum) { f.begin(""); f.ask("ada", ledger.Question{Query: "Why?"}) }, debate.Interrupted, 0},
		{"a round has ended", func(f *forum) { f.round("So.") }, debate.Ready, 2},
		{"a required question is open", func(f *forum) { f.round("So."); f.ask("ada", ledger.Question{Query: "Why?"}) }, debate.NeedsContext, 2},
		{"an optional question is open", func(f *forum) {
			f.round("So.")
			f.ask("ada", ledger.Question{Query: "Why?", Priority: ledger.Optional})
		}, debate.Ready, 2},
		{"the question is answered", func(f *forum) {
			f.round("So.")
			f.ask("ada", ledger.Question{Query: "Why?"})
			f.answer(ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "Because."})
		}, debate.Ready, 2},
		{"the last round has ended", func(f *forum) { f.round("So."); f.round("So.") }, debate.Ready, 0},
		{"a required question is open after the last round", func(f *forum) {
			f.round("So.")
			f.round("So.")
			f.ask("ada", ledger.Question{Query: "Why?"})
		}, debate.Ready, 0},
		{"a verdict", func(f *forum) { f.round("So."); f.round("So."); f.Verdict = &debate.Verdict{} }, debate.Complete, 0},
		{"rounds added, and the old question counts again", func(f *forum) {
			f.round("So.")
			f.round("So.")
			f.ask("ada", ledger.Question{Query: "Why?"})
			f.Rounds = 3
		}, debate.NeedsContext, 3},
		{"stopped at the gate, no verdict yet", func(f *forum) {
			f.round("So.")
			f.ask("ada", ledger.Question{Query: "Why?"})
			f.Stopped = debate.StoppedByUser
		}, debate.Ready, 0},
		{"stopped amid a round", func(f *forum) { f.begin(""); f.Stopped = debate.StoppedByBudget }, debate.Interrupted, 0},
		{"stopped, with a verdict", func(f *forum) {
			f.round("So.")
			f.Stopped, f.Verdict = debate.StoppedByBudget, &debate.Verdict{}
		}, debate.Stopped, 0},
	} {
		f := newForum(t, "collaborative", 2, "Ada", "Brook")
		c.do(f)
		if got := f.Status(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if got := f.Next(); got != c.next {
			t.Errorf("%s: the next round is %d, want %d", c.name, got, c.next)
		}
	}
}

func TestBegin_refusesWhileRequiredQuestionsAreOpen(t *testing.T) { // R1, R2
	f := newForum(t, "collaborative", 2, "Ada", "Brook", "Cy")
	f.begin("")
	f.ask("ada", ledger.Question{Query: "How many?"})
	f.ask("brook", ledger.Question{Query: "how many"})
	f.ask("cy", ledger.Question{Query: "Is there a date?", Priority: ledger.Optional})
	f.ask("cy", ledger.Question{Query: "Who decides?"})
	f.ask("cy", ledger.Question{Query: "Answered."})
	f.end()
	f.answer(ledger.Submission{Request: "C4", Outcome: ledger.Answered, Content: "Yes."})
	_, release, err := f.Begin("")
	var blocked *debate.BlockedError
	if !errors.As(err, &blocked) || len(blocked.Requests) != 2 || blocked.Session != "k7m2" || blocked.Round != 2 {
		t.Fatalf("err = %#v, want a BlockedError with two requests", err)
	}
	if release != nil {
		t.Errorf("it releases %+v all the same", release)
	}
	for _, want := range []string{"round 2", "[C1]", "ada, brook", "How many?", "[C3]", "cy", "Who decides?"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the refusal does not name %s:\n%v", want, err)
		}
	}
	for _, no := range []string{"C2", "C4"} {
		if strings.Contains(err.Error(), no) {
			t.Errorf("the refusal names %s, which does not block:\n%v", no, err)
		}
	}
	if diff := cmp.Diff(blocked.Requests, f.Unanswered()); diff != "" {
		t.Errorf("the refusal and the gate differ:\n%s", diff)
	}
}

func TestBegin_refusesWhereNoRoundIsNext(t *testing.T) {
	under := newForum(t, "collaborative", 2, "Ada", "Brook")
	under.begin("")
	last := newForum(t, "collaborative", 1, "Ada", "Brook")
	last.round("So.")
	stopped := newForum(t, "collaborative", 2, "Ada", "Brook")
	stopped.Stopped = debate.StoppedByUser
	for name, f := range map[string]*forum{"a round is under way": under, "none is left": last, "the debate was stopped": stopped} {
		if _, _, err := f.Begin(""); !errors.Is(err, debate.ErrNotReady) {
			t.Errorf("%s: err = %v, want ErrNotReady", name, err)
		}
	}
}

func TestBegin_namesAllThatTheRoundStartsFrom(t *testing.T) {
	f := newForum(t, "collaborative", 3, "Ada", "Brook")
	f.begin("")
	f.ask("ada", ledger.Question{Query: "How many?"})
	f.say("ada", "So.")
	f.fail("brook")
	again := f.turn("brook")
	again.Turn.Attempt = 2
	f.Current().Responses = append(f.Current().Responses, again)
	f.end()
	f.answer(ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "10"})
	f.answer(ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "12"})
	m, release, err := f.Begin("What of the cost?")
	if err != nil {
		t.Fatal(err)
	}
	want := debate.Manifest{
		Session: "k7m2", Round: 2, Rounds: 3, Seats: []agents.ID{"ada", "brook"}, Responses: []string{"r1.s0.ada.a1", "r1.s0.brook.a2"},
		Facts: []debate.FactRef{{ID: "C1", Revision: 2}}, Focus: "What of the cost?", Config: "cfg",
	}
	if diff := cmp.Diff(want, m); diff != "" {
		t.Errorf("manifest (-want +got):\n%s", diff)
	}
	if len(release) != 1 || release[0].Type != ledger.EventRelease || release[0].Payload.Revision != 2 || release[0].Payload.Round != 2 {
		t.Errorf("release = %+v", release)
	}
	if s := f.request("C1").State; s != ledger.Resolved {
		t.Errorf("beginning has changed the session: C1 is %s", s)
	}
}

func (f *forum) request(id string) ledger.Request {
	r, ok := f.Request(id)
	if !ok {
		f.Fatalf("there is no %s", id)
	}
	return r
}

func TestManifest_hashIsStableAndTellsEveryDifference(t *testing.T) {
	m := debate.Manifest{Session: "s", Round: 2, Rounds: 3, Seats: []agents.ID{"ada", "brook"}, Responses: []string{"r1.s0.ada.a1"}, Facts: []debate.FactRef{{ID: "C1", Revision: 1}}, Focus: "f", Config: "c"}
	// Sessions keep this hash: what is hashed must never change its form.
	const want = "bd4fba1210e98e54fe74b1a3662c511e00a53e5af4e7690bea84589ed9b9f731"
	if got := m.Hash(); got != want {
		t.Errorf("Hash() = %s, want %s", got, want)
	}
	seen := map[string]bool{want: true}
	for i, change := range []func(m *debate.Manifest){
		func(m *debate.Manifest) { m.Session = "t" },
		func(m *debate.Manifest) { m.Round = 3 },
		func(m *debate.Manifest) { m.Rounds = 4 },
		func(m *debate.Manifest) { m.Seats = []agents.ID{"brook", "ada"} },
		func(m *debate.Manifest) { m.Responses = []string{"r1.s0.ada.a2"} },
		func(m *debate.Manifest) { m.Facts = []debate.FactRef{{ID: "C1", Revision: 2}} },
		func(m *debate.Manifest) { m.Focus = "" },
		func(m *debate.Manifest) { m.Config = "d" },
	} {
		other := m
		change(&other)
		if h := other.Hash(); seen[h] {
			t.Errorf("change %d is not told by the hash", i)
		} else {
			seen[h] = true
		}
	}
}

var inside = cmp.AllowUnexported(prompt.Snapshot{})

func TestSnapshot_isRebuiltTheSameWhateverComesLater(t *testing.T) {
	_, f, _ := collaboration(t)
	before, err := prompt.NewSnapshot(f.Session, 2)
	if err != nil {
		t.Fatal(err)
	}
	built := page(f.prompt("brook"))
	f.say("ada", "Added during the round.")
	f.ask("ada", ledger.Question{Query: "How many servers?"})
	f.answer(ledger.Submission{Request: "C4", Outcome: ledger.Answered, Content: "Six."})
	f.answer(ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "Corrected.", Correct: true})
	late := f.History[0].Responses[2]
	late.Turn.Attempt, late.State = 2, debate.TurnDone
	late.Statement.Body = "Cy was run again, too late."
	f.History[0].Responses = append(slices.Clone(f.History[0].Responses), late)
	if got := page(f.prompt("brook")); got != built {
		t.Errorf("rows of the round have changed its prompt:\n%s", cmp.Diff(built, got))
	}
	f.end()
	f.begin("another focus")
	after, err := prompt.NewSnapshot(f.Session, 2)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, after, inside); diff != "" {
		t.Errorf("the snapshot of round 2 (-then +now):\n%s", diff)
	}
	if after.Hash != f.History[1].Manifest.Hash() {
		t.Error("its hash is not that of the manifest")
	}
}

func TestSnapshot_refusesWhatItCannotRebuild(t *testing.T) {
	_, f, _ := collaboration(t)
	for _, round := range []int{0, -1, 3} {
		if _, err := prompt.NewSnapshot(f.Session, round); err == nil {
			t.Errorf("there is a snapshot of round %d", round)
		}
	}
	f.Requests = f.Requests[:1]
	if _, err := prompt.NewSnapshot(f.Session, 2); err == nil || !strings.Contains(err.Error(), "C2 revision 1") {
		t.Errorf("without C2: %v", err)
	}
}

func TestSnapshot_growsWithoutTouchingWhatItGrewFrom(t *testing.T) {
	f := newForum(t, "adversarial", 2, "Ada", "Brook", "Cy")
	f.round("So.")
	f.begin("")
	base, err := prompt.NewSnapshot(f.Session, 2)
	if err != nil {
		t.Fatal(err)
	}
	base = base.With([]debate.Response{f.turn("ada")})
	for grown := base; len(grown.Earlier) < 20; { // with and without room behind the slice
		x, y := f.turn("brook"), f.turn("cy")
		next := grown.With([]debate.Response{x})
		grown.With([]debate.Response{y})
		if got := next.Earlier[len(next.Earlier)-1].Turn.Agent; got != "brook" {
			t.Fatalf("of %d responses the last is of %s, which another snapshot has added", len(next.Earlier), got)
		}
		grown = next
	}
	hash := base.Hash
	saw := base.Saw()
	failed := f.turn("cy")
	failed.State = debate.TurnFailed
	a := base.With([]debate.Response{f.turn("brook"), failed})
	if !slices.Equal(base.Saw(), saw) {
		t.Errorf("saw %v, then %v", saw, base.Saw())
	}
	if a.Hash != hash {
		t.Error("the hash of what the round started from has changed")
	}
	if want := []string{"r1.s0.ada.a1", "r1.s1.brook.a1", "r1.s2.cy.a1", "r2.s0.ada.a1", "r2.s1.brook.a1"}; !slices.Equal(a.Saw(), want) {
		t.Errorf("saw %v, want %v", a.Saw(), want)
	}
}

func TestPrompt_isTheSameInWhateverOrderAnswersArrive(t *testing.T) { // I6
	names := []string{"Ada", "Brook", "Cy", "Dee", "Eli", "Fay", "Gus", "Hal"}
	random := rand.New(rand.NewPCG(1, 2))
	want := ""
	for range 50 {
		f := newForum(t, "collaborative", 2, names...)
		f.begin("")
		var arrived []debate.Response
		for _, p := range f.Seats {
			x := f.turn(p.ID)
			x.Statement = debate.ParseStatement(structured("I am "+p.Name+".", p.Name+" holds it.", "yes", 0.5))
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
			f.Session = engine.WithResponse(f.Session, x)
		}
		f.end()
		f.begin("")
		got := ""
		for _, p := range f.Seats {
			got += page(f.prompt(p.ID))
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

func TestWithResponse_replacesTheSameAttemptAndLeavesTheOldSessionAlone(t *testing.T) {
	f := newForum(t, "collaborative", 2, "Ada", "Brook")
	f.begin("")
	running := f.turn("ada")
	running.State = debate.TurnRunning
	one := engine.WithResponse(f.Session, running)
	two := engine.WithResponse(one, f.turn("ada"))
	if n := len(f.History[0].Responses); n != 0 {
		t.Errorf("the session it started from has %d responses", n)
	}
	if one.History[0].Responses[0].State != debate.TurnRunning {
		t.Error("an older copy has changed")
	}
	if got := two.History[0].Responses; len(got) != 1 || got[0].State != debate.TurnDone {
		t.Errorf("responses = %+v", got)
	}
}

func TestWithRequest_keepsTheNewestCopyInTheOrderOfNumbers(t *testing.T) {
	var s debate.Session
	for _, id := range []string{"C2", "C10", "C1", "C9"} {
		s = s.WithRequest(ledger.Request{ID: id, Seq: 5, Query: "first"})
	}
	before := s
	s = s.WithRequest(ledger.Request{ID: "C2", Seq: 4, Query: "older"})
	s = s.WithRequest(ledger.Request{ID: "C9", Seq: 6, Query: "newer"})
	var got []string
	for _, r := range s.Requests {
		got = append(got, r.ID+" "+r.Query)
	}
	if want := []string{"C1 first", "C2 first", "C9 newer", "C10 first"}; !slices.Equal(got, want) {
		t.Errorf("requests = %v, want %v", got, want)
	}
	if r, _ := before.Request("C9"); r.Query != "first" {
		t.Error("the session it started from has changed")
	}
}

func TestLatest_isTheNewestAttemptOfEveryTurn(t *testing.T) {
	f := newForum(t, "adversarial", 2, "Ada", "Brook")
	f.begin("")
	f.say("ada", "So.")
	for _, attempt := range []int{1, 2, 3} {
		x := f.turn("brook")
		x.Turn.Attempt = attempt
		f.Current().Responses = append(f.Current().Responses, x)
	}
	var got []string
	for _, x := range f.Current().Latest() {
		got = append(got, x.ID())
	}
	if want := []string{"r1.s0.ada.a1", "r1.s1.brook.a3"}; !slices.Equal(got, want) {
		t.Errorf("latest = %v, want %v", got, want)
	}
}

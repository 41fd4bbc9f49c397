package store_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/ledger"
	"roundtable/internal/testing/must"
	"roundtable/store"
)

// history is a session of three rounds. C1 was asked in round 1 and released for
// round 2, corrected for round 3; C2 was asked in round 1 and is still open; C3
// and C4 were asked in round 2, and C4 alone was released, for round 3.
func history(t *testing.T, s *store.Store) debate.Session {
	t.Helper()
	in := panel()
	in.Rounds = 3
	d := must.Get(s.Create(t.Context(), in))(t)
	id := d.ID
	play := func(round int, ask func()) {
		beginRound(t, s, id, round)
		ask()
		for _, who := range []agents.ID{"ada", "brook"} {
			speak(t, s, seat(id, round, who), "Round's statement of "+string(who))
		}
		must.Do(t, s.Note(t.Context(), id, debate.Notice{Code: "n", Text: "Of a round.", Round: round}))
		d = must.Get(s.EndRound(t.Context(), id, round, nil, debate.NotStopped))(t)
	}
	asks := func(round int, who agents.ID, call int, query string, p ledger.Priority) func() {
		turn := seat(id, round, who)
		return func() { ask(t, s, turn, turn.ToolCall(call), query, p) }
	}
	play(1, func() { asks(1, "ada", 1, "One?", ledger.Required)(); asks(1, "cy", 1, "Two?", ledger.Optional)() })
	answer(t, s, id, "C1", "one")
	play(2, func() {
		asks(2, "ada", 1, "Three?", ledger.Optional)()
		asks(2, "brook", 1, "Four?", ledger.Required)()
	})
	answer(t, s, id, "C4", "four")
	correct(t, s, id, "C1", "one, corrected")
	play(3, func() {})
	return d
}

func states(d debate.Session) map[string]ledger.State {
	out := map[string]ledger.State{}
	for _, r := range d.Requests {
		out[r.ID] = r.State
	}
	return out
}

func TestFork_copiesTheRoundsAndWhatWasReleasedByThen(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	parent := history(t, s)
	before := get(t, s, parent.ID)
	f := must.Get(s.Fork(t.Context(), parent.ID[:5], debate.ForkPlan{Round: 2}))(t)
	if f.ID == parent.ID || f.Nonce == parent.Nonce || f.ForkedFrom != parent.ID || f.ForkRound != 2 || f.Topic != parent.Topic {
		t.Errorf("%+v", f)
	}
	if len(f.History) != 2 || f.Status() != debate.NeedsContext || f.Next() != 3 {
		t.Errorf("%d rounds, %s, next %d", len(f.History), f.Status(), f.Next())
	}
	moved := before.History[:2]
	for i := range moved {
		for k := range moved[i].Responses {
			moved[i].Responses[k].Turn.Session, moved[i].Responses[k].Inherited = f.ID, true
		}
	}
	if diff := cmp.Diff(moved, f.History); diff != "" {
		t.Error(diff)
	}
	spent, took := budget.TotalSpending(f), budget.InheritedSpending(f)
	if spent.Calls != 0 || spent.Usage.Total() != 0 || took.Calls != 4 || took.Usage.Total() == 0 {
		t.Errorf("the fork spent %+v and inherited %+v", spent, took)
	}
	want := map[string]ledger.State{"C1": ledger.Released, "C2": ledger.Pending, "C3": ledger.Pending, "C4": ledger.Pending}
	if diff := cmp.Diff(want, states(f)); diff != "" {
		t.Error(diff)
	}
	if r, _ := f.Request("C1"); len(r.Answers) != 1 || r.Answers[0].Content != "one" || r.Asks[0].Turn != seat(f.ID, 1, "ada") {
		t.Errorf("%+v", r)
	}
	if len(f.Unanswered()) != 1 || len(f.Notices) != 2 {
		t.Errorf("%d are left, %d notices", len(f.Unanswered()), len(f.Notices))
	}
	if diff := cmp.Diff(before.Requests, get(t, s, parent.ID).Requests); diff != "" {
		t.Errorf("the parent changed: %s", diff)
	}
	if _, _, err := s.Prompt(t.Context(), f.ID, seat(f.ID, 1, "ada"), 1); err != nil {
		t.Error(err)
	}
	if found, err := s.Matches(t.Context(), store.Query{Text: "statement of brook"}); err != nil || len(found) != 2 {
		t.Errorf("%v, %v", found, err)
	}
	ask(t, s, seat(f.ID, 2, "cy"), "later", "Five?", ledger.Optional)
	if got := get(t, s, f.ID).Requests; got[len(got)-1].ID != "C5" {
		t.Errorf("the next request is %s", got[len(got)-1].ID)
	}
}

func TestFork_startingOverKeepsThePanelOnly(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	parent := history(t, s)
	f := must.Get(s.Fork(t.Context(), parent.ID, debate.ForkPlan{Round: 0}))(t)
	want := panel()
	want.ID, want.Nonce, want.Created, want.Updated, want.Rounds, want.ForkedFrom = f.ID, f.Nonce, f.Created, f.Updated, 3, parent.ID
	want.Parent = &debate.Parent{Name: parent.Name()}
	if diff := cmp.Diff(want, f); diff != "" {
		t.Error(diff)
	}
	a := ask(t, s, seat(f.ID, 1, "ada"), "c", "One?", ledger.Required)
	if a.Reply.Status != ledger.StatusQueued || a.Request.ID != "C1" {
		t.Errorf("the old answer is known: %+v", a.Reply)
	}
}

func TestFork_takesTickedFactsUnderTheirNumbers(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	parent := history(t, s)
	for _, round := range []int{0, 1} {
		f := must.Get(s.Fork(t.Context(), parent.ID, debate.ForkPlan{Round: round, Facts: []string{"C4", "C1"}}))(t)
		for id, content := range map[string]string{"C1": "one, corrected", "C4": "four"} {
			r, _ := f.Request(id)
			if n := len(r.Delivered); n == 0 || r.Delivered[n-1].Round != round+1 || r.State != ledger.Released {
				t.Fatalf("%s of a fork at %d: %+v", id, round, r)
			}
			if a, _ := r.Revision(r.Delivered[len(r.Delivered)-1].Revision); a.Content != content {
				t.Errorf("%s is %q", id, a.Content)
			}
		}
		if len(f.Unanswered()) != 0 {
			t.Errorf("%v block", f.Unanswered())
		}
		next := must.Get(s.BeginRound(t.Context(), f.ID, round+1))(t)
		want := []debate.FactRef{{ID: "C1", Revision: 2}, {ID: "C4", Revision: 1}}
		if diff := cmp.Diff(want, next.History[round].Manifest.Facts); diff != "" {
			t.Error(diff)
		}
		known := ask(t, s, seat(f.ID, round+1, "ada"), "k", "Four?", ledger.Required)
		if known.Reply.Status != ledger.StatusAnswered || known.Reply.RequestID != "C4" {
			t.Errorf("%+v", known.Reply)
		}
		own := seat(f.ID, round+1, "brook")
		fresh := ask(t, s, own, own.ToolCall(1), "Three?", ledger.Optional)
		if fresh.Reply.Status != ledger.StatusQueued || fresh.Request.ID != "C5" {
			t.Errorf("%+v", fresh.Reply)
		}
	}
}

func TestFork_refusesWhatIsNotThere(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	parent := history(t, s)
	must.Get(s.AddRounds(t.Context(), parent.ID, 1))(t)
	beginRound(t, s, parent.ID, 4)
	for _, c := range []struct {
		round int
		facts []string
		says  string
	}{
		{-1, nil, "no finished round -1; the last one is 3"},
		{5, nil, "no finished round 5"},
		{4, nil, "no finished round 4"},
		{1, []string{"C3"}, "C3 cannot be copied"},
		{1, []string{"C9"}, "C9 cannot be copied"},
	} {
		_, err := s.Fork(t.Context(), parent.ID, debate.ForkPlan{Round: c.round, Facts: c.facts})
		if !errors.Is(err, debate.ErrNotReady) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("round %d, facts %v: %v", c.round, c.facts, err)
		}
	}
	if _, err := s.Fork(t.Context(), "zzzzzzzzzz", debate.ForkPlan{Round: 0}); !errors.Is(err, debate.ErrNoSession) {
		t.Error(err)
	}
	if all, err := s.Sessions(t.Context(), store.Query{}); err != nil || len(all) != 1 {
		t.Errorf("%d sessions, %v", len(all), err)
	}
}

// What a fork comes from is read as it is now: with its verdict, under its new name, or gone.
func TestFork_knowsWhatItComesFromNow(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	parent := history(t, s)
	f := must.Get(s.Fork(t.Context(), parent.ID, debate.ForkPlan{Round: 1}))(t)
	must.Get(s.SaveVerdict(t.Context(), parent.ID, debate.Verdict{}))(t)
	must.Do(t, s.Rename(t.Context(), parent.ID, "Move?"))
	if got := get(t, s, f.ID).ForkLine(""); got != "fork of “Move?”, after round 1: No, 3 of 3 → (no verdict)" {
		t.Error(got)
	}
	must.Do(t, s.Delete(t.Context(), parent.ID))
	if got := get(t, s, f.ID).ForkLine(""); got != "fork of a debate that is gone, after round 1" {
		t.Error(got)
	}
}

func modelIn(d debate.Session, seat agents.ID, round int) string {
	return d.SpeakerOf(debate.ForMember, agents.Turn{Agent: seat, Round: round}).Model
}

func TestChangeSeat_keepsTheModelsOfEarlierRounds(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "r.db")
	s := openAt(t, path)
	id := create(t, s).ID
	playRound(t, s, id, 1)
	old, _ := get(t, s, id).Seat("ada")
	free := new(float64)
	next := agents.Profile{ID: "other", Name: "Other", Provider: "q", Model: "gpt-x", PriceIn: free, PriceOut: free}
	for _, model := range []agents.Profile{next, old, next} { // taken back, and changed again
		must.Get(s.ChangeSeat(t.Context(), id, "ada", model))(t)
	}
	if _, err := s.ChangeSeat(t.Context(), id, "ada", next); !errors.Is(err, debate.ErrNotReady) {
		t.Errorf("the same model again: %v", err)
	}
	if _, err := s.ChangeSeat(t.Context(), id, "zed", next); !errors.Is(err, debate.ErrNotReady) {
		t.Errorf("no such seat: %v", err)
	}
	must.Do(t, s.Close())
	s = openAt(t, path) // as after a crash: nothing is only in memory
	d := get(t, s, id)
	now, _ := d.Seat("ada")
	coming, _ := d.Upcoming().Seat("ada")
	if now.Model != old.Model || coming.Model != "gpt-x" || coming.Name != old.Name || coming.Persona != old.Persona ||
		len(d.SeatChanges) != 3 {
		t.Errorf("now %+v, coming %+v, %d changes", now, coming, len(d.SeatChanges))
	}
	if got := d.ModelChanges(); len(got) != 1 || got[0].String() != "Ada: gpt-x from round 2 (before "+old.Model+")" {
		t.Errorf("changes = %v", got)
	}
	playRound(t, s, id, 2)
	d = get(t, s, id)
	if modelIn(d, "ada", 1) != old.Model || modelIn(d, "ada", 2) != "gpt-x" || modelIn(d, "ada", 3) != "gpt-x" {
		t.Errorf("models by round: %s, %s, %s", modelIn(d, "ada", 1), modelIn(d, "ada", 2), modelIn(d, "ada", 3))
	}
	list := must.Get(s.Sessions(t.Context(), store.Query{}))(t)
	if list[0].Seats[0].Model != "gpt-x" {
		t.Errorf("the list has %+v", list[0].Seats)
	}
}

func TestChangeSeat_goesAlongWithAFork(t *testing.T) {
	t.Parallel()
	s, id := newDebate(t)
	must.Get(s.SetBudget(t.Context(), id, debate.Budget{}))(t)
	playRound(t, s, id, 1)
	old, _ := get(t, s, id).Seat("ada")
	must.Get(s.ChangeSeat(t.Context(), id, "ada", agents.Profile{Provider: "q", Model: "gpt-x", Included: true}))(t)
	playRound(t, s, id, 2)
	brook := agents.Profile{ID: "brook", Name: "Brook", Provider: "q", Model: "gpt-z", Included: true}
	for _, c := range []struct {
		round         int
		ada, adaNext  string
		models        []agents.Profile
		brookNext     string
		wantedChanges int
	}{
		{round: 0, ada: "gpt-x", adaNext: "gpt-x"},
		{round: 1, ada: old.Model, adaNext: "gpt-x", wantedChanges: 1},
		{round: 2, ada: old.Model, adaNext: "gpt-x", wantedChanges: 1},
		{round: 2, ada: old.Model, adaNext: "gpt-x", models: []agents.Profile{brook}, brookNext: "gpt-z", wantedChanges: 2},
	} {
		fork := must.Get(s.Fork(t.Context(), id, debate.ForkPlan{Round: c.round, Models: c.models}))(t)
		fork = get(t, s, fork.ID)
		if got, next := modelIn(fork, "ada", 1), modelIn(fork, "ada", c.round+1); got != c.ada || next != c.adaNext {
			t.Errorf("after round %d: %s in round 1, then %s", c.round, got, next)
		}
		if next := modelIn(fork, "brook", c.round+1); c.models != nil && next != c.brookNext {
			t.Errorf("after round %d Brook has %s", c.round, next)
		}
		if len(fork.ModelChanges()) != c.wantedChanges {
			t.Errorf("after round %d: %v", c.round, fork.ModelChanges())
		}
	}
}

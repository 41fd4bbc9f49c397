package store_test

import (
	"errors"
	"path/filepath"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/testing/must"
	"roundtable/store"
)

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

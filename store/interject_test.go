package store_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/prompt"
	"roundtable/internal/testing/must"
)

func TestInterject_isKeptAndStandsInTheManifestUntilItHasArrived(t *testing.T) {
	t.Parallel()
	s, id := newDebate(t)
	toAda := must.Get(s.Interject(t.Context(), id, debate.Interjection{Agent: "ada", Text: "  Mind the cost.\n"}))(t)
	toAll := must.Get(s.Interject(t.Context(), id, debate.Interjection{Text: "Be brief.", Author: ledger.ByPerson("interface")}))(t)
	d := get(t, s, id)
	if diff := cmp.Diff([]debate.Interjection{toAda, toAll}, d.Interjections); diff != "" || toAda.N != 1 ||
		toAda.Text != "Mind the cost." || toAda.At.IsZero() || toAll.N != 2 || toAll.Author != ledger.ByPerson("interface") {
		t.Errorf("%+v, %+v, read back:\n%s", toAda, toAll, diff)
	}
	d = must.Get(s.BeginRound(t.Context(), id, 1))(t)
	want := []debate.InterjectionRef{{N: 1, Seats: d.History[0].Manifest.Seats[:1]}, {N: 2, Seats: d.History[0].Manifest.Seats}}
	if diff := cmp.Diff(want, d.History[0].Manifest.Interjections); diff != "" {
		t.Errorf("the manifest has:\n%s", diff)
	}
}

func TestInterject_refusesWhatReachesNobody(t *testing.T) {
	t.Parallel()
	s, id := newDebate(t)
	_, blank := s.Interject(t.Context(), id, debate.Interjection{Text: " \n "})
	_, long := s.Interject(t.Context(), id, debate.Interjection{Text: strings.Repeat("x", debate.MaxInterjection+1)})
	_, nobody := s.Interject(t.Context(), id, debate.Interjection{Agent: "zed", Text: "Hello."})
	_, nowhere := s.Interject(t.Context(), "zzzzzzzzzz", debate.Interjection{Text: "Hello."})
	for what, err := range map[string]error{"a blank one": blank, "a long one": long, "one to nobody": nobody} {
		if err == nil {
			t.Errorf("%s was taken", what)
		}
	}
	if !errors.Is(nowhere, debate.ErrNoSession) || len(get(t, s, id).Interjections) != 0 {
		t.Errorf("%v, %+v", nowhere, get(t, s, id).Interjections)
	}
}

func TestInterject_goesAlongWithAForkAsFarAsItsRoundsWereToldIt(t *testing.T) {
	t.Parallel()
	s, id := newDebate(t)
	must.Get(s.Interject(t.Context(), id, debate.Interjection{Text: "One."}))(t)
	playRound(t, s, id, 1)
	must.Get(s.Interject(t.Context(), id, debate.Interjection{Text: "Two."}))(t)
	playRound(t, s, id, 2)
	for round, want := range []int{0, 1, 2} {
		fork := must.Get(s.Fork(t.Context(), id, debate.ForkPlan{Round: round}))(t)
		if len(fork.Interjections) != want {
			t.Errorf("a fork at %d has %+v", round, fork.Interjections)
		}
		for n := 1; n <= round; n++ {
			if _, err := prompt.NewSnapshot(fork, n); err != nil {
				t.Errorf("round %d of a fork at %d: %v", n, round, err)
			}
		}
	}
}

package store_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/store"
)

// compareOutline expects the outline of a session to be the session with outlines of its
// ended responses, and each of these to be read whole.
func compareOutline(ctx context.Context, t rapid.TB, s *store.Store, id string) {
	t.Helper()
	whole, err := s.Session(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	outline, err := s.Outline(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	for r, round := range whole.History {
		for i, x := range round.Responses {
			read, err := s.Response(ctx, x.Turn)
			if diff := cmp.Diff(x, read); err != nil || diff != "" {
				t.Fatalf("%s: %v\n%s", x.ID(), err, diff)
			}
			if x.State != debate.TurnRunning {
				whole.History[r].Responses[i] = x.Outline()
			}
		}
	}
	if diff := cmp.Diff(whole, outline); diff != "" {
		t.Fatal(diff)
	}
}

func TestResponse_isThatOfASessionThatIsThere(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	id := create(t, s).ID
	playRound(t, s, id, 1)
	compareOutline(t.Context(), t, s, id)
	if _, err := s.Response(t.Context(), agents.Turn{Session: id, Round: 1, Attempt: 9, Agent: "ada"}); err == nil {
		t.Error("an attempt that was not made is read")
	}
	must(t, s.Delete(t.Context(), id))
	if _, err := s.Response(t.Context(), seat(id, 1, "ada")); !errors.Is(err, debate.ErrNoSession) {
		t.Errorf("of a deleted session: %v", err)
	}
}

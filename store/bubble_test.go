package store_test

import (
	"path/filepath"
	"testing"
	"testing/synctest"

	"roundtable/store"
)

// Whole programs are tested in a bubble of virtual time, with a real store.
func TestStore_livesInABubble(t *testing.T) {
	path := filepath.Join(t.TempDir(), "roundtable.db")
	synctest.Test(t, func(t *testing.T) {
		s, err := store.Open(t.Context(), path, store.Options{})
		must(t, err)
		id := create(t, s).ID
		l, err := s.Lock(t.Context(), id)
		must(t, err)
		playRound(t, s, id, 1)
		get(t, s, id)
		must(t, l.Unlock())
		must(t, s.Close())
	})
}

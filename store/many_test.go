package store_test

import (
	"testing"

	"roundtable/internal/testing/must"
	"roundtable/store"
)

// converted returns a database with sessions in all states.
func converted(t *testing.T) (path string) {
	t.Helper()
	path = before(t)
	s := must.Get(store.Open(t.Context(), path, store.Options{}))(t)
	must.Do(t, s.Close())
	return path
}

// A page of the list takes about the same work whether there are a hundred sessions or a
// thousand; the newest twenty of them are in other states.
func TestSessions_aPageOfManyTakesNoMoreWork(t *testing.T) {
	work := map[int]float64{}
	for _, n := range []int{100, 1000} {
		path := converted(t)
		must.Do(t, store.Multiply(t.Context(), path, n))
		s := openAt(t, path)
		work[n] = testing.AllocsPerRun(3, func() {
			found, err := s.Sessions(t.Context(), store.Query{Limit: 20})
			if err != nil || len(found) != 20 {
				t.Fatalf("%d sessions, %v", len(found), err)
			}
		})
	}
	if work[1000] > 4*work[100] {
		t.Errorf("allocations: %v", work)
	}
}

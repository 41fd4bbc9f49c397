package store_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"testing"

	"roundtable/store"
)

// manyDatabase makes a database with so many sessions, in all states, whose
// texts have the usual size but for those of the debate "adversarial".
func manyDatabase(tb testing.TB, sessions, large int) (path string) {
	tb.Helper()
	path = converted(tb)
	check(tb, store.Multiply(tb.Context(), path, sessions))
	check(tb, store.Enlarge(tb.Context(), path, "adversarial", "large", large))
	return path
}

func check(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// converted returns a database with sessions in all states.
func converted(tb testing.TB) (path string) {
	tb.Helper()
	path = before(tb)
	s, err := store.Open(tb.Context(), path, store.Options{})
	check(tb, err)
	check(tb, s.Close())
	return path
}

// A page of the list takes about the same work whether there are a hundred sessions or a
// thousand; the newest twenty of them are in other states.
func TestSessions_aPageOfManyTakesNoMoreWork(t *testing.T) {
	work := map[int]float64{}
	for _, n := range []int{100, 1000} {
		path := converted(t)
		must(t, store.Multiply(t.Context(), path, n))
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

// BenchmarkMany measures 10,000 sessions, of which one has 200 MB.
func BenchmarkMany(b *testing.B) {
	path := manyDatabase(b, 10_000, 8_000_000)
	info, err := os.Stat(path)
	check(b, err)
	b.Logf("%d MB", info.Size()/1e6)
	measured(b, "copy of the file", func() { copyFile(b, path, path+".copy") })
	s, err := store.Open(b.Context(), path, store.Options{})
	check(b, err)
	defer s.Close()
	for _, q := range []store.Query{{}, {Limit: 200}, {Text: "nowhere-in-it"}, {Text: "undone"}, {Text: "measurement guess"}, {Text: "undone", Limit: 50}} {
		name := fmt.Sprintf("%q limit %d", q.Text, q.Limit)
		measured(b, "debates "+name, func() {
			_, err := s.Sessions(b.Context(), q)
			check(b, err)
		})
		if q.Text != "" {
			measured(b, "matches "+name, func() {
				_, err := s.Matches(b.Context(), q)
				check(b, err)
			})
		}
	}
	large, err := s.Sessions(b.Context(), store.Query{Text: "measurement guess"})
	check(b, err)
	measured(b, "opening the largest", func() {
		_, err := s.Repair(b.Context(), large[0].ID)
		check(b, err)
	})
}

func measured(b *testing.B, name string, do func()) {
	b.Run(name, func(b *testing.B) {
		for b.Loop() {
			do()
		}
	})
}

// copyFile copies a file and waits until the copy is on the disk.
func copyFile(tb testing.TB, from, to string) {
	tb.Helper()
	in, err := os.Open(from)
	check(tb, err)
	out, err := os.Create(to)
	check(tb, err)
	_, err = io.Copy(out, in)
	check(tb, errors.Join(err, out.Sync(), out.Close(), in.Close()))
}

//go:build cgo && linux

package world_test

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	_ "roundtable/internal/e2e/ramdisk"
	"roundtable/internal/testing/must"
)

// The worlds that a test plays.
var (
	worlds   = flag.Int("worlds", 20, "how many worlds TestWorlds plays")
	fromSeed = flag.Uint64("from", 1, "the first seed")
	toSeed   = flag.Uint64("to", 0, "the last seed; 0: as many as -worlds says")
	oneSeed  = flag.Uint64("seed", 0, "the only seed; 0: a range")
	shrinks  = flag.Int("shrinks", 60, "how many plays shrink a world that failed")
	name     = flag.Bool("name", false, "name each world when it begins, also if a panic ends all")
	slow     = flag.Duration("slow", 0, "name worlds that take longer")
	show     = flag.Bool("show", false, "print the events of every world, also of a failed one as it was shrunk")
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // much is made and dropped, and little is kept
	os.Exit(m.Run())
}

// Whole worlds, with everything going wrong at once. A failing seed is the report.
func TestWorlds(t *testing.T) {
	first, last := *fromSeed, *toSeed
	if last == 0 {
		last = first + uint64(*worlds) - 1
	}
	if *oneSeed > 0 {
		first, last = *oneSeed, *oneSeed
	}
	var next atomic.Uint64
	next.Store(first)
	var failed atomic.Bool
	for n := range runtime.GOMAXPROCS(0) {
		t.Run(fmt.Sprintf("worker %d", n+1), func(t *testing.T) {
			t.Parallel()
			for !failed.Load() {
				seed := next.Add(1) - 1
				if seed > last {
					return
				}
				if !playSeed(t, seed) {
					failed.Store(true)
				}
			}
		})
	}
}

// playSeed plays the world of a seed, every 20th twice, and reports whether all held.
func playSeed(t *testing.T, seed uint64) bool {
	begun := time.Now()
	if *name {
		fmt.Printf("seed %d begins\n", seed)
	}
	w, b := inBubble(t, seed, seeded(seed))
	if took := time.Since(begun); *slow > 0 && took > *slow {
		t.Logf("seed %d took %s, %d steps, %d boots", seed, took, w.step, w.boots)
	}
	if *show {
		for _, e := range w.events {
			t.Log(e)
		}
	}
	if b != nil {
		t.Error(explain(t, w, b))
		return false
	}
	if seed%20 != 0 {
		return true
	}
	again, _ := inBubble(t, seed, seeded(seed))
	if diff := cmp.Diff(w.sorted(), again.sorted()); diff != "" {
		t.Errorf("seed %d goes two ways (-first +second):\n%s", seed, diff)
		return false
	}
	return true
}

// inBubble plays a world in a bubble of virtual time.
func inBubble(t *testing.T, seed uint64, c *choices) (w *world, b *broken) {
	dir := must.Get(os.MkdirTemp(t.TempDir(), "w"))(t)
	defer os.RemoveAll(dir)
	synctest.Test(t, func(*testing.T) {
		w = newWorld(seed, c, dir)
		b = w.play()
	})
	return w, b
}

// explain describes a failure, shrunk to what it takes.
func explain(t *testing.T, w *world, b *broken) string {
	smallest := w
	var mu sync.Mutex
	shrink(slices.Clone(w.made), *shrinks, func(made []uint32) bool {
		again, other := inBubble(t, w.seed, repeated(made))
		mu.Lock()
		defer mu.Unlock()
		if other == nil || other.rule != b.rule {
			return false
		}
		if len(again.script) <= len(smallest.script) {
			smallest, b = again, other
		}
		return true
	})
	if *show {
		t.Log("shrunk:\n" + strings.Join(smallest.events, "\n"))
	}
	return fmt.Sprintf("seed %d: %v\n%s\nplay it again: go test ./internal/e2e/world -run TestWorlds -seed %d", w.seed, b, smallest.report(), w.seed)
}

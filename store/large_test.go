package store_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/store"
)

// largeShape is how 63 MB of answers, which make a database of 255 MB, are divided.
type largeShape struct{ rounds, answer int }

var (
	manyAnswers = largeShape{20, 394_000}
	fewAnswers  = largeShape{2, 3_940_000}
)

var largePanel = []agents.ID{"a", "b", "c", "d", "e", "f", "g", "h"}

// largeDatabase makes a database with one large session.
func largeDatabase(tb testing.TB, shape largeShape) (path, session string) {
	tb.Helper()
	path = filepath.Join(tb.TempDir(), "roundtable.db")
	s, err := store.Open(tb.Context(), path, store.Options{})
	check(tb, err)
	d := panel()
	d.Rounds, d.Seats = shape.rounds, nil
	for _, id := range largePanel {
		d.Seats = append(d.Seats, agents.Profile{ID: id, Name: strings.ToUpper(string(id)), Provider: "openai", Model: "m"})
	}
	d, err = s.Create(tb.Context(), d)
	check(tb, err)
	random := rand.New(rand.NewPCG(1, 2))
	for round := 1; round <= shape.rounds; round++ {
		_, err := s.BeginRound(tb.Context(), d.ID, round)
		check(tb, err)
		for _, id := range largePanel {
			largeTurn(tb, s, seat(d.ID, round, id), shape.answer, random)
		}
		_, err = s.EndRound(tb.Context(), d.ID, round, nil, debate.NotStopped)
		check(tb, err)
	}
	check(tb, s.Close())
	return path, d.ID
}

// largeTurn plays a turn with a large answer.
func largeTurn(tb testing.TB, s *store.Store, turn agents.Turn, size int, random *rand.Rand) {
	tb.Helper()
	var b strings.Builder
	for b.Len() < size {
		fmt.Fprintf(&b, "Claim %d: a figure without a \"measurement\" is a guess, and nobody pays for %d of them.\n", random.IntN(1e6), random.IntN(100))
	}
	body := strings.TrimSpace(b.String())
	text := body + "\n\n```json\n{\"vote\":\"yes\",\"confidence\":0.5}\n```"
	check(tb, s.BeginTurn(tb.Context(), debate.TurnStart{
		Response: debate.Response{Turn: turn, SnapshotHash: "h"}, Purpose: debate.ForMember,
	}))
	check(tb, s.BeginCall(tb.Context(), turn, debate.ForMember, 1, agents.Request{Model: "m", Messages: []agents.Message{{
		Role: agents.User, Text: "What do you hold in round " + fmt.Sprint(turn.Round) + "?",
	}}}))
	final := agents.Completion{Text: text, Finish: agents.FinishStop, Usage: agents.Usage{Input: 10, Output: 5}}
	_, err := s.EndTurn(tb.Context(), debate.TurnEnd{Purpose: debate.ForMember, Final: &final, Response: debate.Response{
		Turn: turn, State: debate.TurnDone, Statement: debate.Statement{Body: body, Vote: "yes"}, Finish: agents.FinishStop,
		Usage: final.Usage, Calls: 1,
	}})
	check(tb, err)
}

func check(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// BenchmarkLarge reports how long a large session takes, the peak of the memory of the
// process, and what is still used afterwards.
func BenchmarkLarge(b *testing.B) {
	for name, shape := range map[string]largeShape{"many": manyAnswers, "few": fewAnswers} {
		b.Run(name, func(b *testing.B) { benchmarkLarge(b, shape) })
	}
}

func benchmarkLarge(b *testing.B, shape largeShape) {
	path, id := largeDatabase(b, shape)
	var kept debate.Session
	for name, do := range map[string]func(s *store.Store) error{
		"resume": func(s *store.Store) (err error) {
			kept, err = s.Repair(b.Context(), id)
			return err
		},
		"round": func(s *store.Store) (err error) {
			if kept, err = s.Repair(b.Context(), id); err == nil {
				kept, err = s.SetBudget(b.Context(), id, debate.Budget{})
			}
			return err
		},
		"copy": func(s *store.Store) error {
			if _, err := s.Repair(b.Context(), id); err != nil {
				return err
			}
			copied := path + ".copy"
			return errors.Join(s.SaveCopy(b.Context(), copied), os.Remove(copied))
		},
		"search": func(s *store.Store) error {
			found, err := s.Matches(b.Context(), store.Query{Text: "measurement guess"})
			if err == nil && (len(found) != 1 || found[0].Total != shape.rounds*len(largePanel)) {
				err = fmt.Errorf("found %+v", found)
			}
			return err
		},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				s, err := store.Open(b.Context(), path, store.Options{})
				check(b, err)
				kept = debate.Session{}
				debug.FreeOSMemory()
				resetPeak()
				b.StartTimer()
				check(b, do(s))
				b.StopTimer()
				peak := peakMemory()
				runtime.GC()
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				b.ReportMetric(peak, "peak-MB")
				b.ReportMetric(float64(m.HeapAlloc)/1e6, "left-MB")
				runtime.KeepAlive(kept)
				check(b, s.Close())
				b.StartTimer()
			}
		})
	}
}

// resetPeak begins to measure peakMemory anew, on Linux.
func resetPeak() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }

// peakMemory returns the most memory that the process has used, in MB; 0 if the system
// does not say.
func peakMemory() float64 {
	raw, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	var kb float64
	_, rest, _ := strings.Cut(string(raw), "VmHWM:")
	if _, err := fmt.Sscan(rest, &kb); err != nil {
		return 0
	}
	return kb / 1e3
}

package store_test

import (
	"path/filepath"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/store"
)

// kept is one thing that the form has kept, at its moment.
type kept struct {
	at     time.Time
	text   string // of the draft; "" removes it
	answer bool   // it is ctrl+s, not a draft
}

// Drafts and answers are kept by commands that overtake each other. Whatever their
// order, what was done last stands: a draft never goes back to older words, and none
// comes back behind its answer, or is lost by one that was given before it.
func TestDrafts_theNewestStandsWhateverOvertakesWhat(t *testing.T) {
	now := noon
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "roundtable.db"), store.Options{Now: func() time.Time { return now }})
	must(t, err)
	t.Cleanup(func() { s.Close() })
	rapid.Check(t, func(rt *rapid.T) {
		now = noon
		id := create(t, s).ID
		ask(t, s, seat(id, 1, "ada"), "c", "One?", ledger.Required)
		ctrlS := rapid.IntRange(-1, 5).Draw(rt, "answered")
		var all []kept
		for i, text := range rapid.SliceOfN(rapid.SampledFrom([]string{"", "42", "42 wr", "42 writes"}), 1, 6).Draw(rt, "drafts") {
			all = append(all, kept{at: noon.Add(time.Duration(i) * time.Second), text: text, answer: i == ctrlS})
		}
		for _, k := range rapid.Permutation(all).Draw(rt, "order") {
			if now = k.at; k.answer {
				answer(t, s, id, "C1", "forty-two")
				continue
			}
			must(t, s.SaveDraft(t.Context(), id, "C1", debate.Draft{Text: k.text, At: k.at}))
		}
		last := all[len(all)-1]
		if last.answer {
			last.text = ""
		}
		if got := get(t, s, id).Drafts["C1"]; got.Text != last.text || last.text != "" && !got.At.Equal(last.at) {
			rt.Fatalf("the draft is %+v, want %+v", got, last)
		}
	})
}

// The same from many goroutines at once.
func TestDrafts_theNewestStandsWhenManyAreKeptAtOnce(t *testing.T) {
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "roundtable.db"), store.Options{})
	must(t, err)
	t.Cleanup(func() { s.Close() })
	id := create(t, s).ID
	ask(t, s, seat(id, 1, "ada"), "c", "One?", ledger.Required)
	var all sync.WaitGroup
	began := time.Now()
	for n := range 20 {
		d := debate.Draft{Text: string(rune('a' + n)), At: began.Add(time.Duration(n) * time.Millisecond)}
		all.Go(func() {
			if err := s.SaveDraft(t.Context(), id, "C1", d); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := get(t, s, id).Drafts["C1"].Text; got != "t" {
		t.Errorf("the draft is %q, want the last one, t", got)
	}
}

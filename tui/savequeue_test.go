package tui_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/debate"
	"roundtable/debate/ledger"
)

// slowWriter is a writer whose saves take a while, the first ones longer than those
// that follow: run side by side they would end in reverse.
type slowWriter struct {
	*scripted
	delays []time.Duration
}

func (s *slowWriter) wait() {
	s.mu.Lock()
	d := time.Duration(0)
	if len(s.delays) > 0 {
		d, s.delays = s.delays[0], s.delays[1:]
	}
	s.mu.Unlock()
	time.Sleep(d)
}

func (s *slowWriter) SaveDraft(ctx context.Context, id, request string, d debate.Draft) error {
	s.wait()
	return s.scripted.SaveDraft(ctx, id, request, d)
}

func (s *slowWriter) Answer(ctx context.Context, id string, subs ...ledger.Submission) ([]ledger.Request, error) {
	s.wait()
	return s.scripted.Answer(ctx, id, subs...)
}

// Drafts and answers are saved in the order in which they were typed, however
// long each save takes: a draft never comes after the answer that replaces it,
// and the last words before quitting come last.
func TestSaves_keepTheOrderInWhichTheyWereTyped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script := storing(gate())
		deps := script.deps()
		writer := &slowWriter{scripted: script, delays: []time.Duration{9 * time.Second, 6 * time.Second, 3 * time.Second, time.Second}}
		deps.Writer, deps.Start.Session = writer, billing
		r := start(t, 80, 24, deps)
		r.wait(2 * time.Second)
		r.typeText("42")
		r.wait(time.Second)
		r.typeText(" writes")
		r.wait(time.Second)
		r.send()
		r.wait(100 * time.Millisecond)
		r.stop()
		r.wait(time.Minute)
		script.mu.Lock()
		defer script.mu.Unlock()
		saves := slices.DeleteFunc(slices.Clone(script.calls), func(c string) bool {
			return !strings.HasPrefix(c, "draft C1") && !strings.HasPrefix(c, "answer C1")
		})
		want := []string{"draft C1 42", "answer C1 42 writes"} // the next draft waits for the first one
		if len(saves) < 2 || !slices.Equal(saves[:2], want) {
			t.Errorf("saved in the order %q", saves)
		}
		for _, late := range saves[min(2, len(saves)):] {
			if late != "draft C1 42 writes" { // the words of the answer itself are no draft, see store.SaveDraft
				t.Errorf("after the answer came %q", late)
			}
		}
	})
}

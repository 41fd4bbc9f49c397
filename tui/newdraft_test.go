package tui_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/debate"
)

// slowSave needs seconds to save the draft of a new debate.
type slowSave struct {
	*scripted
	mu   sync.Mutex
	last string // what it was asked to keep, "nothing" being no text
}

func (l *slowSave) KeepNew(ctx context.Context, d debate.Draft) error {
	l.mu.Lock()
	l.last = d.Text
	if d.Text == "" {
		l.last = "nothing"
	}
	l.mu.Unlock()
	time.Sleep(5 * time.Second)
	return l.scripted.KeepNew(ctx, d)
}

// What was taken out again is forgotten, also while it is still being kept.
func TestNewDebate_draftThatWasTakenOutIsForgottenAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script := storing(gate())
		deps := script.deps()
		library := &slowSave{scripted: script}
		deps.Sessions = library
		r := start(t, 80, 24, deps)
		r.press("ctrl+n", "x")
		r.wait(time.Second)
		r.press("backspace")
		r.stop()
		r.wait(10 * time.Second)
		library.mu.Lock()
		defer library.mu.Unlock()
		if library.last != "nothing" {
			t.Errorf("at the end it was asked to keep %q", library.last)
		}
	})
}

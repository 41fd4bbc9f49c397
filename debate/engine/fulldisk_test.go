package engine_test

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/engine"
)

// What was on the screen when the disk filled up is in the session that the run leaves, and its
// cause is said once.
func TestStart_keepsTheTextThatAFullDiskDidNotTake(t *testing.T) {
	t.Parallel()
	for step, says := range map[string]string{"journal": "Well, ", "turn-end a 1": "What a says."} {
		t.Run(step, func(t *testing.T) {
			h := newHarness(t, map[string]replyFunc{"a": replyText("What a says."), "b": replyText("What b says.")})
			p := h.holding(func(agents.Request) bool { return step == "journal" }) // until text is first to be kept
			var once sync.Once
			var mu sync.Mutex
			full := false
			h.use(engine.Options{
				Provider: func(agents.Profile) (agents.Provider, error) { return p, nil },
				Recorder: hooked{h.store, func(write string) error {
					mu.Lock()
					defer mu.Unlock()
					if write == "journal" {
						once.Do(func() { close(p.release) })
					}
					if full = full || write == step; full {
						return errFull
					}
					return nil
				}},
			})
			_, s, err := drain(h.engine.Start(t.Context(), h.session("collaborative", 2, "a", "b")))
			if !errors.Is(err, errFull) || strings.Count(err.Error(), errFull.Error()) != 1 {
				t.Fatalf("the run ended with %v", err)
			}
			latest := s.History[0].AttemptsOf("a")
			if len(latest) != 1 || latest[0].State != debate.TurnInterrupted {
				t.Fatalf("what is left of the turn: %+v", latest)
			}
			if p := latest[0].Passages; len(p) != 1 || !strings.Contains(p[0].Text, says) {
				t.Errorf("the text that came is gone: %+v", latest[0])
			}
		})
	}
}

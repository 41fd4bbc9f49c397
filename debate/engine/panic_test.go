package engine_test

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/debate/engine"
	"roundtable/internal/crash"
)

// Whatever panics ends a turn or a run, not the program, and somebody is told. Nothing that it
// holds is quoted, and a request that was sent before is paid for, as one that broke off.
func TestDefect_isToldOfEveryPanic(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		seat, journal bool
		told          int
	}{"none": {false, false, 0}, "of a seat": {true, false, 1}, "of the journal": {false, true, 1}} {
		t.Run(name, func(t *testing.T) {
			h := newHarness(t, map[string]replyFunc{"a": replyText("Fine."), "b": replyText("Fine.")})
			if c.seat {
				h.provider.replies["b"] = func(int, agents.Request) ([]agents.Chunk, error) {
					panic(errors.New("with the key sk-canary-1357924680"))
				}
			}
			p := h.holding(func(agents.Request) bool { return c.journal }) // until something is to be written
			var mu sync.Mutex
			var told []*crash.Panic
			h.use(engine.Options{
				Recorder: hooked{h.store, func(write string) error {
					if write == "journal" && c.journal {
						close(p.release)
						panic("with the key sk-canary-1357924680")
					}
					return nil
				}},
				Provider: func(agents.Profile) (agents.Provider, error) { return p, nil },
				OnPanic: func(p *crash.Panic) {
					mu.Lock()
					defer mu.Unlock()
					told = append(told, p)
				},
			})
			_, s, err := drain(h.engine.Start(t.Context(), h.smallSession("collaborative", 2, withPrices(debate.Budget{}), "a", "b")))
			var panicked *crash.Panic
			if errors.As(err, &panicked) != c.journal || len(told) != c.told {
				t.Errorf("told of %d panics, want %d; the run ended with %v", len(told), c.told, err)
			}
			if !c.seat {
				return
			}
			x := s.History[0].AttemptsOf("b")[0]
			if x.State != debate.TurnFailed || x.Failure.Cause != "Internal error in Roundtable: panic of type *errors.errorString." {
				t.Errorf("%+v", x.Failure)
			}
			if x.Calls != 1 || x.Usage.Input < 100 || !x.Usage.Estimated || x.Cost == nil || *x.Cost == 0 {
				t.Errorf("%d calls, %+v for %v", x.Calls, x.Usage, x.Cost)
			}
			if a := s.History[0].AttemptsOf("a")[0]; a.State != debate.TurnDone {
				t.Errorf("a: %+v", a)
			}
			h.listedAsShown(s)
		})
	}
}

// A request whose answer has come is paid for once, also if what follows it panics.
func TestDefect_afterAnAnswerCountsItOnce(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{
		"a": replyAsking("How many writes?", replyText("Fine.")), "b": replyText("Fine."), "c": replyText("Fine."),
	})
	h.use(engine.Options{Tools: []tools.Tool{tools.RequestContext()}, Recorder: hooked{h.store, func(write string) error {
		if write == "call-end a 1" {
			panic("no room")
		}
		return nil
	}}, OnPanic: func(*crash.Panic) {}})
	_, s := h.run(h.session("collaborative", 2, "a", "b", "c"))
	x := s.History[0].AttemptsOf("a")[0]
	if sent := h.provider.requests("a")[0].Tokens(); x.State != debate.TurnFailed || x.Usage.Input != sent || x.Calls != 1 {
		t.Errorf("%s, %d calls, %d tokens read of %d", x.State, x.Calls, x.Usage.Input, sent)
	}
}

// If the start of a turn cannot be stored, the run ends with that error and sends no request.
func TestStart_endsWhereATurnCannotBegin(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyText("What a says."), "b": replyText("What b says.")})
	h.use(engine.Options{Recorder: h.dyingAt("turn-begin a 1")})
	_, _, err := drain(h.engine.Start(t.Context(), h.session("collaborative", 2, "a", "b")))
	if !errors.Is(err, errFull) || len(h.provider.requests("a")) > 0 {
		t.Errorf("the run ended with %v after %d requests of a", err, len(h.provider.requests("a")))
	}
}

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

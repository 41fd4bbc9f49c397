package engine_test

import (
	"context"
	"errors"
	"iter"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/engine"
)

// busyFor is a provider that lets the first of some requests wait for an hour.
type busyFor struct {
	*scriptedProvider
	asks  func(agents.Request) bool // selects the requests
	waits chan struct{}             // closed once the first waits; may be nil
	asked []time.Time               // when they came
}

func (b *busyFor) Stream(ctx context.Context, req agents.Request) iter.Seq2[agents.Chunk, error] {
	if b.asks(req) {
		b.asked = append(b.asked, time.Now())
		if len(b.asked) == 1 {
			if b.waits != nil {
				defer close(b.waits)
			}
			return func(yield func(agents.Chunk, error) bool) {
				busy := &agents.Failure{Kind: agents.KindBusy, Cause: "It is busy.", Unprocessed: true}
				if yield(agents.Chunk{Retry: &agents.Retry{Cause: "It is busy.", Try: 1, Of: 3, In: time.Hour, Failed: busy}}, nil) {
					<-ctx.Done()
					yield(agents.Chunk{}, ctx.Err())
				}
			}
		}
	}
	return b.scriptedProvider.Stream(ctx, req)
}

// A run that ends while a provider lets a seat wait, in whatever way, is followed by one
// that waits for the rest of the time, unless the user asks at once.
func TestStart_waitsForAProviderAsLongAsBeforeItWasCutOff(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		crash, now bool
		wait       time.Duration
	}{
		"stopped":                {wait: time.Hour},
		"killed":                 {crash: true, wait: time.Hour},
		"killed, asked at once":  {crash: true, now: true, wait: 20 * time.Minute},
		"stopped, asked at once": {now: true, wait: 20 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := newHarness(t, map[string]replyFunc{"a": replyText("So."), "b": replyText("So.")})
				p := &busyFor{scriptedProvider: h.provider, asks: asksModel("a")}
				disk := &fullDisk{Store: h.store, step: "never"}
				play := func(rec engine.Recorder, s debate.Session, on func(*engine.Run, debate.TurnRetrying)) (debate.Session, error) {
					provider := func(agents.Profile) (agents.Provider, error) { return p, nil }
					run := engine.New(engine.Options{Recorder: rec, Provider: provider}).Start(t.Context(), s)
					_, s, err := follow(run, func(ev debate.Event) {
						if ev, ok := ev.(debate.TurnRetrying); ok {
							on(run, ev)
						}
					})
					return s, err
				}
				s := h.session("collaborative", 2, "a", "b")
				began := time.Now()
				_, err := play(disk, s, func(run *engine.Run, _ debate.TurnRetrying) {
					disk.none.Store(c.crash) // what happens from here on is lost
					run.Stop()
				})
				if want := map[bool]error{false: debate.ErrStopped, true: errFull}[c.crash]; !errors.Is(err, want) {
					t.Fatalf("the first run ended with %v", err)
				}
				time.Sleep(20 * time.Minute)
				if s, err = h.store.Session(t.Context(), s.ID); err != nil {
					t.Fatal(err)
				}
				if d := s.Due(time.Now()); len(d.Waiting) != 1 || !d.Waiting[0].At.Equal(began.Add(time.Hour)) || len(d.Turns) > 0 {
					t.Errorf("before it goes on, due is %+v", d)
				}
				waits := 0
				s, err = play(h.store, s, func(run *engine.Run, ev debate.TurnRetrying) {
					if waits++; ev.Retry.In != 40*time.Minute || !ev.Retry.Until.Equal(began.Add(time.Hour)) || ev.Retry.Cause != "The provider asked to wait." {
						t.Errorf("it says %+v", ev.Retry)
					}
					if c.now {
						run.RetryNow("a")
					}
				})
				if err != nil || waits != 1 || len(stateOf(s, "a")) != 2 || stateOf(s, "a")[1] != debate.TurnDone {
					t.Fatalf("%v; %d waits, a is %v", err, waits, stateOf(s, "a"))
				}
				if len(p.asked) != 2 || p.asked[1].Sub(began) != c.wait {
					t.Errorf("a was asked at %v", p.asked)
				}
			})
		})
	}
}

// A run that is cut off while a provider lets the chair or the light model wait is followed
// by one that waits for the rest of the time, unless the user asks at once: in it, or before
// it starts.
func TestStart_waitsForTheChairAsLongAsBeforeItWasCutOff(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		asks       func(agents.Request) bool
		crash, now bool
		before     bool          // it is due at once before the run starts
		wait       time.Duration // until it is asked again
	}{
		"stopped":                  {asks: asksChair, wait: time.Hour},
		"killed":                   {asks: asksChair, crash: true, wait: time.Hour},
		"killed, asked at once":    {asks: asksChair, crash: true, now: true, wait: 20 * time.Minute},
		"stopped, asked before":    {asks: asksChair, before: true, wait: 20 * time.Minute},
		"killed, asked before":     {asks: asksChair, crash: true, before: true, wait: 20 * time.Minute},
		"comparison, killed":       {asks: asksModel("light"), crash: true},
		"comparison, asked before": {asks: asksModel("light"), crash: true, before: true, wait: 20 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := newReview(t, replyComparing)
				p := &busyFor{scriptedProvider: h.provider, asks: c.asks, waits: make(chan struct{})}
				disk := &fullDisk{Store: h.store, step: "never"}
				provider := func(agents.Profile) (agents.Provider, error) { return p, nil }
				s := h.startReview(func(s *debate.Session) { s.Rounds = 1; addLight(s) })
				began := time.Now()
				run := engine.New(engine.Options{Recorder: disk, Provider: provider}).Start(t.Context(), s)
				go func() {
					<-p.waits
					time.Sleep(time.Second) // the wait is stored
					disk.none.Store(c.crash)
					run.Stop()
				}()
				_, s, err := follow(run, func(debate.Event) {})
				if err == nil {
					t.Fatal("the first run went to its end")
				}
				time.Sleep(time.Until(began.Add(20 * time.Minute)))
				if s, err = h.store.Repair(t.Context(), s.ID); err != nil {
					t.Fatal(err)
				}
				d := s.Due(time.Now())
				if len(d.Waiting) != 1 || !d.Waiting[0].At.Equal(began.Add(time.Hour)) {
					t.Errorf("before it goes on, due is %+v", d)
				}
				if c.before {
					if err := h.store.SetDue(t.Context(), s.ID, debate.DueTurn{Turn: d.Waiting[0].Turn, At: time.Now()}); err != nil {
						t.Fatal(err)
					}
				}
				waits := 0
				run = engine.New(engine.Options{Recorder: h.store, Provider: provider}).Start(t.Context(), s)
				_, s, err = follow(run, func(ev debate.Event) {
					if ev, ok := ev.(debate.TurnRetrying); ok && ev.Retry.Cause == "The provider asked to wait." {
						if waits++; ev.Retry.In != 40*time.Minute || !ev.Retry.Until.Equal(began.Add(time.Hour)) {
							t.Errorf("it says %+v", ev.Retry)
						}
						if c.now {
							run.RetryNow(ev.Turn.Agent)
						}
					}
				})
				if err != nil || s.Verdict == nil {
					t.Fatalf("%v; the verdict is %v", err, s.Verdict)
				}
				if c.wait == 0 { // a comparison is not worth it
					if same := s.History[0].Same; len(p.asked) != 1 || waits != 0 || same.Ignored == "" {
						t.Errorf("asked at %v, %d waits, compared: %+v", p.asked, waits, same)
					}
					return
				}
				if want := map[bool]int{false: 1}[c.before]; len(p.asked) != 2 || p.asked[1].Sub(began) != c.wait || waits != want {
					t.Errorf("asked at %v, %d waits", p.asked, waits)
				}
			})
		})
	}
}

package engine_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/engine"
	"roundtable/internal/testing/must"
)

// A run that ends while a provider lets a seat, the chair or the light model wait, in whatever way,
// is followed by one that waits for the rest of the time, unless the user asks at once: in it, or
// before it starts.
func TestStart_waitsForAProviderAsLongAsBeforeItWasCutOff(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		asks       func(agents.Request) bool
		crash, now bool
		before     bool          // it is due at once before the run starts
		wait       time.Duration // until it is asked again
	}{
		"seat, stopped":               {asks: asksModel("ann"), wait: time.Hour},
		"seat, killed":                {asks: asksModel("ann"), crash: true, wait: time.Hour},
		"seat, killed, asked at once": {asks: asksModel("ann"), crash: true, now: true, wait: 20 * time.Minute},
		"chair, stopped":              {asks: asksChair, wait: time.Hour},
		"chair, killed":               {asks: asksChair, crash: true, now: true, wait: 20 * time.Minute},
		"chair, asked before":         {asks: asksChair, crash: true, before: true, wait: 20 * time.Minute},
		"comparison, killed":          {asks: asksModel("light"), crash: true},
		"comparison, asked before":    {asks: asksModel("light"), crash: true, before: true, wait: 20 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := newReview(t, replyComparing)
				var asked []time.Time        // when the requests came of which the first waits for an hour
				waits := make(chan struct{}) // closed once it waits
				p := wrapped{h.provider, func(ctx context.Context, req agents.Request, yield func(agents.Chunk, error) bool) bool {
					if !c.asks(req) {
						return true
					}
					if asked = append(asked, time.Now()); len(asked) > 1 {
						return true
					}
					close(waits)
					busy := &agents.Failure{Kind: agents.KindBusy, Cause: "It is busy.", Unprocessed: true}
					if yield(agents.Chunk{Event: agents.Retry{Cause: "It is busy.", Try: 1, Of: 3, In: time.Hour, Failed: busy}}, nil) {
						<-ctx.Done()
						yield(agents.Chunk{}, ctx.Err())
					}
					return false
				}}
				var dead atomic.Bool // what happens from here on is lost
				provider := func(agents.Profile) (agents.Provider, error) { return p, nil }
				h.use(engine.Options{Provider: provider, Recorder: hooked{h.store, func(string) error {
					if dead.Load() {
						return errFull
					}
					return nil
				}}})
				s := h.startReview(func(s *debate.Session) { s.Rounds = 1; addLight(s) })
				began := time.Now()
				run := h.engine.Start(t.Context(), s)
				go func() {
					<-waits
					time.Sleep(time.Second) // the wait is stored
					dead.Store(c.crash)
					run.Stop()
				}()
				want := map[bool]error{false: debate.ErrStopped, true: errFull}[c.crash]
				if _, _, err := drain(run); !errors.Is(err, want) {
					t.Fatalf("the first run ended with %v, want %v", err, want)
				}
				time.Sleep(time.Until(began.Add(20 * time.Minute)))
				s, err := h.store.Repair(t.Context(), s.ID)
				must.Do(t, err)
				d := s.Due(time.Now())
				if len(d.Waiting) != 1 || !d.Waiting[0].At.Equal(began.Add(time.Hour)) || len(d.Turns) > 0 {
					t.Errorf("before it goes on, due is %+v", d)
				}
				if c.before {
					must.Do(t, h.store.SetDue(t.Context(), s.ID, debate.DueTurn{Turn: d.Waiting[0].Turn, At: time.Now()}))
				}
				told := 0
				h.use(engine.Options{Provider: provider})
				run = h.engine.Start(t.Context(), s)
				_, s, err = follow(run, func(ev debate.Event) {
					if ev, ok := ev.(debate.TurnRetrying); ok && ev.Retry.Cause == "The provider asked to wait." {
						if told++; ev.Retry.In != 40*time.Minute || !ev.Retry.Until.Equal(began.Add(time.Hour)) {
							t.Errorf("it says %+v", ev.Retry)
						}
						if c.now {
							run.RetryNow(ev.Turn.Agent)
						}
					}
				})
				if err != nil || s.Verdict == nil || len(s.Current().Statements()) != 3 {
					t.Fatalf("%v; the verdict is %v", err, s.Verdict)
				}
				if c.wait == 0 { // a comparison is not worth it
					if same := s.History[0].Same; len(asked) != 1 || told != 0 || same.Ignored == "" {
						t.Errorf("asked at %v, %d waits, compared: %+v", asked, told, same)
					}
					return
				}
				if want := map[bool]int{false: 1}[c.before]; len(asked) != 2 || asked[1].Sub(began) != c.wait || told != want {
					t.Errorf("asked at %v, %d waits", asked, told)
				}
			})
		})
	}
}

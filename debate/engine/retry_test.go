package engine_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/engine"
	"roundtable/debate/ledger"
	"roundtable/internal/testing/must"
)

// brokeOff is the failure of an answer that broke off after some of its text.
func brokeOff() *agents.Failure {
	return &agents.Failure{Kind: agents.KindTruncated, Cause: "The answer broke off.", Again: true}
}

func TestStart_anAnswerThatBrokeOffIsPlayedAgainOnceAsItsOwnAttempt(t *testing.T) {
	t.Parallel()
	broken := func(n int, req agents.Request) ([]agents.Chunk, error) {
		if n == 1 {
			return []agents.Chunk{{Text: "half an ans"}}, brokeOff()
		}
		return replyText("the whole answer")(n, req)
	}
	h := newHarness(t, map[string]replyFunc{"a": broken, "b": replyText("x")})
	evs, s := h.run(h.session("collaborative", 2, "a", "b"))
	for _, ev := range eventsOf[debate.TurnEnded](evs) {
		if ev.Again != (ev.Response.State == debate.TurnFailed) {
			t.Errorf("%s, %s: again %v", ev.Response.ID(), ev.Response.State, ev.Again)
		}
	}
	got := s.History[0].AttemptsOf("a")
	if len(got) != 2 || got[0].State != debate.TurnFailed || got[0].Text() != "half an ans" || got[1].Statement.Body != "the whole answer" {
		t.Fatalf("attempts of a = %+v", got)
	}
	if text := h.provider.requests("b")[0].Messages[1].Text; strings.Contains(text, "half") {
		t.Error("the broken text reached a peer")
	}
}

// Only an attempt that broke off or was empty uses up the one that follows by itself.
func TestStart_anAnswerThatBrokeOffAfterARefusalIsPlayedAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		said := func(n int, req agents.Request) ([]agents.Chunk, error) {
			switch n {
			case 1:
				return replyFailing("Too many requests.")(n, req)
			case 2:
				return []agents.Chunk{{Text: "half"}}, brokeOff()
			}
			return replyText("whole")(n, req)
		}
		h := newHarness(t, map[string]replyFunc{"a": said, "b": replyText("x"), "c": replyText("y")})
		p := h.holding(asksModel("b"))
		run := h.engine.Start(t.Context(), h.session("collaborative", 2, "a", "b", "c"))
		_, s, err := follow(run, func(ev debate.Event) {
			switch x, _ := ev.(debate.TurnEnded); {
			case x.Response.Turn.Agent != "a":
			case x.Response.Turn.Attempt == 1:
				run.Retry("a")
			case !x.Again:
				close(p.release)
			}
		})
		want := []debate.TurnState{debate.TurnFailed, debate.TurnFailed, debate.TurnDone}
		if err != nil || !slices.Equal(stateOf(s, "a"), want) {
			t.Errorf("%v, a is %v", err, stateOf(s, "a"))
		}
	})
}

func TestStart_anEmptyAnswerIsAskedForOnceMore(t *testing.T) {
	t.Parallel()
	for empty, want := range map[int]debate.TurnState{1: debate.TurnDone, 9: debate.TurnFailed} {
		sparse := func(n int, req agents.Request) ([]agents.Chunk, error) {
			if n <= empty {
				return []agents.Chunk{{Finish: agents.FinishStop}}, nil
			}
			return replyText("an answer")(n, req)
		}
		h := newHarness(t, map[string]replyFunc{"a": sparse, "b": replyText("x"), "c": replyText("y")})
		_, s := h.run(h.session("collaborative", 2, "a", "b", "c"))
		if got := s.History[0].AttemptsOf("a"); len(got) != 2 || got[0].State != debate.TurnFailed || got[1].State != want {
			t.Errorf("after %d empty answers: %+v", empty, got)
		}
	}
}

func TestCancel_endsTheWaitForAnotherAttempt(t *testing.T) {
	t.Parallel()
	broken := func(int, agents.Request) ([]agents.Chunk, error) {
		f := brokeOff()
		f.RetryAt = time.Now().Add(time.Hour)
		return []agents.Chunk{{Text: "half"}}, f
	}
	h := newHarness(t, map[string]replyFunc{"a": broken, "b": replyText("x"), "c": replyText("y")})
	run := h.engine.Start(t.Context(), h.session("collaborative", 2, "a", "b", "c"))
	_, s, err := each(run, func(ev debate.Event) {
		if waits, ok := ev.(debate.TurnRetrying); ok {
			run.Cancel(waits.Turn)
		}
	})
	if err != nil || !slices.Equal(stateOf(s, "a"), []debate.TurnState{debate.TurnFailed, debate.TurnCancelled}) {
		t.Errorf("a ended as %v, want failed and, instead of the next attempt, cancelled: %v", stateOf(s, "a"), err)
	}
}

// A cancelled seat can be run again while another speaks; the other is not interrupted.
func TestCancelAndRetry_reachOneSeat(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, map[string]replyFunc{"a": replyText("again"), "b": replyText("done")})
		var asked atomic.Int32
		p := h.holding(func(agents.Request) bool { return asked.Add(1) <= 2 })
		run := h.engine.Start(t.Context(), h.session("collaborative", 2, "a", "b"))
		_, s, err := follow(run, func(ev debate.Event) {
			switch ev := ev.(type) {
			case debate.Text:
				if ev.Turn.Agent == "a" && ev.Turn.Attempt == 1 {
					run.Cancel(ev.Turn)
				}
			case debate.TurnEnded:
				switch x := ev.Response; {
				case x.Turn.Agent != "a":
				case x.State == debate.TurnCancelled:
					run.Retry("a")
				default:
					close(p.release)
				}
			default:
			}
		})
		if err != nil || !slices.Equal(stateOf(s, "a"), []debate.TurnState{debate.TurnCancelled, debate.TurnDone}) {
			t.Fatalf("%v, a is %v", err, stateOf(s, "a"))
		}
		if text := s.Current().AttemptsOf("a")[0].Text(); text != "Well, " {
			t.Errorf("of the cancelled text %q was kept", text)
		}
		if x := s.Current().AttemptsOf("b"); len(x) != 1 || x[0].State != debate.TurnDone || len(h.provider.requests("b")) != 1 {
			t.Errorf("b: %+v", x)
		}
	})
}

// runInterrupted plays three rounds of four with tight windows. The second is stopped
// while seat b speaks, if stop is set, and another engine continues the session.
func runInterrupted(t *testing.T, stop bool, summary replyFunc) (*harness, debate.Session) {
	t.Helper()
	begun, release := make(chan struct{}), make(chan struct{})
	var once sync.Once
	halting := func(n int, req agents.Request) ([]agents.Chunk, error) {
		if stop && strings.Contains(req.Messages[1].Text, "This is round 2 of ") {
			once.Do(func() {
				close(begun)
				<-release
			})
		}
		return replyLong("b", 5000)(n, req)
	}
	h := newHarness(t, map[string]replyFunc{
		"a": replyAsking("How many?", replyLong("a", 5000)), "b": halting,
		"c": replyLong("c", 5000), "light": summary,
	})
	tight := func(s *debate.Session) {
		withLight(4200)(s) // what three seats say is too much
		s.Nonce = "the same"
	}
	_, s := h.run(h.smallSession("collaborative", 4, tight, "a", "b", "c"))
	s = h.answer(s, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "forty-two"})
	if stop {
		run := h.engine.Start(t.Context(), s)
		var stopping sync.WaitGroup
		stopping.Go(func() {
			<-begun
			run.Stop()
			close(release)
		})
		if _, _, err := drain(run); !errors.Is(err, debate.ErrStopped) {
			t.Fatalf("err = %v", err)
		}
		stopping.Wait()
		s = h.read(s)
		h.open() // another process
		_, s = h.run(s)
	}
	_, s = h.runRounds(s, 3)
	return h, s
}

func TestI15_aResumedDebateSendsWhatAnUninterruptedOneSends(t *testing.T) {
	t.Parallel()
	whole, _ := runInterrupted(t, false, replySummary(25))
	again, _ := runInterrupted(t, true, replySummary(25))
	for _, seat := range []string{"a", "b", "c"} {
		for round := 1; round <= 3; round++ {
			if whole.userPrompt(seat, round) != again.userPrompt(seat, round) {
				t.Errorf("round %d of %s differs after a resume", round, seat)
			}
		}
	}
	if !strings.Contains(whole.userPrompt("a", 3), "[summary of ") {
		t.Errorf("nothing was summarised: this test says nothing:\n%.2000s", whole.userPrompt("a", 3))
	}
}

func TestI16_anInterruptedTurnIsSentAgainAsItWas(t *testing.T) {
	t.Parallel()
	moody := func(n int, req agents.Request) ([]agents.Chunk, error) { // it fails before the interruption, and works after it
		if strings.Contains(req.Messages[1].Text, "in round 1 thinks") && n <= 3 {
			return replyFailing("down")(n, req)
		}
		return replySummary(25)(n, req)
	}
	h, s := runInterrupted(t, true, moody)
	var first []string
	for _, r := range h.provider.requests("b") {
		if strings.Contains(r.Messages[len(r.Messages)-1].Text, "This is round 2 of ") {
			first = append(first, mustJSON(t, r))
		}
	}
	if len(first) != 2 || first[0] != first[1] {
		t.Fatalf("%d first requests of round 2, or not the same", len(first))
	}
	if !strings.Contains(first[0], "[shortened]") {
		t.Errorf("nothing was shortened: this test says nothing: %.1500s", first[0])
	}
	attempts := s.History[1].AttemptsOf("b")
	if len(attempts) != 2 || attempts[0].State != debate.TurnInterrupted || attempts[1].State != debate.TurnDone ||
		mustJSON(t, attempts[0].ContextFit) != mustJSON(t, attempts[1].ContextFit) {
		t.Errorf("attempts = %+v", attempts)
	}
	for _, seat := range []agents.ID{"a", "c"} {
		for _, x := range s.History[1].AttemptsOf(seat) {
			if x.State == debate.TurnDone && x.Turn.Attempt > 2 {
				t.Errorf("%s had finished and was asked again", seat)
			}
		}
	}
}

func TestI17_whoCannotBeAskedIsNamedAndKeptBeforeAnythingRuns(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyText("a speaks"), "c": replyText("c speaks")})
	_, s := h.run(h.session("collaborative", 3, "a", "b", "c"))
	provider := func(p agents.Profile) (agents.Provider, error) {
		if p.ID == "b" {
			return nil, &agents.Failure{Kind: agents.KindConfig, Cause: "The configuration has no provider \"test\".", Remedy: "Add it."}
		}
		return h.provider, nil
	}
	h.use(engine.Options{Provider: provider})
	const text = "B cannot be asked: The configuration has no provider \"test\". Add it."
	for range 2 { // taken up again
		evs, next, err := drain(h.engine.Start(t.Context(), s))
		must.Do(t, err)
		first, ok := evs[0].(debate.Noticed)
		if !ok || first.Notice.Text != text || first.Notice.Agent != "b" {
			t.Errorf("the first event is %+v", evs[0])
		}
		if s = next; len(s.History) > 2 {
			break
		}
	}
	if kept := noticesOf(h.read(s), "cannot_ask"); !slices.Equal(kept, []string{text}) {
		t.Errorf("kept is %q", kept)
	}
}

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

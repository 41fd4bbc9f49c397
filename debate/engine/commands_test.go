package engine_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/debate/engine"
)

// heldProvider writes one word of each answer that it holds back, and the rest once it is released.
type heldProvider struct {
	wrapped
	release chan struct{}
	free    atomic.Bool   // nothing is held back any more
	held    atomic.Int64  // answers
	lasts   time.Duration // how long an answer goes on after its end
}

// holding makes the harness hold back what hold selects.
func (h *harness) holding(hold func(agents.Request) bool) *heldProvider {
	p := &heldProvider{release: make(chan struct{})}
	p.wrapped = wrapped{h.provider, func(ctx context.Context, req agents.Request, yield func(agents.Chunk, error) bool) bool {
		if p.free.Load() || !hold(req) {
			return true
		}
		if p.held.Add(1); !yield(agents.Chunk{Text: "Well, "}, nil) {
			return false
		}
		select {
		case <-p.release:
			return true
		case <-ctx.Done():
			time.Sleep(p.lasts)
			yield(agents.Chunk{}, ctx.Err())
			return false
		}
	}}
	h.useProvider(p)
	return p
}

// asksChair reports whether a request is the chair's.
func asksChair(r agents.Request) bool {
	return strings.Contains(r.Messages[0].Text, "You are the chair")
}

// asksModel selects the requests to a model.
func asksModel(model string) func(agents.Request) bool {
	return func(r agents.Request) bool { return r.Model == model && !asksChair(r) }
}

// stateOf returns the states of a seat's attempts in the newest round.
func stateOf(s debate.Session, id agents.ID) []debate.TurnState {
	var out []debate.TurnState
	for _, x := range s.Current().AttemptsOf(id) {
		out = append(out, x.State)
	}
	return out
}

// follow reads a run to its end, and calls on for each event once the run waits.
func follow(r *engine.Run, on func(debate.Event)) ([]debate.Event, debate.Session, error) {
	return each(r, func(ev debate.Event) {
		synctest.Wait()
		on(ev)
	})
}

// A side in a structured part without words is an answer, to all that ask.
func TestStart_countsASideWithoutWords(t *testing.T) {
	t.Parallel()
	side := replyText("```json\n{\"vote\": \"yes\"}\n```")
	h := newHarness(t, map[string]replyFunc{"a": side, "b": replyFailing("down"), "c": replyFailing("down")})
	_, s := h.runRounds(h.session("adversarial", 2, "a", "b", "c"), 2)
	if s.Verdict == nil || len(s.History) != 2 || len(s.History[0].Statements()) != 1 {
		t.Fatalf("it is %s after %d rounds", s.Status(), len(s.History))
	}
}

// A pause that was promised in the last round holds before the chair.
func TestPause_holdsBeforeTheVerdict(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, map[string]replyFunc{"a": replyText("So."), "b": replyText("So.")})
		_, s := h.run(h.session("collaborative", 2, "a", "b"))
		run := h.engine.Start(t.Context(), s)
		run.Pause(true)
		evs, s, err := drain(run)
		if err != nil || s.Verdict != nil || len(eventsOf[debate.Concluding](evs)) > 0 || s.Current().Ended.IsZero() {
			t.Fatalf("%v, the chair was asked: %v", err, eventsOf[debate.Concluding](evs))
		}
		if _, s = h.run(s); s.Verdict == nil {
			t.Error("going on wrote no verdict")
		}
	})
}

// A failed seat can be run again at any time until the verdict, and after it: what was
// under way begins again.
func TestRetry_comesBeforeWhatTheRoundWaitsFor(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		waits func(agents.Request) bool
		at    func(debate.Event) bool
	}{
		"the chair":      {asksChair, func(ev debate.Event) bool { _, ok := ev.(debate.Concluding); return ok }},
		"the comparison": {asksToCompare, func(ev debate.Event) bool { _, ok := ev.(debate.Assisting); return ok }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := newReview(t, replyComparing)
				cat := h.provider.replies["cat"]
				h.provider.replies["cat"] = replyFailing("down")
				s := h.startReview(func(s *debate.Session) { s.Rounds = 1; addLight(s) })
				p := h.holding(c.waits)
				run, asked := h.engine.Start(t.Context(), s), false
				_, s, err := follow(run, func(ev debate.Event) {
					if c.at(ev) && !asked {
						asked = true
						h.provider.replies["cat"] = cat
						p.free.Store(true)
						run.Retry("cat")
					}
				})
				want := []debate.TurnState{debate.TurnFailed, debate.TurnDone}
				if err != nil || s.Verdict == nil || !slices.Equal(stateOf(s, "cat"), want) {
					t.Fatalf("%v, %s, cat is %v", err, s.Status(), stateOf(s, "cat"))
				}
				if got := listOf(s); !strings.Contains(got, "Loops") {
					t.Errorf("its findings are not counted:\n%s", got)
				}
			})
		})
	}
}

func TestRetry_afterTheVerdictHasANewOneWritten(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyText("So."), "b": replyFailing("down")})
	_, s := h.runRounds(h.session("collaborative", 2, "a", "b"), 2)
	h.provider.replies["b"] = replyText("Not so.")
	first := len(h.provider.requests("a"))
	_, s, err := drain(h.engine.Retry(t.Context(), s, "b"))
	if err != nil || s.Verdict == nil || s.Status() != debate.Complete || len(s.History) != 2 {
		t.Fatalf("%v, %s after %d rounds", err, s.Status(), len(s.History))
	}
	if len(h.provider.requests("a"))+len(h.provider.requests("b")) <= first || len(s.Current().Statements()) != 2 {
		t.Error("no new verdict was written, or not on both answers")
	}
}

// A cancel that comes when the seat has ended its turn does not skip it later.
func TestCancel_meansTheTurnThatTheUserSaw(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, map[string]replyFunc{"ada": replyText("So."), "ben": replyText("So."), "cleo": replyText("So.")})
		p := h.holding(asksModel("ben"))
		run := h.engine.Start(t.Context(), h.session("council", 2, "ada", "ben", "cleo"))
		evs, s, err := follow(run, func(ev debate.Event) {
			if x, ok := ev.(debate.TurnEnded); ok && x.Response.Turn.Agent == "ada" && !p.free.Load() {
				run.Cancel(x.Response.Turn)
				synctest.Wait()
				p.free.Store(true)
				close(p.release)
			}
		})
		refused := eventsOf[debate.Refused](evs)
		if err != nil || len(refused) != 1 || refused[0].Text != "ADA has already finished; there is nothing to cancel." {
			t.Fatalf("%v, refused %+v", err, refused)
		}
		if !slices.Equal(stateOf(s, "ada"), []debate.TurnState{debate.TurnDone, debate.TurnDone}) {
			t.Errorf("ada is %v", stateOf(s, "ada"))
		}
	})
}

func TestCancel_ofASeatWhoseQuestionIsStoredStopsNoOther(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, map[string]replyFunc{"a": replyAsking("How many?", replyText("So.")), "b": replyText("So."), "c": replyText("So.")})
		asking, goOn := make(chan struct{}), make(chan struct{})
		h.use(engine.Options{Tools: []tools.Tool{tools.RequestContext()}, Recorder: hooked{h.store, func(write string) error {
			if write == "ask a 1" {
				close(asking)
				<-goOn
			}
			return nil
		}}})
		run := h.engine.Start(t.Context(), h.session("collaborative", 2, "a", "b", "c"))
		go func() {
			<-asking
			run.Cancel(agents.Turn{Session: "", Round: 1, Agent: "a"})
			synctest.Wait()
			close(goOn)
		}()
		_, s, err := drain(run)
		if err != nil || s.Current().Ended.IsZero() || !slices.Equal(stateOf(s, "a"), []debate.TurnState{debate.TurnCancelled}) {
			t.Errorf("%v, a is %v", err, stateOf(s, "a"))
		}
	})
}

// A second try outlives a pause: it is stored, and begins when its time has come.
func TestStart_makesASecondTryThatAPauseInterrupted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		broken := func(n int, req agents.Request) ([]agents.Chunk, error) {
			if n > 1 {
				return replyText("So.")(n, req)
			}
			return []agents.Chunk{{Text: "half"}}, &agents.Failure{
				Kind: agents.KindTruncated, Cause: "It broke off.", Again: true, RetryAt: time.Now().Add(time.Minute),
			}
		}
		h := newHarness(t, map[string]replyFunc{"a": broken, "b": replyText("So.")})
		run := h.engine.Start(t.Context(), h.session("collaborative", 2, "a", "b"))
		began := time.Now()
		_, s, err := follow(run, func(ev debate.Event) {
			if _, ok := ev.(debate.TurnRetrying); ok {
				run.Stop()
			}
		})
		if !errors.Is(err, debate.ErrStopped) {
			t.Fatal(err)
		}
		if s, err = h.store.Session(t.Context(), s.ID); err != nil || len(s.Current().Due) != 1 {
			t.Fatalf("%v; due are %v", err, s.Current().Due)
		}
		evs, s := h.run(s)
		if got := stateOf(s, "a"); !slices.Equal(got, []debate.TurnState{debate.TurnFailed, debate.TurnDone}) {
			t.Fatalf("a is %v", got)
		}
		if len(eventsOf[debate.TurnRetrying](evs)) != 1 || time.Since(began) < time.Minute {
			t.Errorf("it waited %s and said so %d times", time.Since(began), len(eventsOf[debate.TurnRetrying](evs)))
		}
	})
}

// Who was cancelled is not asked again where nobody answered, and leaves the round open.
func TestStart_leavesASeatThatTheUserCancelled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, map[string]replyFunc{"a": replyFailing("down"), "b": replyText("So.")})
		p := h.holding(asksModel("b"))
		run := h.engine.Start(t.Context(), h.session("collaborative", 2, "a", "b"))
		_, s, err := follow(run, func(ev debate.Event) {
			if x, ok := ev.(debate.Text); ok {
				run.Cancel(x.Turn)
			}
		})
		var failed *debate.RoundFailedError
		if !errors.As(err, &failed) {
			t.Fatal(err)
		}
		p.free.Store(true)
		h.provider.replies["a"] = replyText("So.")
		s, open := h.start(s)
		if open == nil || len(open.Causes) != 1 || open.Causes[0].Cause != "Cancelled by request." {
			t.Fatalf("the run ended with %v", open)
		}
		s = h.goOn(s)
		if len(h.provider.requests("b")) > 0 || !slices.Equal(stateOf(s, "b"), []debate.TurnState{debate.TurnCancelled}) || s.Next() != 2 {
			t.Errorf("b is %v and was asked %d times; the next round is %d", stateOf(s, "b"), len(h.provider.requests("b")), s.Next())
		}
	})
}

// Ending a debate in the middle of a round keeps what was written, asks no light model,
// and has the chair conclude.
func TestEnd_concludesWithWhatIsSettled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newReview(t, replyComparing)
		h.holding(asksModel("cat"))
		run := h.engine.Start(t.Context(), h.startReview(addLight))
		evs, s, err := follow(run, func(ev debate.Event) {
			if _, ok := ev.(debate.Text); ok && ev.(debate.Text).Turn.Agent == "cat" {
				run.End()
				run.Pause(true) // ending comes first
			}
		})
		if err != nil || s.Status() != debate.Stopped || s.Stopped != debate.StoppedByUser || s.Current().Ended.IsZero() {
			t.Fatalf("%v, %s, stopped by %q", err, s.Status(), s.Stopped)
		}
		x := s.Current().AttemptsOf("cat")[0]
		if x.State != debate.TurnCancelled || x.Text() != "Well, " || x.Failure.Cause != "Cut off when you ended the debate." {
			t.Errorf("cat: %s, %q, %+v", x.State, x.Text(), x.Failure)
		}
		if n := len(h.provider.requests("light")); n > 0 || len(eventsOf[debate.Concluded](evs)) != 1 {
			t.Errorf("the light model was asked %d times", n)
		}
	})
}

// A debate that is ended before anybody has spoken has a verdict that says so.
func TestEnd_beforeAnybodyHasSpoken(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, map[string]replyFunc{"a": replyText("So.")})
		h.holding(asksModel("a"))
		run := h.engine.Start(t.Context(), h.session("collaborative", 3, "a"))
		_, s, err := follow(run, func(ev debate.Event) {
			if _, ok := ev.(debate.Text); ok {
				run.End()
			}
		})
		if err != nil || s.Verdict == nil || s.Status() != debate.Stopped {
			t.Fatalf("%v, %s", err, s.Status())
		}
	})
}

// A command that panics ends the run with an error, and leaves no lock behind.
func TestCommands_aPanicEndsTheRun(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, map[string]replyFunc{"a": replyText("So."), "b": replyText("So.")})
		p := h.holding(asksModel("a"))
		h.use(engine.Options{
			Provider: func(agents.Profile) (agents.Provider, error) { return p, nil },
			Recorder: hooked{h.store, func(write string) error {
				if write == "stop" {
					panic("no way to stop")
				}
				return nil
			}},
		})
		run := h.engine.Start(t.Context(), h.session("collaborative", 2, "a", "b"))
		_, _, err := follow(run, func(ev debate.Event) {
			if x, ok := ev.(debate.TurnEnded); ok && x.Response.Turn.Agent == "b" {
				run.End()
			}
		})
		if err == nil || !strings.Contains(err.Error(), "a defect in Roundtable") {
			t.Errorf("the run ended with %v", err)
		}
	})
}

// A seat that is cancelled while others speak before it is asked nothing, and the
// round ends without it.
func TestCancel_skipsASeatWhoseStepIsToCome(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, map[string]replyFunc{"a": replyText("Fine."), "b": replyText("Fine."), "c": replyText("Fine.")})
		p := h.holding(asksModel("a"))
		run := h.engine.Start(t.Context(), h.session("adversarial", 2, "a", "b", "c"))
		_, s, err := follow(run, func(ev debate.Event) {
			if x, ok := ev.(debate.Text); ok && !p.free.Load() {
				run.Cancel(agents.Turn{Session: x.Turn.Session, Round: 1, Step: x.Turn.Step + 1, Agent: "b"})
				synctest.Wait()
				p.free.Store(true)
				close(p.release)
			}
		})
		if err != nil || s.Status() != debate.Ready {
			t.Errorf("it ended with %v, %s", err, s.Status())
		}
		for _, x := range s.Current().Responses {
			want, calls := debate.TurnDone, 1
			if x.Turn.Agent == "b" {
				want, calls = debate.TurnCancelled, 0
			}
			if x.State != want || x.Calls != calls || len(h.provider.requests(string(x.Turn.Agent))) != calls {
				t.Errorf("%s is %s after %d calls", x.Turn.Agent, x.State, x.Calls)
			}
		}
	})
}

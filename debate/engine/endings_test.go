package engine_test

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/debate/engine"
	"roundtable/debate/ledger"
	"roundtable/debate/verdict"
	"roundtable/internal/testing/debatetest"
	"roundtable/internal/testing/must"
)

// replyHolding states the same in every round.
func replyHolding(stance string, confidence float64) replyFunc {
	return replyText(debatetest.Statement("I stay with it.", "It is so: "+stance+".", stance, confidence))
}

// endAtConsensus ends a debate in which all agree in the blind first round.
func endAtConsensus(s *debate.Session) { s.Ends = debate.EndsAgreed }

// endAtConvergence ends a debate after two rounds without a change of sides.
func endAtConvergence(s *debate.Session) { s.Ends = debate.EndsSettled }

func TestEndings_aRequiredRequestVetoesThem(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyAskingLate, "b": replyHolding("yes", 0.9)})
	_, s := h.run(h.smallSession("collaborative", 4, endAtConvergence, "a", "b"))
	evs, s := h.run(s)
	if s.Status() != debate.NeedsContext || s.Stopped != debate.NotStopped {
		t.Fatalf("%s, stopped %q", s.Status(), s.Stopped)
	}
	if n := noticesByCode(evs)["ending_vetoed"]; len(n) != 1 || !strings.Contains(n[0].Text, "C1 is required and open") {
		t.Errorf("notices: %+v", noticesByCode(evs))
	}
	evs, s = h.run(h.answer(s, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "42"}))
	if s.Status() != debate.Complete || s.Stopped != debate.EndedByConvergence || len(noticesByCode(evs)["ending_vetoed"]) > 0 {
		t.Errorf("with its answer: %s, stopped %q, %+v", s.Status(), s.Stopped, noticesByCode(evs))
	}
}

// replyAskingLate asks in round 2.
func replyAskingLate(n int, req agents.Request) ([]agents.Chunk, error) {
	if strings.Contains(req.Messages[1].Text, "This is round 2 ") {
		return replyAsking("How many?", replyHolding("yes", 0.9))(n, req)
	}
	return replyHolding("yes", 0.9)(n, req)
}

// A run never ends as if nothing had been where what its ending came to is not kept.
func TestEndings_whatCannotBeKeptIsTheRunsError(t *testing.T) {
	t.Parallel()
	for code, asker := range map[string]replyFunc{"ending_vetoed": replyAskingLate, "ended": replyHolding("yes", 0.9)} {
		h := newHarness(t, map[string]replyFunc{"a": asker, "b": replyHolding("yes", 0.9)})
		h.use(engine.Options{Tools: []tools.Tool{tools.RequestContext()}, Recorder: h.dyingAt("note " + code)})
		_, s := h.run(h.smallSession("collaborative", 4, endAtConvergence, "a", "b"))
		evs, s, err := drain(h.engine.Start(t.Context(), s))
		if !errors.Is(err, errFull) || len(noticesByCode(evs)[code]) > 0 || s.Verdict != nil {
			t.Errorf("%s: the run ended with %v, %+v, verdict %v", code, err, noticesByCode(evs), s.Verdict)
		}
	}
}

// An ending is recorded with the round that it comes from: a process that ends in
// between does not make the debate go on.
func TestEndings_outliveTheProcess(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyHolding("yes", 0.8), "b": replyHolding("yes", 0.4)})
	var ended atomic.Bool
	h.use(engine.Options{Recorder: hooked{h.store, func(write string) error {
		if ended.Load() {
			return errFull
		}
		ended.Store(write == "round-end 1")
		return nil
	}}})
	s := h.smallSession("collaborative", 4, endAtConsensus, "a", "b")
	if _, _, err := drain(h.engine.Start(t.Context(), s)); !errors.Is(err, errFull) {
		t.Fatalf("the run ended with %v", err)
	}
	h.use(engine.Options{})
	_, s = h.run(h.read(s))
	if s.Status() != debate.Complete || s.Stopped != debate.EndedByConsensus || len(s.History) != 1 || s.Verdict == nil {
		t.Errorf("%s, stopped %q after %d rounds", s.Status(), s.Stopped, len(s.History))
	}
}

// Nothing ends unless it is turned on; an estimate has no side to agree on, and an evaluation
// plays all rounds.
func TestEndings_areNotForAll(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*debate.Session){
		"off":           func(s *debate.Session) { s.Ends = "" },
		"an estimate":   func(s *debate.Session) { s.Question = debate.QuestionEstimate },
		"an evaluation": func(s *debate.Session) { s.Eval = &debate.EvalItem{} },
	} {
		h := newHarness(t, map[string]replyFunc{"a": replyHolding("yes", 0.9), "b": replyHolding("yes", 0.9)})
		_, s := h.runToVerdict(h.smallSession("collaborative", 3, func(s *debate.Session) {
			s.Ends = debate.EndsAgreed
			change(s)
		}, "a", "b"))
		if len(s.History) != 3 || s.Stopped != debate.NotStopped {
			t.Errorf("%s: %d rounds, stopped %q", name, len(s.History), s.Stopped)
		}
	}
}

// Who ended the debate stays recorded when a seat that failed is run again after it
// and the members then agree.
func TestEndings_doNotReplaceTheUsersStop(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyHolding("yes", 0.8), "b": replyFailing("exploded")})
	_, s := h.run(h.smallSession("collaborative", 4, endAtConsensus, "a", "b"))
	s = must.Get(h.store.Stop(t.Context(), s.ID, debate.StoppedByUser))(t)
	h.provider.replies["b"] = replyHolding("yes", 0.4)
	_, s, err := drain(h.engine.Retry(t.Context(), s, "b"))
	must.Do(t, err)
	if s.Status() != debate.Stopped || s.Stopped != debate.StoppedByUser || s.Verdict == nil {
		t.Errorf("%s, stopped %q", s.Status(), s.Stopped)
	}
}

// openPanel returns a session of three seats and two rounds, of which only the first seat answers.
func openPanel(t *testing.T) (*harness, debate.Session) {
	t.Helper()
	h := newHarness(t, map[string]replyFunc{"a": replyHolding("yes", 0.8), "b": replyFailing("down"), "c": replyFailing("down")})
	return h, h.session("collaborative", 2, "a", "b", "c")
}

// start runs the session as it is stored, which is what a new process does.
func (h *harness) start(s debate.Session) (debate.Session, *debate.RoundFailedError) {
	h.Helper()
	_, s, err := drain(h.engine.Start(h.Context(), h.read(s)))
	var open *debate.RoundFailedError
	if err != nil && !errors.As(err, &open) {
		h.Fatal(err)
	}
	return s, open
}

func (h *harness) goOn(s debate.Session) debate.Session {
	h.Helper()
	_, s, err := drain(h.engine.GoOn(h.Context(), h.read(s)))
	must.Do(h, err)
	return s
}

func TestOpenRound_staysOpenUntilTheUserDecides(t *testing.T) {
	t.Parallel()
	h, s := openPanel(t)
	s, open := h.start(s)
	const want = "only A of 3 seats answered in round 1"
	if open == nil || open.Summary() != want || len(open.Causes) != 2 || open.Causes[0].Cause != "down" {
		t.Fatalf("the run ended with %v, want %s", open, want)
	}
	if s.Status() != debate.Interrupted || !s.Current().Ended.IsZero() {
		t.Errorf("it is %s, ended %v", s.Status(), s.Current().Ended)
	}
	h.open() // another process
	if stored := h.read(s).OpenRound(); stored == nil || stored.Error() != open.Error() {
		t.Errorf("stored: %v", stored)
	}
	if _, open = h.start(s); open == nil || len(h.provider.requests("a")) != 1 || len(h.provider.requests("b")) != 2 {
		t.Errorf("going on after a restart: %v; a was asked %d times, b %d times", open,
			len(h.provider.requests("a")), len(h.provider.requests("b")))
	}
	s = h.goOn(s)
	if s.Next() != 2 {
		t.Fatalf("the next round is %d", s.Next())
	}
	told := noticesOf(h.read(s), "round_closed")
	if len(told) != 1 || !strings.HasPrefix(told[0], "Round 1 ends with A alone, as was decided: B") {
		t.Errorf("told: %q", told)
	}
	s, open = h.start(s) // it holds before the verdict, too
	if open == nil || open.Round != 2 || s.Verdict != nil {
		t.Fatalf("round 2: %v, %s", open, s.Status())
	}
	s = h.goOn(s)
	if s.Verdict == nil || !verdict.Count(s).Incomplete || s.Status() != debate.Complete {
		t.Fatalf("it is %s", s.Status())
	}
}

func TestOpenRound_endsWhenASeatThatIsAskedAgainAnswers(t *testing.T) {
	t.Parallel()
	h, s := openPanel(t)
	s, _ = h.start(s)
	if _, _, err := drain(h.engine.Retry(t.Context(), s, "c")); !errors.As(err, new(*debate.RoundFailedError)) {
		t.Fatalf("after a second failure: %v", err)
	}
	h.provider.replies["b"] = replyHolding("no", 0.6)
	_, s, err := drain(h.engine.Retry(t.Context(), h.read(s), "b"))
	if err != nil || s.Next() != 2 || len(s.Current().Statements()) != 2 {
		t.Fatalf("%v, the next round is %d", err, s.Next())
	}
	if n := len(h.provider.requests("c")); n != 2 {
		t.Errorf("c was asked %d times", n)
	}
	h.start(s)
	if told := noticesOf(h.read(s), "round_closed"); len(told) > 0 {
		t.Errorf("nobody decided anything: %q", told)
	}
}

func TestOpenRound_endsWithTheDebateThatTheUserEnds(t *testing.T) {
	t.Parallel()
	h, s := openPanel(t)
	s, _ = h.start(s)
	s, err := h.store.Stop(t.Context(), s.ID, debate.StoppedByUser)
	if err != nil || s.OpenRound() != nil {
		t.Fatalf("%v, still open: %v", err, s.OpenRound())
	}
	if _, s, err = drain(h.engine.Conclude(t.Context(), s)); err != nil || s.Verdict == nil || s.Status() != debate.Stopped {
		t.Fatalf("%v, it is %s", err, s.Status())
	}
}

func TestGoOn_isRefusedWhereNothingCanGoOn(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyFailing("down"), "b": replyFailing("down"), "c": replyText("So."), "d": replyText("So.")})
	silent, open := h.start(h.session("collaborative", 2, "a", "b"))
	if open == nil || open.CanGoOn() {
		t.Fatalf("nobody answered, and the run ended with %v", open)
	}
	_, whole := h.run(h.session("collaborative", 2, "c", "d"))
	for name, s := range map[string]debate.Session{
		"nobody answered": silent, "all answered": whole, "not begun": h.session("collaborative", 2, "c", "d"),
	} {
		if _, _, err := drain(h.engine.GoOn(t.Context(), s)); !errors.Is(err, debate.ErrNotReady) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

package engine_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"roundtable/debate"
	"roundtable/debate/verdict"
	"roundtable/internal/testing/must"
)

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

func TestOpenRound_isLeftOpenByASeatThatTheUserCancelled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, map[string]replyFunc{"a": replyText("So."), "b": replyText("Not so.")})
		h.holding(asksModel("b"))
		run := h.engine.Start(t.Context(), h.session("collaborative", 2, "a", "b"))
		_, s, err := follow(run, func(ev debate.Event) {
			if x, ok := ev.(debate.Text); ok && x.Turn.Agent == "b" {
				run.Cancel(x.Turn)
			}
		})
		var open *debate.RoundFailedError
		if !errors.As(err, &open) || open.Causes[0].Cause != "Cancelled by request." {
			t.Fatalf("the run ended with %v", err)
		}
		if s = h.goOn(s); s.Next() != 2 || len(h.provider.requests("b")) > 0 {
			t.Errorf("the next round is %d", s.Next())
		}
	})
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

package engine_test

import (
	"errors"
	"slices"
	"testing"

	"roundtable/debate"
	"roundtable/debate/engine"
)

func TestStart_tellsWhatRuns(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyText("So."), "b": replyText("Not so.")})
	s := h.session("collaborative", 2, "a", "b")
	var told []bool // a run has begun before its first event, and has ended before its last one
	h.use(engine.Options{OnRun: func(of debate.Session, runs bool) { told = append(told, runs && of.ID == s.ID) }})
	if h.run(s); !slices.Equal(told, []bool{true, false}) {
		t.Errorf("told %v", told)
	}
}

func TestStart_aRoundNobodyAnsweredKeepsItsNumberAndIsPlayedAgain(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyFailing("down"), "b": replyFailing("down")})
	_, s, err := drain(h.engine.Start(t.Context(), h.session("collaborative", 2, "a", "b")))
	var failed *debate.RoundFailedError
	if !errors.As(err, &failed) || len(failed.Causes) != 2 {
		t.Fatalf("err = %v", err)
	}
	if s.Status() != debate.Interrupted {
		t.Errorf("status = %s", s.Status())
	}
	if _, _, err := drain(h.engine.Conclude(t.Context(), s)); !errors.Is(err, debate.ErrNotReady) {
		t.Errorf("a verdict over half a round: %v", err)
	}
	h.provider.replies["a"], h.provider.replies["b"] = replyText("up"), replyText("up")
	_, s = h.run(h.read(s))
	if len(s.History) != 1 || s.History[0].Latest()[0].Turn.Attempt != 2 {
		t.Errorf("round 1 was not played again: %+v", s.History)
	}
}

func TestRoster_isWarnedOfOnceBeforeAnybodyIsAsked(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"gpt-4": replyText("So."), "gpt-5": replyText("So.")})
	s := h.session("collaborative", 2, "gpt-4", "gpt-5")
	evs, s := h.run(s)
	roster := func(ev debate.Event) bool {
		n, ok := ev.(debate.Noticed)
		return ok && n.Notice.Code == "roster" && n.Notice.Text == debate.WarningOneFamily && n.Notice.Round == 1
	}
	turn := func(ev debate.Event) bool { _, ok := ev.(debate.TurnStarted); return ok }
	if i := slices.IndexFunc(evs, roster); i < 1 || i > slices.IndexFunc(evs, turn) {
		t.Errorf("the warning is event %d, the first turn event %d", i, slices.IndexFunc(evs, turn))
	}
	if _, ok := evs[0].(debate.RoundStarted); !ok {
		t.Errorf("the first event is %T", evs[0])
	}
	stored := func() int { return len(noticesOf(h.read(s), "roster")) }
	if stored() != 1 {
		t.Errorf("%d are kept after round 1", stored())
	}
	evs, s = h.run(s)
	if slices.ContainsFunc(evs, roster) || stored() != 1 {
		t.Errorf("it is told again in round 2, %d are kept", stored())
	}
}

func TestStart_refusesNamesThatCannotBeHidden(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"ab": replyText("So."), "cd": replyText("So.")})
	if _, _, err := drain(h.engine.Start(t.Context(), h.session("delphi", 1, "ab", "cd"))); err == nil || h.provider.count() > 0 {
		t.Errorf("a round was begun all the same: %v, %d calls", err, h.provider.count())
	}
}

package engine_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"roundtable/debate"
	"roundtable/debate/engine"
	"roundtable/debate/verdict"
	"roundtable/internal/testing/debatetest"
)

func TestStart_playsADebateToItsVerdict(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{
		"a": replyText(debatetest.Statement("first", "So.", "yes", 0.6)),
		"b": replyText(debatetest.Statement("second", "Not so.", "no", 0.6)),
	})
	s := h.session("collaborative", 2, "a", "b")
	var told []bool // a run has begun before its first event, and has ended before its last one
	h.use(engine.Options{OnRun: func(of debate.Session, runs bool) { told = append(told, runs && of.ID == s.ID) }})
	_, s = h.run(s)
	if !slices.Equal(told, []bool{true, false}) {
		t.Errorf("told %v", told)
	}
	if got := s.Status(); got != debate.Ready {
		t.Fatalf("after round 1 the session is %s, want ready", got)
	}
	evs, s := h.run(s)
	if got := s.Status(); got != debate.Complete {
		t.Fatalf("after round 2 the session is %s, want complete", got)
	}
	if n := len(eventsOf[debate.Concluded](evs)); n != 1 {
		t.Errorf("%d verdicts announced, want 1", n)
	}
	if !strings.Contains(s.Verdict.Text, "So it is.") || verdict.Count(s).Incomplete {
		t.Errorf("verdict = %+v", s.Verdict)
	}
	read := h.read(s)
	if got, want := len(read.History), 2; got != want {
		t.Fatalf("%d rounds stored, want %d", got, want)
	}
	if got := read.History[0].Responses[1].Statement.Body; got != "second" {
		t.Errorf("stored statement = %q", got)
	}
}

func TestStart_refusesWhileRequiredIsOpenAndCallsNobody(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyAsking("How many?", replyText("I wait")), "b": replyText("go")})
	_, s := h.run(h.session("collaborative", 2, "a", "b"))
	if got := s.Status(); got != debate.NeedsContext {
		t.Fatalf("status = %s", got)
	}
	sent := h.provider.count()
	_, s2, err := drain(h.engine.Start(t.Context(), s))
	var blocked *debate.BlockedError
	if !errors.As(err, &blocked) || len(blocked.Requests) != 1 || blocked.Requests[0].ID != "C1" {
		t.Fatalf("err = %v, want a BlockedError for C1", err)
	}
	for _, want := range []string{"C1", "(a)", "How many?"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the refusal %q does not name %q", err, want)
		}
	}
	if h.provider.count() != sent {
		t.Error("a provider was called after the refusal")
	}
	s2.Requests = nil // even a front end that lost its requests is refused, by the store
	if _, _, err := drain(h.engine.Start(t.Context(), s2)); !errors.As(err, &blocked) {
		t.Errorf("the store let a round begin: %v", err)
	}
}

func TestStart_aFailedSeatIsAVisibleResultAndInNoPrompt(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyText("fine"), "b": replyFailing("server exploded 500"), "c": replyText("fine too")})
	evs, s := h.run(h.session("collaborative", 2, "a", "b", "c"))
	var failed debate.Response
	for _, e := range eventsOf[debate.TurnEnded](evs) {
		if e.Response.State == debate.TurnFailed {
			failed = e.Response
		}
	}
	if failed.Turn.Agent != "b" || failed.Failure.Cause != "server exploded 500" {
		t.Fatalf("failed response = %+v", failed)
	}
	_, s = h.run(s)
	for _, m := range []string{"a", "c"} {
		for _, r := range h.provider.requests(m) {
			for _, msg := range r.Messages {
				if strings.Contains(msg.Text, "exploded") {
					t.Fatalf("%s is told the error:\n%s", m, msg.Text)
				}
			}
		}
	}
	second := h.provider.requests("c")[1].Messages[1].Text
	if !strings.Contains(second, "B gave no response in round 1.") {
		t.Errorf("round 2 does not say that B is missing:\n%s", second)
	}
	if !verdict.Count(s).Incomplete {
		t.Error("the result is not incomplete")
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

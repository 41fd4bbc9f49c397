package engine_test

import (
	"context"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/debate"
)

func TestStart_anAnswerThatBrokeOffIsPlayedAgainOnceAsItsOwnAttempt(t *testing.T) {
	t.Parallel()
	broken := func(n int, req agents.Request) ([]agents.Chunk, error) {
		if n == 1 {
			return []agents.Chunk{{Text: "half an ans"}, {Retry: &agents.Retry{
				Cause: "The answer broke off.", Try: 1, Of: 1,
				Void: true,
			}}, {Text: "never joined"}, {Finish: agents.FinishStop}}, nil
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
		return []agents.Chunk{{Text: "half"}, {Retry: &agents.Retry{
			Cause: "The answer broke off.", Try: 1, Of: 1,
			In: time.Hour, Void: true,
		}}}, nil
	}
	h := newHarness(t, map[string]replyFunc{"a": broken, "b": replyText("x"), "c": replyText("y")})
	run := h.engine.Start(t.Context(), h.session("collaborative", 2, "a", "b", "c"))
	var ended []debate.TurnState
	for ev := range run.Events() {
		switch ev := ev.(type) {
		case debate.TurnRetrying:
			run.Cancel(ev.Turn)
		case debate.TurnEnded:
			if ev.Response.Turn.Agent == "a" {
				ended = append(ended, ev.Response.State)
			}
		case debate.RunEnded:
			if ev.Err != nil {
				t.Errorf("the round ended with %v", ev.Err)
			}
		}
	}
	if !slices.Equal(ended, []debate.TurnState{debate.TurnFailed, debate.TurnCancelled}) {
		t.Errorf("a ended as %v, want failed and, instead of the next attempt, cancelled", ended)
	}
}

func TestRetry_sendsASeatWhatItWasSentBefore(t *testing.T) {
	t.Parallel()
	bad := true
	h := newHarness(t, map[string]replyFunc{"a": replyText("from a"), "b": replyText("from b"), "c": func(n int,
		req agents.Request,
	) ([]agents.Chunk, error) {
		if bad {
			return replyFailing("down")(n, req)
		}
		return replyText("from c")(n, req)
	}})
	_, s := h.run(h.session("collaborative", 2, "a", "b", "c"))
	bad = false
	if _, _, err := drain(h.engine.Retry(t.Context(), s, "c")); err != nil {
		t.Fatal(err)
	}
	sent := h.provider.requests("c")
	if a, b := mustJSON(t, sent[0]), mustJSON(t, sent[1]); a != b {
		t.Errorf("the second attempt is sent something else:\n%s\n%s", a, b)
	}
}

// endlessOnce is a provider whose first answer of a model begins and never ends.
type endlessOnce struct {
	*scriptedProvider
	model string
	once  sync.Once
}

func (e *endlessOnce) Stream(ctx context.Context, req agents.Request) iter.Seq2[agents.Chunk, error] {
	first := false
	if req.Model == e.model {
		e.once.Do(func() { first = true })
	}
	if !first {
		return e.scriptedProvider.Stream(ctx, req)
	}
	return func(yield func(agents.Chunk, error) bool) {
		if yield(agents.Chunk{Text: "x"}, nil) {
			<-ctx.Done()
			yield(agents.Chunk{}, ctx.Err())
		}
	}
}

func TestCancelAndRetry_reachOneSeat(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyText("again"), "b": replyText("done")})
	h.useProvider(&endlessOnce{scriptedProvider: h.provider, model: "a"})
	run := h.engine.Start(t.Context(), h.session("collaborative", 2, "a", "b"))
	var states []debate.TurnState
	for ev := range run.Events() {
		switch ev := ev.(type) {
		case debate.Text:
			if ev.Turn.Agent == "a" && ev.Turn.Attempt == 1 {
				run.Cancel(ev.Turn)
			}
		case debate.TurnEnded:
			if ev.Response.Turn.Agent == "a" {
				states = append(states, ev.Response.State)
			}
		}
	}
	if !slices.Equal(states, []debate.TurnState{debate.TurnCancelled}) {
		t.Fatalf("states of a = %v", states)
	}
	s := last(t, h)
	if len(s.History[0].Latest()[0].Text()) == 0 {
		t.Error("the cancelled text was not kept")
	}
	_, s, err := drain(h.engine.Retry(t.Context(), s, "a"))
	if err != nil {
		t.Fatal(err)
	}
	if x := s.History[0].Latest()[0]; x.State != debate.TurnDone || x.Turn.Attempt != 2 {
		t.Errorf("after the retry: %+v", x)
	}
	if n := len(h.provider.requests("b")); n != 1 {
		t.Errorf("b was called %d times", n)
	}
}

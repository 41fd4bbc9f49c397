package engine_test

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/agents"
	"roundtable/debate"
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

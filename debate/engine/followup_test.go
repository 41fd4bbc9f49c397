package engine_test

import (
	"errors"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/engine"
	"roundtable/internal/testing/must"
)

// concluded plays a debate of two members to its verdict, which the first one writes.
func concluded(h *harness) debate.Session {
	h.Helper()
	_, s := h.runToVerdict(h.smallSession("collaborative", 1, nil, "a", "b"))
	return s
}

// ask asks a follow-up question, and returns what came of it.
func (h *harness) ask(s debate.Session, to agents.ID, question string) (debate.FollowUp, debate.Session) {
	h.Helper()
	evs, next, err := drain(h.engine.Ask(h.Context(), s, to, question))
	must.Do(h, err)
	ended := eventsOf[debate.FollowUpEnded](evs)
	if len(ended) != 1 || len(eventsOf[debate.FollowUpStarted](evs)) != 1 || len(eventsOf[debate.TurnEnded](evs)) != 0 {
		h.Fatalf("%d answers in %v", len(ended), evs)
	}
	return ended[0].FollowUp, next
}

func TestAsk_answersFromTheStoredDebateAndKeepsTheAnswer(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyText("I am A."), "b": replyText("B thinks so.")})
	s := concluded(h)
	verdict, spent := s.Verdict, budget.TotalSpending(s)
	first, s := h.ask(s, "", "Why so?")
	second, s := h.ask(s, "b", " And you? ")
	if first.Response.Turn.Agent != "a" || second.Response.Turn.Agent != "b" || !first.Answered() || second.Text() != "B thinks so." {
		t.Errorf("%+v\n%+v", first, second)
	}
	if s.Status() != debate.Complete || s.Verdict.Text != verdict.Text || budget.TotalSpending(s).Calls != spent.Calls+2 {
		t.Errorf("%s after %d calls", s.Status(), budget.TotalSpending(s).Calls)
	}
	stored, err := h.store.Session(t.Context(), s.ID)
	if err != nil || len(stored.FollowUps) != 2 || stored.FollowUps[1].Question != "And you?" || stored.FollowUps[1].Number() != 2 ||
		stored.FollowUps[1].Text() != "B thinks so." || stored.FollowUps[1].Response.PromptVersion == 0 {
		t.Fatalf("%v %+v", err, stored.FollowUps)
	}
	sent := h.provider.requests("b")
	last := sent[len(sent)-1]
	for _, part := range []string{"B thinks so.", "follow-up 1, answered by", "Question: Why so?", "I am A.", "The user asks:\nAnd you?"} {
		if !strings.Contains(last.Messages[1].Text, part) {
			t.Errorf("the prompt has no %q:\n%s", part, last.Messages[1].Text)
		}
	}
	if len(last.Tools) != 0 || len(last.Messages) != 2 {
		t.Errorf("%d tools, %d messages", len(last.Tools), len(last.Messages))
	}
	receipts, err := h.store.Receipts(t.Context(), s.ID)
	if err != nil || receipts[len(receipts)-1].Purpose != debate.ForFollowUp {
		t.Errorf("%v %+v", err, receipts[len(receipts)-1])
	}
}

func TestAsk_keepsWhatFailed(t *testing.T) {
	t.Parallel()
	broken := false
	h := newHarness(t, map[string]replyFunc{"a": replyText("I am A."), "b": func(n int, req agents.Request) ([]agents.Chunk, error) {
		if !broken {
			return replyText("B thinks so.")(n, req)
		}
		return []agents.Chunk{{Text: "Half an ans"}}, &agents.Failure{Kind: agents.KindTruncated, Cause: "It fell over."}
	}})
	s := concluded(h)
	broken = true
	failed, s := h.ask(s, "b", "Why so?")
	if failed.Answered() || !strings.Contains(failed.Problem(), "It fell over.") || failed.Text() != "Half an ans" {
		t.Errorf("%+v", failed)
	}
	broken = false
	again, s := h.ask(s, "b", "Why so?")
	if !again.Answered() || again.Number() != 2 || len(s.FollowUps) != 2 {
		t.Errorf("%+v", again)
	}
	sent := h.provider.requests("b")
	if text := sent[len(sent)-1].Messages[1].Text; strings.Contains(text, "Half an ans") || strings.Contains(text, "follow-up 1") {
		t.Errorf("a failed answer is passed on:\n%s", text)
	}
}

func TestAsk_canBeCancelledAndStopped(t *testing.T) {
	t.Parallel()
	var release chan struct{} // closed when the answer may come; nil: at once
	h := newHarness(t, map[string]replyFunc{"a": replyText("I am A."), "b": func(n int, req agents.Request) ([]agents.Chunk, error) {
		if release != nil {
			<-release
		}
		return replyText("B thinks so.")(n, req)
	}})
	s := concluded(h)
	for state, end := range map[debate.TurnState]func(*engine.Run, agents.Turn){
		debate.TurnCancelled:   func(r *engine.Run, t agents.Turn) { r.Cancel(t) },
		debate.TurnInterrupted: func(r *engine.Run, _ agents.Turn) { r.Stop() },
	} {
		release = make(chan struct{})
		run := h.engine.Ask(t.Context(), s, "b", "Why so?")
		evs, next, err := each(run, func(ev debate.Event) {
			switch ev := ev.(type) {
			case debate.FollowUpStarted:
				end(run, ev.Turn)
				run.Retry("a") // which must not supersede the verdict
			case debate.Refused: // after the end was ordered
				close(release)
			default:
			}
		})
		s = next
		got := eventsOf[debate.FollowUpEnded](evs)[0].FollowUp
		if got.Response.State != state || got.Answered() || got.Problem() == "" || s.Verdict == nil {
			t.Errorf("%s: %+v", state, got)
		}
		if stopped := state == debate.TurnInterrupted; errors.Is(err, debate.ErrStopped) != stopped || err != nil && !stopped {
			t.Errorf("%s: %v", state, err)
		}
	}
}

func TestAsk_needsAVerdictAndAMember(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyText("I am A."), "b": replyText("B thinks so.")})
	early := h.smallSession("collaborative", 1, nil, "a", "b")
	_, _, err := drain(h.engine.Ask(t.Context(), early, "", "Why so?"))
	var none *debate.RefusedError
	if !errors.As(err, &none) || !errors.Is(err, debate.ErrNotReady) {
		t.Errorf("%v", err)
	}
	s := concluded(h)
	for _, c := range []struct{ to, question string }{{"zed", "Why?"}, {"a", " "}, {"a", strings.Repeat("x", debate.MaxFollowUp+1)}} {
		if _, _, err := drain(h.engine.Ask(t.Context(), s, agents.ID(c.to), c.question)); err == nil {
			t.Errorf("%+.20v is asked", c)
		}
	}
}

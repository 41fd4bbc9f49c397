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
	s, err := h.store.Stop(t.Context(), s.ID, debate.StoppedByUser)
	must.Do(t, err)
	h.provider.replies["b"] = replyHolding("yes", 0.4)
	if _, s, err = drain(h.engine.Retry(t.Context(), s, "b")); err != nil {
		t.Fatal(err)
	}
	if s.Status() != debate.Stopped || s.Stopped != debate.StoppedByUser || s.Verdict == nil {
		t.Errorf("%s, stopped %q", s.Status(), s.Stopped)
	}
}

package engine_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/debate/engine"
	"roundtable/debate/ledger"
	"roundtable/debate/verdict"
	"roundtable/internal/testing/debatetest"
)

// replyHolding states the same in every round.
func replyHolding(stance string, confidence float64) replyFunc {
	return replyText(debatetest.Statement("I stay with it.", "It is so: "+stance+".", stance, confidence))
}

// endAtConsensus ends a debate in which all agree in the blind first round.
func endAtConsensus(s *debate.Session) { s.Ends = debate.EndsAgreed }

// endAtConvergence ends a debate after two rounds without a change of sides.
func endAtConvergence(s *debate.Session) { s.Ends = debate.EndsSettled }

// runToEnd plays a session until its verdict and returns the number of rounds.
func (h *harness) runToEnd(s debate.Session) (debate.Session, int) {
	h.Helper()
	for s.Verdict == nil {
		_, s = h.run(s)
	}
	return s, len(s.History)
}

func TestEndings_areOffUnlessTheyAreTurnedOn(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyHolding("yes", 1), "b": replyHolding("yes", 1)})
	s, n := h.runToEnd(h.smallSession("collaborative", 3, nil, "a", "b"))
	if n != 3 || s.Stopped != debate.NotStopped {
		t.Errorf("after %d rounds: %q", n, s.Stopped)
	}
}

func TestEndings_agreementEndsTheDebateAndItsReasonIsKept(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyHolding("yes", 0.8), "b": replyHolding("yes", 0.4)})
	evs, s := h.run(h.smallSession("collaborative", 4, endAtConsensus, "a", "b"))
	if s.Status() != debate.Complete || s.Stopped != debate.EndedByConsensus || len(s.History) != 1 {
		t.Fatalf("%s, stopped %q after %d rounds", s.Status(), s.Stopped, len(s.History))
	}
	if c := verdict.Count(s); c.Incomplete || c.Result.Side != debate.SideYes {
		t.Errorf("the result is %+v, cautions %+v", c.Result, c.Cautions)
	}
	if n := noticesByCode(evs)["ended"]; len(n) != 1 {
		t.Errorf("notices: %+v", noticesByCode(evs))
	}
	if read := h.read(s); read.Stopped != debate.EndedByConsensus || read.Ends != debate.EndsAgreed {
		t.Errorf("read back: stopped %q", read.Stopped)
	}
}

func TestEndings_canBeGoneOnFrom(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyHolding("yes", 0.8), "b": replyHolding("yes", 0.4)})
	_, s := h.run(h.smallSession("collaborative", 4, endAtConsensus, "a", "b"))
	s, err := h.store.AddRounds(t.Context(), s.ID, 2)
	if err != nil || s.Rounds != 3 || s.Stopped != debate.NotStopped || s.Verdict != nil {
		t.Fatalf("%d rounds, stopped %q, %v", s.Rounds, s.Stopped, err)
	}
	if s, n := h.runToEnd(s); n != 3 || s.Stopped != debate.NotStopped {
		t.Errorf("after %d rounds: %q", n, s.Stopped)
	}
}

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

// failingNotes is a recorder that cannot keep the notices with a code.
type failingNotes struct {
	engine.Recorder
	code string
}

func (f failingNotes) Note(ctx context.Context, session string, ns ...debate.Notice) error {
	if slices.ContainsFunc(ns, func(n debate.Notice) bool { return n.Code == f.code }) {
		return errFull
	}
	return f.Recorder.Note(ctx, session, ns...)
}

// A run never ends as if nothing had been where what its ending came to is not kept.
func TestEndings_whatCannotBeKeptIsTheRunsError(t *testing.T) {
	t.Parallel()
	for code, asker := range map[string]replyFunc{"ending_vetoed": replyAskingLate, "ended": replyHolding("yes", 0.9)} {
		h := newHarness(t, map[string]replyFunc{"a": asker, "b": replyHolding("yes", 0.9)})
		provider := func(agents.Profile) (agents.Provider, error) { return h.provider, nil }
		h.engine = engine.New(engine.Options{
			Recorder: failingNotes{h.store, code}, Provider: provider,
			Tools: []tools.Tool{tools.RequestContext{}},
		})
		_, s := h.run(h.smallSession("collaborative", 4, endAtConvergence, "a", "b"))
		evs, s, err := drain(h.engine.Start(t.Context(), s))
		if !errors.Is(err, errFull) || len(noticesByCode(evs)[code]) > 0 || s.Verdict != nil {
			t.Errorf("%s: the run ended with %v, %+v, verdict %v", code, err, noticesByCode(evs), s.Verdict)
		}
	}
}

// dyingRecorder is a recorder whose process ends as soon as a round has.
type dyingRecorder struct{ engine.Recorder }

func (d dyingRecorder) EndRound(ctx context.Context, session string, n int, same *debate.SameFindings,
	ending debate.StopReason,
) (debate.Session, error) {
	if _, err := d.Recorder.EndRound(ctx, session, n, same, ending); err != nil {
		return debate.Session{}, err
	}
	return debate.Session{}, errFull
}

// An ending is recorded with the round that it comes from: a process that ends in
// between does not make the debate go on.
func TestEndings_outliveTheProcess(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyHolding("yes", 0.8), "b": replyHolding("yes", 0.4)})
	provider := func(agents.Profile) (agents.Provider, error) { return h.provider, nil }
	mortal := engine.New(engine.Options{Recorder: dyingRecorder{h.store}, Provider: provider})
	s := h.smallSession("collaborative", 4, endAtConsensus, "a", "b")
	if _, _, err := drain(mortal.Start(t.Context(), s)); !errors.Is(err, errFull) {
		t.Fatalf("the run ended with %v", err)
	}
	s, err := h.store.Session(t.Context(), s.ID)
	if err != nil {
		t.Fatal(err)
	}
	_, s = h.run(s)
	if s.Status() != debate.Complete || s.Stopped != debate.EndedByConsensus || len(s.History) != 1 || s.Verdict == nil {
		t.Errorf("%s, stopped %q after %d rounds", s.Status(), s.Stopped, len(s.History))
	}
}

// An estimate has no side to agree on, and an evaluation plays all rounds.
func TestEndings_areNotForEstimatesAndEvaluations(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*debate.Session){
		"an estimate":   func(s *debate.Session) { s.Question = debate.QuestionEstimate },
		"an evaluation": func(s *debate.Session) { s.Eval = &debate.EvalItem{} },
	} {
		for _, ends := range debate.AllEnds() {
			h := newHarness(t, map[string]replyFunc{"a": replyHolding("yes", 0.9), "b": replyHolding("yes", 0.9)})
			s, n := h.runToEnd(h.smallSession("collaborative", 3, func(s *debate.Session) {
				s.Ends = ends
				change(s)
			}, "a", "b"))
			if n != 3 || s.Stopped != debate.NotStopped {
				t.Errorf("%s that ends %s: %d rounds, stopped %q", name, ends, n, s.Stopped)
			}
		}
	}
}

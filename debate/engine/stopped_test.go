package engine_test

import (
	"errors"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/engine"
)

// Who ended the debate stays recorded when a seat that failed is run again after it
// and the members then agree.
func TestEndings_doNotReplaceTheUsersStop(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyHolding("yes", 0.8), "b": replyFailing("exploded"), "light": replyLevel(0.93)})
	_, s := h.run(h.smallSession("collaborative", 4, endAtConsensus, "a", "b"))
	s, err := h.store.Stop(t.Context(), s.ID, debate.StoppedByUser)
	if err != nil {
		t.Fatal(err)
	}
	h.provider.replies["b"] = replyHolding("yes", 0.4)
	if _, s, err = drain(h.engine.Retry(t.Context(), s, "b")); err != nil {
		t.Fatal(err)
	}
	if s.Status() != debate.Stopped || s.Stopped != debate.StoppedByUser || s.Verdict.EndReason != "stopped by you after round 1" {
		t.Errorf("%s, stopped %q, ended %q", s.Status(), s.Stopped, s.Verdict.EndReason)
	}
}

// An ending that no longer holds when a seat that was missing has spoken ends nothing.
func TestEndings_goWhereASeatThatIsRunAgainSaysOtherwise(t *testing.T) {
	t.Parallel()
	lines := map[string]replyFunc{"a": replyHolding("yes", 0.8), "b": replyHolding("yes", 0.8), "c": replyFailing("exploded")}
	h := newHarness(t, lines)
	s := h.smallSession("collaborative", 4, func(s *debate.Session) { s.EndConditions.Convergence = true }, "a", "b", "c")
	_, s = h.run(s)
	provider := func(agents.Profile) (agents.Provider, error) { return h.provider, nil }
	mortal := engine.New(engine.Options{Recorder: dyingRecorder{h.store}, Provider: provider})
	if _, _, err := drain(mortal.Start(t.Context(), s)); !errors.Is(err, errFull) {
		t.Fatalf("the run ended with %v", err)
	}
	s, err := h.store.Session(t.Context(), s.ID)
	if err != nil || s.Stopped != debate.EndedByConvergence {
		t.Fatalf("stopped %q, %v", s.Stopped, err)
	}
	lines["c"] = replyHolding("no", 0.9)
	if _, s, err = drain(h.engine.Retry(t.Context(), s, "c")); err != nil {
		t.Fatal(err)
	}
	if s.Stopped != debate.NotStopped || s.Verdict != nil || s.Next() != 3 {
		t.Errorf("stopped %q, verdict %v, next %d", s.Stopped, s.Verdict, s.Next())
	}
}

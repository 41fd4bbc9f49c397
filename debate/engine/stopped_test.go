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
	tb := newTable(t, map[string]line{"a": holds("yes", 0.8), "b": fails("exploded"), "light": level(0.93)})
	_, s := tb.start(tb.shared("collaborative", 4, early, "a", "b"))
	s, err := tb.store.Stop(t.Context(), s.ID, debate.StoppedByUser)
	if err != nil {
		t.Fatal(err)
	}
	tb.models.lines["b"] = holds("yes", 0.4)
	if _, s, err = play(tb.engine.Retry(t.Context(), s, "b")); err != nil {
		t.Fatal(err)
	}
	if s.Status() != debate.Stopped || s.Stopped != debate.StoppedByUser || s.Verdict.EndReason != "stopped by the user after round 1" {
		t.Errorf("%s, stopped %q, ended %q", s.Status(), s.Stopped, s.Verdict.EndReason)
	}
}

// An ending that no longer holds when a seat that was missing has spoken ends nothing.
func TestEndings_goWhereASeatThatIsRunAgainSaysOtherwise(t *testing.T) {
	lines := map[string]line{"a": holds("yes", 0.8), "b": holds("yes", 0.8), "c": holds("yes", 0.8)}
	tb := newTable(t, lines)
	s := tb.shared("collaborative", 4, func(s *debate.Session) { s.EndConditions.Convergence = true }, "a", "b", "c")
	_, s = tb.start(s)
	lines["c"] = fails("exploded")
	provider := func(agents.Profile) (agents.Provider, error) { return tb.models, nil }
	mortal := engine.New(engine.Options{Recorder: dies{tb.store}, Provider: provider})
	if _, _, err := play(mortal.Start(t.Context(), s)); !errors.Is(err, errFull) {
		t.Fatalf("the run ended with %v", err)
	}
	s, err := tb.store.Session(t.Context(), s.ID)
	if err != nil || s.Stopped != debate.EndedByConvergence {
		t.Fatalf("stopped %q, %v", s.Stopped, err)
	}
	lines["c"] = holds("no", 0.9)
	if _, s, err = play(tb.engine.Retry(t.Context(), s, "c")); err != nil {
		t.Fatal(err)
	}
	if s.Stopped != debate.NotStopped || s.Verdict != nil || s.Next() != 3 {
		t.Errorf("stopped %q, verdict %v, next %d", s.Stopped, s.Verdict, s.Next())
	}
}

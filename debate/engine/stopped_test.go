package engine_test

import (
	"testing"

	"roundtable/debate"
)

// Who ended the debate stays recorded when a seat that failed is run again after it
// and the members then agree.
func TestEndings_doNotReplaceTheUsersStop(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyHolding("yes", 0.8), "b": replyFailing("exploded")})
	_, s := h.run(h.smallSession("collaborative", 4, endAtConsensus, "a", "b"))
	s, err := h.store.Stop(t.Context(), s.ID, debate.StoppedByUser)
	if err != nil {
		t.Fatal(err)
	}
	h.provider.replies["b"] = replyHolding("yes", 0.4)
	if _, s, err = drain(h.engine.Retry(t.Context(), s, "b")); err != nil {
		t.Fatal(err)
	}
	if s.Status() != debate.Stopped || s.Stopped != debate.StoppedByUser || s.Verdict == nil {
		t.Errorf("%s, stopped %q", s.Status(), s.Stopped)
	}
}

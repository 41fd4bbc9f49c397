package debate_test

import (
	"testing"

	"roundtable/debate"
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
	if s.Status() != debate.Stopped || s.Stopped != debate.StoppedByUser || s.Verdict.Ended != "stopped by the user after round 1" {
		t.Errorf("%s, stopped %q, ended %q", s.Status(), s.Stopped, s.Verdict.Ended)
	}
}

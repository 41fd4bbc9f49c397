package form_test

import (
	"testing"
)

func TestHandleKey_movesBetweenRequests(t *testing.T) {
	s := threeRequests(t)
	for _, step := range []struct{ key, want string }{
		{"alt+down", "C2 answer"},
		{"alt+down", "C3 answer"},
		{"alt+down", "release"},
		{"alt+down", "C1 answer"},
		{"alt+up", "release"},
		{"alt+up", "C3 answer"},
		{"tab", "C3 source"},
		{"alt+up", "C2 answer"},
	} {
		s.press(step.key)
		if got := focused(s); got != step.want {
			t.Fatalf("%s goes to %q, want %q", step.key, got, step.want)
		}
	}
}

// The keys at the bottom say what the next press of ctrl+s does.
func TestHint_saysWhatTheNextPressDoes(t *testing.T) {
	s := threeRequests(t)
	says := func(want string) {
		t.Helper()
		if got := textOf(s.Hint()[1:2]); got != " · "+want {
			t.Errorf("the hint is %q, want %q", got, want)
		}
	}
	says("ctrl+s go to C2")
	s.types("Yes.")
	says("ctrl+s save C1, go to C2")
	s.press("ctrl+s", "ctrl+s")
	says("ctrl+s go to the start row")
	s.press("ctrl+s")
	says("ctrl+s go to C2")
	s.press("ctrl+s")
	s.types("No.")
	s.press("ctrl+s", "ctrl+s")
	says("ctrl+s start round 3")
}

// A likely twin has a field that joins it, which tab reaches.
func TestJoin_isAField(t *testing.T) {
	s := twinForm(t, 80, 30)
	s.press("tab", "tab", "tab", "tab")
	s.has("▸ + Join C1")
	if out := s.press("enter"); out != (join{Request: "C2", Into: "C1"}) {
		t.Errorf("enter is %+v", out)
	}
}

func TestView_saysThatNobodyAsked(t *testing.T) {
	s := newHarness(t, 60, 20)
	s.rounds = 1
	s.open(options{})
	s.types("a sentence")
	s.has("No agent has asked for anything yet.", "Start round 2 with no new answers")
}

// Whoever is faster than the store starts the round all the same, when it is recorded.
func TestContinue_startsOnceAllIsRecorded(t *testing.T) {
	s := threeRequests(t)
	s.record(answers("C2", "No."))
	s.types("Yes.")
	first := s.HandleKey(keyPress("ctrl+s"))
	for range 2 {
		if out := s.HandleKey(keyPress("ctrl+s")); out != (none{}) {
			t.Fatalf("before C1 is recorded: %+v", out)
		}
	}
	if s.control.Running() {
		t.Error("before C1 is recorded the round runs")
	}
	s.record(first.(answer).Submissions)
	if out, ok := s.did.(release); !ok || len(out.Submissions) > 0 {
		t.Errorf("after it: %+v", s.did)
	}
	s.did = none{}
	if s.Recorded("C1"); s.did != (none{}) {
		t.Errorf("again: %+v", s.did)
	}
}

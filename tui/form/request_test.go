package form_test

import (
	"testing"

	"roundtable/tui/form"
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
	if out := s.press("enter"); out != (form.Join{Request: "C2", Into: "C1"}) {
		t.Errorf("enter is %+v", out)
	}
}

func TestView_saysThatNobodyAsked(t *testing.T) {
	s := newHarness(t, 60, 20)
	s.open(form.Options{Round: 2})
	s.types("a sentence")
	s.has("No agent has asked for anything yet.", "Start round 2 with no new answers")
}

// Whoever is faster than the store starts the round all the same, when it is recorded.
func TestContinue_startsOnceAllIsRecorded(t *testing.T) {
	s := threeRequests(t)
	s.record(answers("C2", "No."))
	s.types("Yes.")
	first, _ := s.HandleKey(keyPress("ctrl+s"), s.now)
	for range 2 {
		if out := s.press("ctrl+s"); out != (form.None{}) {
			t.Fatalf("before C1 is recorded: %+v", out)
		}
	}
	if out := form.Continue(s.Form); out != (form.None{}) {
		t.Errorf("before C1 is recorded: %+v", out)
	}
	s.record(first.(form.Answer).Submissions)
	if out, ok := form.Continue(s.Form).(form.Release); !ok || len(out.Submissions) > 0 {
		t.Errorf("after it: %+v", out)
	}
	if out := form.Continue(s.Form); out != (form.None{}) {
		t.Errorf("again: %+v", out)
	}
}

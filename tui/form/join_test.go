package form_test

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"
	"github.com/google/go-cmp/cmp"

	"roundtable/debate"
	"roundtable/debate/ledger"
)

// twinForm returns a form whose C2 asks what C1 asks, in other words.
func twinForm(t testing.TB, w, h int) *harness {
	s := newHarness(t, w, h)
	s.asks("ada", "How many writes per second does billing have at peak?", "It decides whether one file is enough.",
		ledger.Required, 4*time.Minute)
	s.asks("brook", "What is the peak write rate of billing per second?", "Locks queue above some rate.", ledger.Required, 2*time.Minute)
	s.asks("cy", "Who is called at night?", "Somebody has to restore it.", ledger.Required, time.Minute)
	s.open(options{GoesTo: "OpenAI (3 agents)"})
	return s
}

func TestView_drawsALikelyTwin(t *testing.T) {
	s := twinForm(t, 93, 30)
	s.press("tab", "tab")
	golden.RequireEqual(t, s.screen())
}

func TestJoin_makesOneRequestOfTwoAndKeepsBothTexts(t *testing.T) {
	for name, c := range map[string]struct{ first, second, want string }{
		"nothing typed":    {"", "", ""},
		"typed for C2":     {"", "42 at month end", "42 at month end"},
		"typed for C1":     {"About 40.", "", "About 40."},
		"typed for both":   {"About 40.", "42 at month end", "About 40.\n\n42 at month end"},
		"the same in both": {"42", "42", "42"},
	} {
		t.Run(name, func(t *testing.T) {
			s := twinForm(t, 80, 24)
			s.types(c.first)
			s.press("tab", "tab")
			s.types(c.second)
			if out := s.press("ctrl+l"); !cmp.Equal(out, outcome(join{Request: "C2", Into: "C1"})) {
				t.Fatalf("outcome %+v", out)
			}
			drafts := map[string]debate.Draft{}
			for _, d := range s.Dirty(s.now.Add(time.Second)) {
				drafts[d.Request] = d.Draft
			}
			if drafts["C1"].Text != c.want && c.second != "" && c.first != c.second || drafts["C2"].Text != "" {
				t.Errorf("drafts %+v, want %q for C1", drafts, c.want)
			}
			screen := s.screen()
			for _, part := range append(strings.Split(c.want, "\n\n"), "C1  Ada", "Brook") {
				if !strings.Contains(screen, part) {
					t.Errorf("%q is missing:\n%s", part, screen)
				}
			}
			if strings.Contains(screen, "C2") {
				t.Errorf("C2 is still listed:\n%s", screen)
			}
			s.types("!")
			if want := c.want + "!"; c.want != "" && !strings.Contains(s.screen(), want[strings.LastIndex(want, "\n")+1:]) {
				t.Errorf("typing does not go on at the end of %q:\n%s", want, s.screen())
			}
		})
	}
}

func TestJoin_refusesWhatLooksLikeNothingAndKeepsTheTextThatFails(t *testing.T) {
	s := twinForm(t, 93, 30)
	if out, ok := s.press("ctrl+l").(notice); !ok || out.Text != "C1 looks like no other open request." {
		t.Errorf("outcome %+v", out)
	}
	s.press("shift+tab", "shift+tab")
	if out, ok := s.press("ctrl+l").(notice); !ok || !strings.Contains(out.Text, "press tab") {
		t.Errorf("outcome %+v", out)
	}
	s = twinForm(t, 93, 30)
	s.press("tab", "tab")
	s.types("42")
	s.refusal = &ledger.SubmissionError{Request: "C2", Text: "C2 is not open in this session. Nothing was saved."}
	s.press("ctrl+l")
	if screen := s.screen(); !strings.Contains(screen, "Nothing was saved.") || !strings.Contains(screen, "42") {
		t.Errorf("the text or the reason is gone:\n%s", screen)
	}
}

// What is drawn before the join is stored holds the list of two requests.
func TestJoin_showsAllOfTheRequestThatIsLeft(t *testing.T) {
	s := twinForm(t, 93, 36)
	s.press("tab", "tab")
	out := s.HandleKey(keyPress("ctrl+l"))
	s.screen()
	if _, ok := out.(join); !ok {
		t.Fatalf("ctrl+l is %+v", out)
	}
	s.receive()
	s.has("C1  Ada", "asked   Brook: ", "Locks queue above some rate.")
	s.hasNot(" 1 above")
}

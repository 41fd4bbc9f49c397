package form_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/tui/form"
)

func threeRequests(t testing.TB) *harness {
	s := newHarness(t, 93, 40)
	s.asks("ada", "One?", "Because.", ledger.Required, 3*time.Minute)
	s.asks("brook", "Two?", "Because.", ledger.Required, 2*time.Minute)
	s.asks("cy", "Three?", "Because.", ledger.Optional, time.Minute)
	s.open(options{})
	return s
}

// twoRequests returns the form of two required requests with drafts that were stored.
func twoRequests(t testing.TB, w, h int, drafts map[string]debate.Draft) *harness {
	s := newHarness(t, w, h)
	s.asks("ada", "One?", "Because.", ledger.Required, time.Minute)
	s.asks("brook", "Two?", "Because.", ledger.Required, time.Minute)
	s.drafts = drafts
	s.open(options{})
	return s
}

func answers(texts ...string) []ledger.Submission {
	var out []ledger.Submission
	for i := 0; i < len(texts); i += 2 {
		out = append(out, ledger.Submission{Request: texts[i], Outcome: ledger.Answered, Content: texts[i+1]})
	}
	return out
}

func (s *harness) tabTo(where string) {
	s.Helper()
	for range 30 {
		if focused(s) == where {
			return
		}
		s.press("tab")
	}
	s.Fatalf("tab never reaches %q:\n%s", where, s.screen())
}

// focused returns the request with the focus, and the field or row with the cursor.
func focused(s *harness) string {
	s.Helper()
	lines := strings.Split(s.screen(), "\n")
	where := ""
	for _, l := range lines {
		l = strings.Trim(l, "│ ")
		switch {
		case strings.HasPrefix(l, "▸") && (strings.Contains(l, "Start round") || strings.Contains(l, "starts round") || strings.Contains(l, " waits for ")):
			where = "release"
		case strings.HasPrefix(l, "▸") && strings.Contains(l, "End now"):
			where = "end"
		case strings.HasPrefix(l, "▸"):
			where = strings.Fields(l)[3]
		case strings.Contains(l, "█") && strings.Contains(l, "source"):
			where += " source"
		case strings.Contains(l, "█"):
			where += " answer"
		}
	}
	return where
}

func TestKeys_moveTheFocus(t *testing.T) {
	fields := []string{"C1 answer", "C1 source", "C2", "C3 answer", "C3 source", "release", "end"}
	s := threeRequests(t)
	s.record(answers("C2", "Yes."))
	for _, want := range append(slices.Clone(fields), fields[0]) {
		s.at(want)
		s.press("tab")
	}
	s.press("shift+tab")
	for _, want := range slices.Backward(fields) {
		s.press("shift+tab")
		s.at(want)
	}
	for _, step := range []struct{ key, want string }{
		{"alt+down", "C2"},
		{"alt+down", "C3 answer"},
		{"alt+down", "release"},
		{"alt+down", "C1 answer"},
		{"alt+up", "release"},
		{"alt+up", "C3 answer"},
		{"tab", "C3 source"},
		{"alt+up", "C2"},
	} {
		s.press(step.key)
		s.at(step.want)
	}
}

func TestEnter_dependsOnTheField(t *testing.T) {
	s := threeRequests(t)
	s.record(answers("C2", "Yes."))
	s.types("a\nb")
	s.has("│ a ", "│ b█")
	s.press("tab", "c", "enter")
	s.at("C2")
	s.press("enter")
	s.has("Yes.█")
	s.at("C2 answer")
	s.press("tab", "tab")
	s.has("answer  Yes.") // folded again, since nothing was changed
}

func TestUnavailable_keepsBothTexts(t *testing.T) {
	s := threeRequests(t)
	stores := func(want debate.Draft) {
		t.Helper()
		want.At = s.now
		if d := s.Unsaved(); len(d) != 1 || d[0].Draft != want {
			t.Errorf("to be stored is %+v, want %+v", d, want)
		}
	}
	s.press("An answer.", "ctrl+x")
	stores(debate.Draft{Unavailable: true, Other: "An answer."})
	s.press("A reason.")
	s.has("∅ unavailable because", "A reason.█", "ctrl+x back to the answer")
	s.press("ctrl+x")
	s.has("An answer.█", "ctrl+x unavailable")
	stores(debate.Draft{Text: "An answer.", Other: "A reason."})
	s.press("ctrl+x")
	s.has("A reason.█")
}

func TestClose_keepsEveryDraft(t *testing.T) {
	s := threeRequests(t)
	s.press("Half an ans", "tab", "tab", "Another")
	if _, closed := s.press("esc").(closed); !closed {
		t.Fatalf("esc is %+v", s.last)
	}
	if got := len(s.Unsaved()); got != 2 {
		t.Errorf("%d drafts are to be stored at once, want 2", got)
	}
	s.open(options{})
	s.has("Half an ans█", "Another", "2 drafts")
}

// After a restart the drafts are found in the session.
func TestOpen_showsStoredDrafts(t *testing.T) {
	s := twoRequests(t, 93, 40, map[string]debate.Draft{
		"C1": {Text: "Half\nan ans", Source: "me"}, "C2": {Text: "Nobody", Unavailable: true, Other: "Forty-two"},
	})
	s.has("an ans█", "source  me", "draft saved, not sent yet", "your drafts for C1, C2 unavailable", "why not  Nobody",
		"∅ unavailable, draft ·")
	s.press("tab", "tab")
	s.has("Nobody█", "unavailable because")
	if len(s.Unsaved()) > 0 {
		t.Error("what was stored is to be stored again")
	}
	s.press("ctrl+x")
	s.has("Forty-two█")
}

func TestSetSession_marksWhatIsNewUntilItWasSeen(t *testing.T) {
	s := threeRequests(t)
	s.press("Half an answer", "left", "left")
	s.asks("cy", "Four?", "Because.", ledger.Required, 0)
	s.asks("cy", "Five?", "Because.", ledger.Optional, 0)
	s.record(answers("C2", "From elsewhere."))
	s.SetSession(s.session())
	s.types("!")
	s.has("Half an answ!█r", "+2 new", "new · round 2 · 0 s", "answer  From elsewhere.")
	for range 4 {
		s.press("tab")
	}
	s.has("+1 new")
	s.press("esc")
	s.open(options{})
	s.hasNot("new ·")
}

// Whatever arrives while the user types, the cursor and the text around it stay in
// place.
func TestSetSession_keepsTheCursorInPlace(t *testing.T) {
	arrivals := []struct {
		name string
		now  func(*harness)
	}{
		{"required, above an optional one", func(s *harness) { s.asks("cy", "Five?", "Because.", ledger.Required, 0) }},
		{"optional, below", func(s *harness) { s.asks("brook", "Six?", "Because.", ledger.Optional, 0) }},
		{"another asker", func(s *harness) { s.asks("cy", "four", "It is dear.", ledger.Optional, 0) }},
		{"an asker who needs it", func(s *harness) { s.asks("brook", "FOUR!", "It is very dear.", ledger.Required, 0) }},
		{"ten at once", func(s *harness) {
			for i := range 10 {
				s.asks("cy", fmt.Sprintf("Number %d?", i), "Because.", ledger.Required, 0)
			}
		}},
		{"an answer from elsewhere", func(s *harness) { s.record(answers("C1", "From elsewhere.")) }},
	}
	for _, size := range []struct{ w, h int }{{80, 21}, {93, 36}, {60, 14}} {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			s := newHarness(t, size.w, size.h)
			s.asks("ada", "One?", "Because.", ledger.Required, 3*time.Minute)
			s.asks("brook", "Two?", "Because.", ledger.Required, 2*time.Minute)
			s.asks("cy", "Three?", "Because.", ledger.Optional, time.Minute)
			s.asks("ada", "Four?", "Because.", ledger.Optional, time.Minute)
			s.open(options{Running: true})
			s.tabTo("C4 answer")
			s.types("Half an answer\nin two lines")
			s.press("left", "left")
			before, text := *cursorOf(s), rowOf(s)
			for _, a := range arrivals {
				a.now(s)
				s.SetSession(s.session())
				if at := *cursorOf(s); at != before || rowOf(s) != text {
					t.Errorf("%s: the cursor was at %v and is at %v\n%s", a.name, before, at, s.screen())
				}
			}
			s.press("!", "left")
			if at := *cursorOf(s); at != before {
				t.Errorf("with the next key the cursor moves from %v to %v\n%s", before, at, s.screen())
			}
			s.press("tab", "shift+tab")
			s.has("in two lin!es█")
		})
	}
}

func rowOf(s *harness) string { return strings.Split(s.screen(), "\n")[cursorOf(s).Y] }

func cursorOf(s *harness) *struct{ X, Y int } {
	s.screen()
	c := s.Cursor()
	if c == nil {
		s.Fatal("there is no cursor")
	}
	return &struct{ X, Y int }{c.X, c.Y}
}

// A withdrawn request stays listed while the user edits its answer.
func TestSetSession_keepsTextOfAWithdrawnRequest(t *testing.T) {
	s := threeRequests(t)
	s.types("Half")
	turn := s.ledger.Requests[0].Asks[0].Turn
	turn.Attempt = 2
	s.apply(s.now, s.ledger.Supersede(turn))
	s.SetSession(s.session())
	s.has("withdrawn", "Half█")
	s.press("ctrl+s")
	if r, _ := s.session().Request("C1"); len(r.Answers) > 0 {
		t.Error("a withdrawn request was answered")
	}
}

// A form that opens by itself leaves the keys of the first half second to the screens below, and
// one that is held down as long as it repeats. Then every key that types goes into its field.
func TestLeaves_keysThatComeTooSoon(t *testing.T) {
	s := threeRequests(t)
	s.open(options{ByItself: true})
	for _, step := range []struct {
		after  time.Duration
		key    string
		leaves bool
	}{
		{0, "j", true},
		{400 * time.Millisecond, "x", true},
		{99 * time.Millisecond, "j", true},
		{40 * time.Millisecond, "j", true},
		{100 * time.Millisecond, "j", true},
		{40 * time.Millisecond, "k", false},
		{40 * time.Millisecond, "j", true},
		{time.Second, "j", false},
	} {
		if s.now = s.now.Add(step.after); s.Leaves(step.key) != step.leaves {
			t.Errorf("%s after %v: it leaves the key: %t", step.key, step.after, !step.leaves)
		}
	}
	s.types("c1")
	s.has("│ c1█")
	s.open(options{ByItself: true})
	s.Open() // by the user's key
	if s.Leaves("j") {
		t.Error("a form that the user opened leaves keys")
	}
}

// What only goes into the form does nothing else.
func TestShow_isEnteredByKeys(t *testing.T) {
	for _, key := range []string{"enter", "tab"} {
		s := threeRequests(t)
		s.open(options{ByItself: true})
		s.press(key, "a")
		s.has("│ a█")
	}
}

// Until the field has text, the keys that move a cursor scroll what the asker has said.
func TestHandleKey_scrollsTheAskerUntilTheFieldHasText(t *testing.T) {
	s := threeRequests(t)
	for _, key := range []string{"up", "down", "ctrl+u", "ctrl+d", "home", "end", "left", "right"} {
		s.press(key)
	}
	s.press("ab", "home", ">")
	s.has("│ >█b")
}

func TestHandleKey_leavesOtherKeysAlone(t *testing.T) {
	s := threeRequests(t)
	s.types("One two")
	before := s.screen()
	for _, k := range []string{"ctrl+p", "ctrl+c", "ctrl+z", "pgup", "pgdown", "ctrl+v"} {
		if out := s.press(k); out != (none{}) || s.screen() != before {
			t.Errorf("%s does %+v", k, out)
		}
	}
	s.press("ctrl+w", "ctrl+a", ">")
	s.has("│ >█ne ") // the usual editing keys work
}

// The program asks before it ends the debate; the form only says what was chosen.
func TestEndNow_isTheLastRow(t *testing.T) {
	s := threeRequests(t)
	s.press("shift+tab")
	s.has("▸   End now: the chair writes the verdict")
	if out := s.press("enter"); out != (endNow{}) {
		t.Errorf("enter is %+v", out)
	}
	s.SetRunning(true)
	s.hasNot("End now")
}

func TestEditor_bringsTextBack(t *testing.T) {
	s := threeRequests(t)
	s.types("Half")
	if diff := cmp.Diff(outcome(form.OpenEditor{
		Request: "C1", Text: "Half", About: "One?\n\nAsked by Ada, gpt-5-mini (openai): \"Because.\"",
	}), s.press("ctrl+o")); diff != "" {
		t.Error(diff)
	}
	s.press("tab", "tab")
	s.Edited("C1", "Whole\nanswer.\n")
	s.has("│ Whole ", "answer.█", "1 draft")
	s.SetRunning(true)
	if diff := cmp.Diff(outcome(notice{Text: "The editor opens once the round is done."}), s.press("ctrl+o")); diff != "" {
		t.Error(diff)
	}
}

func TestAsker_isWhoAskedFirst(t *testing.T) {
	s := threeRequests(t)
	for _, want := range []string{"ada", "ada", "brook", "brook", "cy", "cy", "cy", "cy", "ada"} {
		if id, _ := s.Asker(); string(id) != want {
			t.Errorf("beside %q stands %s, want %s", focused(s), id, want)
		}
		s.press("tab")
	}
}

func TestView_saysThatNothingIsRequired(t *testing.T) {
	s := newHarness(t, 93, 40)
	s.rounds = 1
	s.open(options{})
	s.has("nothing required", "round 2 with no new answers")
	if out := s.press("ctrl+s"); !cmp.Equal(out, outcome(release{})) {
		t.Errorf("ctrl+s is %+v", out)
	}
	if _, ok := s.Asker(); ok {
		t.Error("there is an asker")
	}
}

// No key is told to go on while what was marked unavailable lacks its reason.
func TestHint_saysThatAReasonIsMissing(t *testing.T) {
	s := threeRequests(t)
	s.press("ctrl+x")
	if got := textOf(s.Hint()); !strings.Contains(got, "say why C1 is unavailable") || strings.Contains(got, "go to") {
		t.Errorf("the hint is %q", got)
	}
	s.types("Nobody knows.")
	if got := textOf(s.Hint()); !strings.Contains(got, "ctrl+s save C1, go to C2") {
		t.Errorf("the hint is %q", got)
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
	s.press("ctrl+s", "No.", "ctrl+s", "ctrl+s")
	says("ctrl+s start round 3")
}

// Whoever is faster than the store starts the round all the same, when it is recorded.
func TestContinue_startsOnceAllIsRecorded(t *testing.T) {
	s := threeRequests(t)
	s.record(answers("C2", "No."))
	s.types("Yes.")
	first := s.HandleKey(ctrlS)
	for range 2 {
		if out := s.HandleKey(ctrlS); out != (none{}) {
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

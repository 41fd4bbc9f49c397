package form_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/tui/form"
	"roundtable/tui/theme"
	"roundtable/tui/viewtest"
)

var noon = time.Date(2025, 11, 4, 14, 36, 0, 0, time.UTC)

func plain() *theme.Theme { return theme.New(theme.Options{Profile: colorprofile.ASCII}) }

var seats = []agents.Profile{
	{ID: "ada", Name: "Ada", Model: "gpt-5-mini", Provider: "openai"},
	{ID: "brook", Name: "Brook", Model: "claude-sonnet", Provider: "anthropic"},
	{ID: "cy", Name: "Cy", Model: "llama3.1", Provider: "ollama"},
}

// harness is a form with its surroundings: a ledger that records answers as the store
// does, and a clock.
type harness struct {
	testing.TB
	*form.Form
	ledger ledger.Ledger
	seq    int64
	calls  int
	now    time.Time
	drafts map[string]debate.Draft
	w, h   int
	last   form.Outcome
}

func newHarness(t testing.TB, w, h int) *harness {
	s := &harness{TB: t, Form: form.New(plain()), now: noon, w: w, h: h, drafts: map[string]debate.Draft{}}
	s.SetSize(w, h)
	return s
}

// asks adds a question to the ledger.
func (s *harness) asks(agent agents.ID, query, reason string, priority ledger.Priority, ago time.Duration) {
	s.Helper()
	s.calls++
	turn := agents.Turn{Session: "s", Round: 2, Attempt: 1, Agent: agent}
	_, events, err := s.ledger.Ask(turn, fmt.Sprint(s.calls), ledger.Question{Query: query, Reason: reason, Priority: priority},
		ledger.Caps{})
	if err != nil {
		s.Fatal(err)
	}
	s.apply(noon.Add(-ago), events)
}

func (s *harness) apply(at time.Time, events []ledger.Event) {
	for i := range events {
		s.seq++
		events[i].Seq, events[i].At = s.seq, at
	}
	s.ledger = s.ledger.Apply(events...)
}

// record stores submissions, as the program does for an outcome.
func (s *harness) record(subs []ledger.Submission) {
	s.Helper()
	for _, sub := range subs {
		events, err := s.ledger.Answer(sub)
		if err != nil {
			s.Refused(err)
			return
		}
		s.apply(s.now, events)
		s.SetSession(s.session())
		s.Recorded(sub.Request)
	}
}

// recordJoin stores that a request was joined to another.
func (s *harness) recordJoin(o form.Join) {
	s.Helper()
	events, err := s.ledger.Join(o.Request, o.Into)
	if err != nil {
		s.Refused(err)
		return
	}
	s.apply(s.now, events)
	s.SetSession(s.session())
}

func (s *harness) session() debate.Session {
	return debate.Session{
		ID: "s", Seats: seats, Rounds: 4, History: []debate.Round{{Number: 1, Ended: noon}, {Number: 2, Ended: noon}},
		Requests: s.ledger.Requests, Drafts: s.drafts,
	}
}

func (s *harness) open(o form.Options) {
	if o.Now.IsZero() {
		o.Now = s.now
	}
	s.Open(s.session(), o)
}

// press presses keys such as "tab" or "ctrl+s", and records the submissions of their
// outcomes.
func (s *harness) press(keys ...string) form.Outcome {
	s.Helper()
	for _, k := range keys {
		s.last, _ = s.HandleKey(keyPress(k), s.now)
		switch o := s.last.(type) {
		case form.Answer:
			s.record(o.Submissions)
		case form.Release:
			s.record(o.Submissions)
		case form.Join:
			s.recordJoin(o)
		}
	}
	return s.last
}

// types types text key by key.
func (s *harness) types(text string) {
	s.Helper()
	for _, r := range text {
		if r == '\n' {
			s.press("enter")
			continue
		}
		s.last, _ = s.HandleKey(tea.KeyPressMsg{Code: r, Text: string(r)}, s.now)
	}
}

var special = map[string]tea.KeyPressMsg{
	"tab": {Code: tea.KeyTab}, "shift+tab": {Code: tea.KeyTab, Mod: tea.ModShift}, "enter": {Code: tea.KeyEnter},
	"esc": {Code: tea.KeyEscape}, "alt+up": {Code: tea.KeyUp, Mod: tea.ModAlt}, "alt+down": {Code: tea.KeyDown, Mod: tea.ModAlt},
	"up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "pgup": {Code: tea.KeyPgUp}, "pgdown": {Code: tea.KeyPgDown},
	"backspace": {Code: tea.KeyBackspace}, "left": {Code: tea.KeyLeft}, "home": {Code: tea.KeyHome},
}

func keyPress(name string) tea.KeyPressMsg {
	if k, ok := special[name]; ok {
		return k
	}
	if c, ok := strings.CutPrefix(name, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: rune(c[0]), Mod: tea.ModCtrl}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

// screen draws the form, checks its size and inserts the cursor as █.
func (s *harness) screen() string {
	s.Helper()
	view := s.View(s.now)
	viewtest.RequireSize(s, view, s.w, s.h)
	lines := strings.Split(ansi.Strip(view), "\n")
	if c := s.Cursor(); c != nil {
		l := lines[c.Y]
		lines[c.Y] = ansi.Cut(l, 0, c.X) + "█" + ansi.Cut(l, c.X+1, s.w)
	}
	return strings.Join(lines, "\n") + "\n"
}

// has fails unless the screen contains all texts.
func (s *harness) has(texts ...string) {
	s.Helper()
	for _, text := range texts {
		if screen := s.screen(); !strings.Contains(screen, text) {
			s.Errorf("%q is missing on\n%s", text, screen)
		}
	}
}

// hasNot fails if the screen contains a text.
func (s *harness) hasNot(text string) {
	s.Helper()
	if screen := s.screen(); strings.Contains(screen, text) {
		s.Errorf("%q stands on\n%s", text, screen)
	}
}

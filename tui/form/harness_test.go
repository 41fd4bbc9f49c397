package form_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/ledger"
	"roundtable/internal/testing/must"
	"roundtable/internal/testing/viewtest"
	"roundtable/tui/form"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

var noon = time.Date(2025, 11, 4, 14, 36, 0, 0, time.UTC)

func plain() *theme.Theme { return theme.New(theme.Options{Profile: colorprofile.ASCII}) }

var seats = []agents.Profile{
	{ID: "ada", Name: "Ada", Model: "gpt-5-mini", Provider: "openai"},
	{ID: "brook", Name: "Brook", Model: "claude-sonnet", Provider: "anthropic"},
	{ID: "cy", Name: "Cy", Model: "llama3.1", Provider: "ollama"},
}

// What a key has led to: what the form has recorded by it, or which effect it returned.
type (
	outcome any
	none    struct{}
	answer  struct{ Submissions []ledger.Submission }
	release struct{ Submissions []ledger.Submission } // answers, and then the start of the round
	endNow  struct{}
	closed  struct{}
	notice  struct{ Text string }
)

type options struct {
	ByItself, Running, Final, EnterSends bool
	Now                                  time.Time
	GoesTo                               string
}

// harness is a form with its surroundings: a ledger that records answers as the store
// does, an engine that plays nothing, and a clock.
type harness struct {
	testing.TB
	*form.Screen
	ctx     context.Context // of the form; it has ended, so that no timer fires
	control *control.Controller
	options options
	th      *theme.Theme
	ledger  ledger.Ledger
	seq     int64
	calls   int
	rounds  int
	now     time.Time
	drafts  map[string]debate.Draft
	w, h    int
	last    outcome
	held    []tea.Msg // of commands, which the form has not received
	did     outcome   // by the commands of the last key
	refusal error     // of everything that is to be stored
	saved   []string  // the drafts that were to be stored
}

type player struct {
	control.Player
	*harness
}

func (p player) Start(context.Context, debate.Session) control.Run {
	if a, ok := p.did.(answer); ok {
		p.did = release(a)
	} else {
		p.did = release{}
	}
	return run{}
}

type run struct{ control.Run }

func (run) Pause(bool) {}

type writer struct {
	control.Writer
	*harness
}

func (w writer) SaveDraft(_ context.Context, _, _ string, d debate.Draft) error {
	w.saved = append(w.saved, d.Text)
	return w.refusal
}

func (w writer) Answer(_ context.Context, _ string, subs ...ledger.Submission) ([]ledger.Request, error) {
	did, _ := w.did.(answer)
	w.did = answer{append(did.Submissions, subs...)}
	if w.refusal != nil {
		return nil, w.refusal
	}
	var stored []ledger.Request
	for _, sub := range subs {
		events, err := w.ledger.Answer(sub)
		if err != nil {
			return nil, err
		}
		w.apply(w.now, events)
		r, _ := w.session().Request(sub.Request)
		stored = append(stored, r)
	}
	return stored, nil
}

func newHarness(t testing.TB, w, h int) *harness {
	ctx, end := context.WithCancel(context.Background())
	end()
	s := &harness{TB: t, ctx: ctx, th: plain(), now: noon, w: w, h: h, rounds: 2}
	s.renew()
	return s
}

// renew makes a form of the session as it is.
func (s *harness) renew() {
	s.control = control.New(s.session(), control.Options{Player: player{harness: s}, Writer: writer{harness: s}})
	s.Screen = form.New(s.ctx, form.Config{
		Theme: s.th, Control: s.control, Writer: writer{harness: s}, Saves: screen.NewSaveQueue(),
		Now: func() time.Time { return s.now }, Readers: func(debate.Session) string { return s.options.GoesTo },
		EnterSends: s.options.EnterSends, NoEditor: func() string { return "" },
	})
	s.SetSize(s.w, s.h)
}

func (s *harness) asks(agent agents.ID, query, reason string, priority ledger.Priority, ago time.Duration) {
	s.Helper()
	s.calls++
	turn := agents.Turn{Session: "s", Round: 2, Attempt: 1, Agent: agent}
	_, events, err := s.ledger.Ask(turn, fmt.Sprint(s.calls), ledger.Question{Query: query, Reason: reason, Priority: priority},
		ledger.Caps{})
	must.Do(s, err)
	s.apply(noon.Add(-ago), events)
}

func (s *harness) apply(at time.Time, events []ledger.Event) {
	for i := range events {
		s.seq++
		events[i].Seq, events[i].At = s.seq, at
	}
	s.ledger = s.ledger.Apply(events...)
}

// record stores submissions that come from elsewhere, or has the form receive that those
// of a key are stored.
func (s *harness) record(subs []ledger.Submission) {
	s.Helper()
	if len(s.held) > 0 {
		s.receive()
		return
	}
	for _, sub := range subs {
		events := must.Get(s.ledger.Answer(sub))(s)
		s.apply(s.now, events)
	}
	s.SetSession(s.session())
}

// receive has the form receive what its commands have led to.
func (s *harness) receive() {
	s.Helper()
	for len(s.held) > 0 {
		msg := s.held[0]
		s.held = s.held[1:]
		s.carryOut(msg.(screen.ThenIn).Then())
	}
}

func (s *harness) session() debate.Session {
	d := debate.Session{ID: "s", Seats: seats, Rounds: 4, Requests: s.ledger.Requests, Drafts: s.drafts}
	for n := range s.rounds {
		d.History = append(d.History, debate.Round{Number: n + 1, Ended: noon})
	}
	if s.options.Final {
		d.Rounds = s.rounds
	}
	return d
}

// SetSession replaces the session of the form.
func (s *harness) SetSession(d debate.Session) {
	s.control.SetSession(d)
	s.Screen.SetSession(s.control.Session())
}

// SetRunning begins a run, with the form open over it, or ends it.
func (s *harness) SetRunning(on bool) {
	switch {
	case on == s.control.Running():
	case on:
		s.begin()
		s.Open()
	default:
		s.control.RunEnded()
		s.Show()
	}
}

func (s *harness) begin() {
	commit := must.Get(s.control.Do(control.Continue, control.Values{}).Do(context.Background()))(s)
	commit()
}

func (s *harness) open(o options) {
	if !o.Now.IsZero() {
		s.now = o.Now
	}
	again := o.EnterSends != s.options.EnterSends
	s.options = o
	if again {
		s.renew()
	}
	s.control.SetSession(s.session())
	if o.Running && !s.control.Running() {
		s.begin()
	} else if !o.Running {
		s.control.RunEnded()
	}
	s.Shut()
	if o.ByItself {
		s.Show()
		return
	}
	s.Open()
}

// HandleKey presses a key, as the shell does, and holds back the messages that follow.
func (s *harness) HandleKey(msg tea.KeyPressMsg) outcome {
	s.Helper()
	s.did = none{}
	s.carryOut(s.command(msg.String())(msg))
	return s.did
}

// command returns what a key does.
func (s *harness) command(pressed string) func(tea.KeyPressMsg) screen.Outcome {
	for _, c := range s.Commands() {
		if slices.Contains(c.Keys(), pressed) && (c.Why == nil || c.Why() == "") {
			return func(tea.KeyPressMsg) screen.Outcome { return c.Run(pressed) }
		}
	}
	switch pressed {
	case "esc":
		return func(tea.KeyPressMsg) screen.Outcome { return s.Back() }
	case "ctrl+_":
		return func(tea.KeyPressMsg) screen.Outcome {
			out, _ := s.Undo()
			return out
		}
	}
	return s.Screen.HandleKey
}

// Paste pastes text.
func (s *harness) Paste(msg tea.PasteMsg) outcome {
	s.did = none{}
	s.carryOut(s.Screen.Paste(msg.Content))
	return s.did
}

// carryOut runs the commands of an outcome, and notes what it asks for.
func (s *harness) carryOut(out screen.Outcome) {
	s.Helper()
	for _, effect := range out {
		switch e := effect.(type) {
		case tea.Cmd:
			if msg := e(); msg != nil {
				s.held = append(s.held, msg)
			}
		case screen.Notice:
			s.did = notice{e.Text}
		case form.AskEnd:
			s.did = endNow{}
		case form.Left:
			s.did = closed{}
		case form.OpenEditor:
			s.did = e
		}
	}
}

// View draws the form.
func (s *harness) View() string { return s.Screen.View(screen.Frame{Now: s.now}) }

// press presses keys by their names, and types texts.
func (s *harness) press(keys ...string) outcome {
	s.Helper()
	for _, k := range keys {
		msg, known := keyPress(k)
		if !known {
			s.types(k)
			continue
		}
		before := s.held
		s.held = nil
		s.HandleKey(msg)
		s.receive()
		s.last, s.held = s.did, before
	}
	return s.last
}

func (s *harness) types(text string) {
	s.Helper()
	for _, r := range text {
		if r == '\n' {
			s.press("enter")
			continue
		}
		s.last = s.HandleKey(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

var special = map[string]tea.KeyPressMsg{
	"tab": {Code: tea.KeyTab}, "shift+tab": {Code: tea.KeyTab, Mod: tea.ModShift}, "enter": {Code: tea.KeyEnter},
	"esc": {Code: tea.KeyEscape}, "alt+up": {Code: tea.KeyUp, Mod: tea.ModAlt}, "alt+down": {Code: tea.KeyDown, Mod: tea.ModAlt},
	"up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "pgup": {Code: tea.KeyPgUp}, "pgdown": {Code: tea.KeyPgDown},
	"alt+enter": {Code: tea.KeyEnter, Mod: tea.ModAlt}, "backspace": {Code: tea.KeyBackspace}, "left": {Code: tea.KeyLeft},
	"right": {Code: tea.KeyRight}, "home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd},
}

func keyPress(name string) (msg tea.KeyPressMsg, known bool) {
	if k, ok := special[name]; ok {
		return k, true
	}
	if c, ok := strings.CutPrefix(name, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: rune(c[0]), Mod: tea.ModCtrl}, true
	}
	letters := []rune(name)
	return tea.KeyPressMsg{Code: letters[0], Text: name}, len(letters) == 1
}

var ctrlS = tea.KeyPressMsg{Code: 's', Mod: tea.ModCtrl}

func (s *harness) screen() string {
	s.Helper()
	view := s.View()
	viewtest.RequireSize(s, view, s.w, s.h)
	lines := strings.Split(ansi.Strip(view), "\n")
	if c := s.Cursor(); c != nil {
		l := lines[c.Y]
		lines[c.Y] = ansi.Cut(l, 0, c.X) + "█" + ansi.Cut(l, c.X+1, s.w)
	}
	return strings.Join(lines, "\n") + "\n"
}

// told fails unless the key or the paste before led to a notice that begins so.
func (s *harness) told(out outcome, begin string) {
	s.Helper()
	if note, ok := out.(notice); !ok || !strings.HasPrefix(note.Text, begin) {
		s.Errorf("%+v is no notice %q", out, begin)
	}
}

// at fails unless the focus is there, see [focused].
func (s *harness) at(where string) {
	s.Helper()
	if got := focused(s); got != where {
		s.Errorf("the focus is at %q, want %q:\n%s", got, where, s.screen())
	}
}

func (s *harness) has(texts ...string) {
	s.Helper()
	for _, text := range texts {
		if shown := s.screen(); !strings.Contains(shown, text) {
			s.Errorf("%q is missing on\n%s", text, shown)
		}
	}
}

func (s *harness) hasNot(text string) {
	s.Helper()
	if shown := s.screen(); strings.Contains(shown, text) {
		s.Errorf("%q stands on\n%s", text, shown)
	}
}

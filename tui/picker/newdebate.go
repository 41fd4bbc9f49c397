package picker

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"

	"roundtable/agents"
	"roundtable/agents/safetext"
	"roundtable/debate"
	"roundtable/tui/input"
	"roundtable/tui/theme"
)

// NewDebate is the form of a new debate: topic, mode, panel, rounds and budget.
// What is typed stays until Reset.
type NewDebate struct {
	th            *theme.Theme
	width, height int
	window        window

	offer   Offer
	seats   []SeatOffer // the offer's, with the user's choice
	modes   []debate.Mode
	mode    int
	wanted  string // the mode to choose once an offer has it; "": none
	filled  bool   // with what is configured
	rounds  int    // 0 until an offer came
	fixed   bool   // the user or the configuration chose the rounds
	budget  string
	stepped bool // the budget is a step or the configured one, which a typed sum replaces
	ends    debate.EndConditions
	topic   textarea.Model
	given   string                 // the topic that it began with
	lists   map[debate.List]string // as typed, with semicolons
	kept    *draft                 // that waits for an offer; nil: none
	past    map[spot]*input.History

	at   spot
	seat int // under the cursor, in the panel
}

// spot is a field of the form, in the order of drawing.
type spot int

const (
	onTopic spot = iota
	onMode
	onPerspectives
	onOptions
	onCriteria
	onPanel
	onRounds
	onEnds
	onBudget
	onStart
)

// NewForm returns an empty form.
func NewForm(th *theme.Theme) *NewDebate {
	f := &NewDebate{topic: textarea.New(), lists: map[debate.List]string{}, past: map[spot]*input.History{}}
	f.topic.Prompt = ""
	f.topic.ShowLineNumbers = false
	f.topic.EndOfBufferCharacter = ' '
	f.topic.SetVirtualCursor(false)
	f.topic.CharLimit, f.topic.MaxHeight = debate.MaxTopic, 0
	f.topic.KeyMap.InsertNewline = key.NewBinding(key.WithKeys("shift+enter", "alt+enter", "ctrl+j"))
	f.topic.KeyMap.PageUp.SetEnabled(false)
	f.topic.KeyMap.PageDown.SetEnabled(false)
	f.topic.KeyMap.LinePrevious = key.NewBinding(key.WithKeys("up"))
	f.topic.Focus()
	f.SetTheme(th)
	return f
}

// SetTheme changes the colours and symbols.
func (f *NewDebate) SetTheme(th *theme.Theme) {
	f.th = th
	s := f.topic.Styles()
	for _, st := range []*textarea.StyleState{&s.Focused, &s.Blurred} {
		st.Base, st.Text, st.CursorLine, st.EndOfBuffer = th.Text, th.Text, th.Text, th.Text
		st.Placeholder = th.Faint
	}
	f.topic.SetStyles(s)
}

// SetSize sets the room between the top line and the notice row.
func (f *NewDebate) SetSize(width, height int) {
	f.width, f.height = width, height
	f.topic.SetWidth(max(min(width-valueAt-2, 86), 10))
	f.fitTopic()
}

// mostTopic is how many rows the topic has at most; more of it is scrolled.
const mostTopic = 4

// fitTopic gives the topic as many rows as it needs, up to the most.
func (f *NewDebate) fitTopic() {
	// A dynamic height is what makes a textarea scroll back when it grows, within
	// what was laid out last. As a limit it would refuse lines, so it is set for
	// this moment only.
	t := &f.topic
	t.DynamicHeight, t.MinHeight, t.MaxHeight = true, 1, mostTopic
	t.SetWidth(t.Width())
	t.View()
	t.SetWidth(t.Width())
	t.DynamicHeight, t.MaxHeight = false, 0
}

// scrolls reports whether the topic has more rows than are shown.
func (f *NewDebate) scrolls() bool {
	if f.topic.Height() < mostTopic {
		return false
	}
	if f.topic.ScrollYOffset() > 0 || f.topic.Length() > mostTopic*f.topic.Width() {
		return true
	}
	rows := 0
	for l := range strings.SplitSeq(f.topic.Value(), "\n") {
		if rows += len(wrap(l+" ", f.topic.Width())); rows > mostTopic {
			return true
		}
	}
	return false
}

// Load offers what a debate can be made of. What the user has chosen already
// stays as far as it is still there.
func (f *NewDebate) Load(o Offer) {
	chosen := map[agents.ID]bool{}
	for _, s := range f.seats {
		chosen[s.Profile.ID] = s.Chosen
	}
	mode := cmp.Or(f.wanted, o.Mode)
	if f.mode < len(f.modes) {
		mode = f.modes[f.mode].Name
	}
	f.wanted = ""
	f.offer, f.modes, f.seats = o, o.Modes, slices.Clone(o.Seats)
	for i := range f.seats {
		s := &f.seats[i]
		if was, ok := chosen[s.Profile.ID]; ok {
			s.Chosen = was
		}
		s.Chosen = s.Chosen && s.Problem == ""
		s.Problem = safetext.Line(s.Problem)
	}
	f.mode = max(0, slices.IndexFunc(f.modes, func(m debate.Mode) bool { return m.Name == mode }))
	if !f.filled {
		f.filled, f.ends = true, o.Endings
		if !f.fixed {
			f.rounds, f.fixed = o.Rounds, o.Rounds > 0
		}
		if o.Budget.USD > 0 {
			f.budget, f.stepped = amount(o.Budget.USD), true
		}
	}
	f.followMode()
	f.take()
	f.seat = min(f.seat, max(len(f.seats)-1, 0))
}

// Prefill sets what is known beforehand of a debate: its topic and, where they
// are set, its mode and rounds.
func (f *NewDebate) Prefill(topic, mode string, rounds int) {
	if topic != "" {
		f.topic.SetValue(safetext.Text(topic))
		f.given = f.topic.Value()
		clear(f.past)
		f.fitTopic()
	}
	if i := slices.IndexFunc(f.modes, func(m debate.Mode) bool { return m.Name == mode }); i >= 0 {
		f.mode = i
	} else {
		f.wanted = mode
	}
	if rounds > 0 {
		f.rounds, f.fixed = min(rounds, debate.MaxRounds), true
	}
	f.followMode()
}

// Topic returns what the debate is to be about, as far as it is typed.
func (f *NewDebate) Topic() string { return strings.TrimSpace(f.topic.Value()) }

// Typed reports whether there is a topic that the user has typed.
func (f *NewDebate) Typed() bool {
	return f.Topic() != "" && f.Topic() != strings.TrimSpace(f.given)
}

// OnlyDemo reports whether there are speakers, but fewer than two of them can take
// a seat: what can be played is the demo.
func (f *NewDebate) OnlyDemo() bool { return len(f.seats) > 0 && f.offer.Ready() < 2 }

// Reset forgets what was typed, once the debate has begun.
func (f *NewDebate) Reset() {
	f.topic.Reset()
	f.lists = map[debate.List]string{}
	clear(f.past)
	f.fitTopic()
	f.focus(onTopic)
}

// followMode takes the mode's own number of rounds until the user chose one.
func (f *NewDebate) followMode() {
	if !f.fixed && len(f.modes) > 0 {
		f.rounds = f.modes[f.mode].Rounds
	}
}

// panel returns the chosen seats.
func (f *NewDebate) panel() []SeatOffer {
	var out []SeatOffer
	for _, s := range f.seats {
		if s.Chosen {
			out = append(out, s)
		}
	}
	return out
}

// Typing reports whether keys are text at the moment.
func (f *NewDebate) Typing() bool {
	_, list := listAt[f.at]
	return f.at == onTopic || list
}

// focus moves to a field.
func (f *NewDebate) focus(at spot) {
	f.at = max(onTopic, min(at, onStart))
	if f.at == onTopic {
		f.topic.Focus()
		return
	}
	f.topic.Blur()
}

// Next moves to the next field, or with -1 to the one before.
func (f *NewDebate) Next(n int) {
	at, by := f.at, spot(1)
	if n < 0 {
		by = -1
	}
	for left := n; left != 0; left -= int(by) {
		for at += by; !f.has(at); at += by { // what the mode does not have
		}
	}
	f.focus(at)
	if f.at == onPanel {
		f.seat = 0
		if n < 0 {
			f.seat = max(len(f.seats)-1, 0)
		}
	}
}

// Move goes a row up or down: through the seats of the panel, else by fields.
func (f *NewDebate) Move(n int) {
	if next := f.seat + n; f.at == onPanel && next >= 0 && next < len(f.seats) {
		f.seat = next
		return
	}
	f.Next(n)
}

// Change takes the next or the previous value of the field.
func (f *NewDebate) Change(n int) {
	switch f.at {
	case onMode:
		if k := len(f.modes); k > 0 {
			f.mode = (f.mode + n + k) % k
			f.followMode()
		}
	case onRounds:
		f.rounds, f.fixed = max(1, min(f.rounds+n, debate.MaxRounds)), true
	case onEnds:
		f.ends = otherEnds(f.ends, n)
	case onBudget:
		f.budget, f.stepped = step(f.budget, n), true
	case onTopic, onPerspectives, onOptions, onCriteria, onPanel, onStart:
	}
}

// otherEnds returns the next of the ways to end early, or with -1 the one before:
// none, at a consensus, when nobody moves, at either.
func otherEnds(e debate.EndConditions, n int) debate.EndConditions {
	at := 0
	if e.OnConsensus {
		at++
	}
	if e.Convergence {
		at += 2
	}
	at = (at + n + 4) % 4
	e.OnConsensus, e.Convergence = at&1 != 0, at&2 != 0
	return e
}

// Toggle takes the seat under the cursor in or out. It returns why it cannot.
func (f *NewDebate) Toggle() error {
	if f.at != onPanel || f.seat >= len(f.seats) {
		return nil
	}
	s := &f.seats[f.seat]
	switch {
	case s.Problem != "":
		return fmt.Errorf("%s cannot take a seat: %s", s.Profile.Name, s.Problem)
	case !s.Chosen && len(f.panel()) >= debate.MaxSeats:
		return fmt.Errorf("the panel has %d seats, which is the most", debate.MaxSeats)
	}
	s.Chosen = !s.Chosen
	return nil
}

// Ready reports whether enter starts the debate, since the last row has the focus.
func (f *NewDebate) Ready() bool { return f.at == onStart }

// HandleKey types a key into the topic, or digits into rounds and budget. It
// reports whether it had any use for it.
func (f *NewDebate) HandleKey(msg tea.KeyPressMsg) (bool, tea.Cmd) {
	defer f.remember(f.state())
	k := msg.String()
	switch f.at {
	case onTopic:
		if k == "enter" {
			f.Next(1)
			return true, nil
		}
		var cmd tea.Cmd
		f.topic, cmd = f.topic.Update(msg)
		f.fitTopic()
		return true, cmd
	case onRounds:
		if len(k) == 1 && k[0] >= '1' && k[0] <= '9' {
			f.rounds, f.fixed = int(k[0]-'0'), true
			return true, nil
		}
	case onBudget:
		return f.typeBudget(k), nil
	case onPerspectives, onOptions, onCriteria:
		return f.typeList(listAt[f.at], msg), nil
	case onMode, onPanel, onEnds, onStart:
	}
	return false, nil
}

// Paste puts text into the topic.
func (f *NewDebate) Paste(text string) tea.Cmd {
	defer f.remember(f.state())
	if l, list := listAt[f.at]; list {
		f.lists[l] = head(f.lists[l]+safetext.Line(text), maxTyped)
		return nil
	}
	if f.at != onTopic {
		return nil
	}
	var cmd tea.Cmd
	f.topic, cmd = f.topic.Update(tea.PasteMsg{Content: safetext.Text(text)})
	f.fitTopic()
	return cmd
}

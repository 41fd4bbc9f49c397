package tui

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// place is a screen as far as keys are concerned; several of them are a sum. It is
// no enumeration, since hardly any switch over it names all.
type place = uint16

const (
	atHome place = 1 << iota
	atFirst
	atNew
	atDebate
	atVerdict
	atLog
	atReceipt
	atForm

	atSession = atDebate | atVerdict
	atLists   = atHome | atLog
	anywhere  = atHome | atFirst | atNew | atDebate | atVerdict | atLog | atReceipt | atForm
)

// group is a heading of the help screen.
type group string

const (
	moving    group = "Move"
	steering  group = "Steer"
	answering group = "Answer the agents"
	looking   group = "Look closer"
	choosing  group = "This screen"
	always    group = "Everywhere"
)

// command is something the user can do. Its binding drives keys, help, bottom
// line and palette alike; it is disabled wherever it cannot run.
type command struct {
	key.Binding
	title string // in the palette; "" is not listed there
	group group
	on    place
	field bool // works while text is typed, too

	hint func(*Model) string // for the bottom line; nil or "" is none
	rank int                 // of the hint: 1 stays longest
	end  bool                // the hint stands at the right end of every screen
	now  func(*Model) bool   // the hint is what is to be done next

	writes bool // it changes what is stored, as all that steers does

	has func(Deps) bool     // whether the program can do it at all; nil: it can
	why func(*Model) string // why it cannot run now; nil or "" when it can
	run func(m *Model, key string) tea.Cmd
}

// bind makes the binding of a command: its keys, and how help shows them; a
// command without help text is listed with a neighbour.
func bind(keys []string, shown, desc string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, desc))
}

// say is a hint that is always the same.
func say(hint string) func(*Model) string { return func(*Model) string { return hint } }

// do makes a command's action of a method.
func do(f func(*Model) tea.Cmd) func(*Model, string) tea.Cmd {
	return func(m *Model, _ string) tea.Cmd { return f(m) }
}

// with makes a command's action of a method and its argument.
func with[T any](f func(*Model, T) tea.Cmd, arg T) func(*Model, string) tea.Cmd {
	return func(m *Model, _ string) tea.Cmd { return f(m, arg) }
}

// enable sets which commands can run now.
func (m *Model) enable() {
	at := m.place()
	for i := range m.commands {
		c := &m.commands[i]
		c.SetEnabled(c.on&at != 0 && c.reason(m) == "")
	}
}

func (c command) reason(m *Model) string {
	if m.deps.ReadOnly != "" && (c.writes || c.group == steering) {
		return "Debates can be read here; nothing can be saved: " + m.deps.ReadOnly + "."
	}
	if c.why == nil {
		return ""
	}
	return c.why(m)
}

// command returns the command of a key at the present place, whether it can run
// or not. While text is typed only those for fields count.
func (m *Model) command(pressed string) (command, bool) {
	at, typing := m.place(), m.typing()
	i := slices.IndexFunc(m.commands, func(c command) bool {
		return c.on&at != 0 && (c.field || !typing) && slices.Contains(c.Keys(), pressed)
	})
	if i < 0 {
		return command{}, false
	}
	return m.commands[i], true
}

// perform runs a command, or says why it cannot run.
func (m *Model) perform(c command, pressed string) tea.Cmd {
	if why := c.reason(m); why != "" {
		m.tell(plainly, why)
		return nil
	}
	return c.run(m, pressed)
}

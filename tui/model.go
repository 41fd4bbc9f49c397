package tui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// Model is the shell, and the only model of Bubble Tea: it routes messages to the
// screen on top of its stack. It keeps the context that its commands run in, since
// Bubble Tea hands none out.
type Model struct {
	ctx  context.Context
	deps Deps
	th   *theme.Theme
	look theme.Options
	w, h int

	stack    []screen.Screen // the one on top is shown; never the context form, which lies over a session
	lobby    *lobby
	sessions *sessions
	open     *openSession // nil: none
	resume   string       // the last session that was open, for Farewell

	common   []commonCommand
	shared   map[screen.Shared]screen.Command
	help     *help
	palette  *palette
	question *question
	notices  notices
	blurred  bool // the window has no focus
	quitting bool // ctrl+c was pressed once

	spin     int
	spinning bool      // a tick of the spinner is on its way
	turning  bool      // the next events turn the spinner
	fed      time.Time // when events came last
}

// New returns the interface. Its commands end with the context.
func New(ctx context.Context, deps Deps) *Model {
	if deps.Now == nil {
		deps.Now = time.Now
	}
	m := &Model{ctx: ctx, deps: deps, th: theme.New(deps.Theme), look: deps.Theme, sessions: &sessions{ctx: ctx, deps: deps}}
	m.lobby = newLobby(ctx, deps, m.th, m)
	m.common, m.shared = m.commonCommands(), m.sharedCommands()
	m.show(m.lobby.home)
	if deps.Start.New {
		m.show(m.lobby.home, m.lobby.fresh)
	}
	if deps.ReadOnly != "" {
		m.announce(screen.Notice{Text: "Nothing can be saved: " + deps.ReadOnly + ".", Keys: "Debates can be read.", Tone: screen.Error})
	}
	return m
}

// Init asks for what is shown first.
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{m.lobby.readSessions(), m.lobby.readOffer(), m.lobby.readDraft()}
	if !m.deps.Fixed {
		cmds = append(cmds, tea.RequestBackgroundColor)
	}
	if id := m.deps.Start.Session; id != "" {
		cmds = append(cmds, m.openID(id))
	}
	return tea.Batch(cmds...)
}

// Farewell returns what to print after quitting: how to go on with the session
// that was open; "" if there was none.
func (m *Model) Farewell() string {
	if m.resume == "" {
		return ""
	}
	return "Continue: roundtable resume " + m.resume
}

// Drain ends what is still under way, once the program has ended: it stops the
// runs and reads them to their end, saves what was typed as drafts, and releases
// the locks.
func (m *Model) Drain() error {
	if m.open != nil {
		m.sessions.left = append(m.sessions.left, m.open.leave())
		m.open = nil
	}
	return errors.Join(m.lobby.saveLast(), m.sessions.drain())
}

// base returns the screen on top of the stack, under the context form.
func (m *Model) base() screen.Screen { return m.stack[len(m.stack)-1] }

// onSession reports whether the debate or the verdict is on top of the stack.
func (m *Model) onSession() bool { return m.open != nil && m.open.owns(m.base()) }

// top returns the screen that is shown and has the keys.
func (m *Model) top() screen.Screen {
	if m.onForm() {
		return m.open.debate.Form
	}
	return m.base()
}

// onForm reports whether the context form is shown.
func (m *Model) onForm() bool { return m.onSession() && m.open.debate.Form.IsOpen() }

// show replaces the stack of screens.
func (m *Model) show(stack ...screen.Screen) { m.stack = stack }

// showSession shows a screen of the session over the debate.
func (m *Model) showSession(over ...screen.Screen) {
	m.stack = append([]screen.Screen{m.open.debate.Screen}, over...)
}

// showLobby shows screens that are not of the session over the debate, if one is open.
func (m *Model) showLobby(screens ...screen.Screen) {
	if m.open != nil {
		m.showSession(screens...)
		return
	}
	m.show(screens...)
}

// push shows a screen over the others.
func (m *Model) push(s screen.Screen) {
	if m.base() != s {
		m.stack = append(m.stack, s)
	}
}

// back leaves the screen for the one below it; on the last one it takes the notice
// away.
func (m *Model) back() {
	if len(m.stack) == 1 {
		m.notices.clear()
		return
	}
	m.stack = m.stack[:len(m.stack)-1]
}

// typing reports whether keys are text at the moment.
func (m *Model) typing() bool { return m.prompting() != nil || m.top().Typing() }

// prompting returns the prompt that has the keys; nil if there is none.
func (m *Model) prompting() *prompt {
	if m.onSession() && !m.onForm() {
		return m.open.prompt
	}
	return nil
}

// now is the time on the screen.
func (m *Model) now() time.Time { return m.deps.Now() }

// running reports whether a run of the open session is under way.
func (m *Model) running() bool { return m.open != nil && m.open.debate.Running() }

// openID returns the id of the open session; "" if there is none.
func (m *Model) openedID() string {
	if m.open == nil {
		return ""
	}
	return m.open.debate.Session().ID
}

// setTheme gives all parts new colours.
func (m *Model) setTheme(look theme.Options) {
	if look == m.look {
		return
	}
	m.look, m.th = look, theme.New(look)
	m.lobby.setTheme(m.th)
	if m.open != nil {
		m.open.setTheme(m.th)
	}
}

// resize gives all parts their room.
func (m *Model) resize(w, h int) {
	m.w, m.h = w, h
	if screen.TooSmall(w, h) {
		return
	}
	m.lobby.setSize(w, h-3)
	if m.open != nil {
		m.open.setSize(w, h-3)
	}
}

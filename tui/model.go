package tui

import (
	"context"
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"
	"roundtable/internal/text"
	"roundtable/tui/attach"
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

	stack    *stack
	launcher *launcher
	sessions *sessions
	files    *attach.Service
	resume   string // the last session that was open, for Farewell

	commands *commands
	outside  *outside
	database *database
	tools    toolApprovals
	help     *help
	palette  *palette
	question *question
	notices  notices
	blurred  bool      // the window has no focus
	unheard  time.Time // when a key was last pressed that did nothing, or one after it

	spinner *spinner
}

// New returns the interface. Its commands end with the context.
func New(ctx context.Context, deps Deps) *Model {
	if deps.Now == nil {
		deps.Now = time.Now
	}
	if deps.Replay != nil {
		deps.ReadOnly = "this is a replay"
	}
	m := &Model{
		ctx: ctx, deps: deps, th: theme.New(deps.Theme), look: deps.Theme, stack: &stack{},
		sessions: &sessions{ctx: ctx, deps: deps, saves: screen.NewSaveQueue()}, spinner: &spinner{ctx: ctx, now: deps.Now},
	}
	m.files = attach.New(ctx, deps.Files, deps.Evidence, m.sessions.saves)
	m.launcher = newLauncher(ctx, deps, m.sessions.saves, m.th, m.stack)
	m.launcher.setup.SetFiles(m.files)
	m.database = &database{ctx: ctx, deps: deps}
	m.tools = toolApprovals{ctx, deps.Tools}
	m.outside = &outside{ctx: ctx, deps: deps, stack: m.stack}
	if deps.SaveCopy != nil {
		m.outside.saveCopy = m.database.saveCopy
	}
	m.commands = &commands{
		stack: m.stack, readOnly: deps.ReadOnly, common: append(m.commonCommands(), m.paletteCommands()...), shared: m.sharedCommands(),
	}
	if deps.Replay != nil {
		m.commands.refuseInReplay()
	}
	m.stack.show(m.launcher.home)
	if deps.Start.New {
		m.stack.show(m.launcher.home, m.launcher.setup)
	}
	if deps.ReadOnly != "" && deps.Replay == nil {
		m.announce(screen.Notice{Text: "Nothing can be saved: " + deps.ReadOnly + ".", Keys: "Read-only.", Tone: screen.Error})
	}
	return m
}

// Init asks for what is shown first.
func (m *Model) Init() tea.Cmd {
	if m.deps.Replay != nil { // nothing else is looked for
		return tea.Batch(m.deps.requestBackground(), m.openByID(m.deps.Start.Session))
	}
	cmds := []tea.Cmd{m.deps.requestBackground(), m.launcher.home.ReadSessions(), m.launcher.readOffer(), m.launcher.readDraft()}
	cmds = append(cmds, m.launcher.setup.LookAtFiles())
	if id := m.deps.Start.Session; id != "" {
		cmds = append(cmds, m.openByID(id))
	}
	return tea.Batch(cmds...)
}

// requestBackground asks the terminal for its colours, unless the theme was chosen.
func (d Deps) requestBackground() tea.Cmd {
	if d.Fixed {
		return nil
	}
	return tea.RequestBackgroundColor
}

// Farewell returns what to print after quitting: how to go on with the session
// that was open; "" if there was none or it is lost.
func (m *Model) Farewell() string {
	switch {
	case m.resume == "" || m.database.lost() != nil && m.database.copied == "":
		return ""
	case m.database.lost() != nil:
		return fmt.Sprintf("Continue: roundtable --db %s resume %s", text.Line(m.database.copied), m.resume)
	}
	return "Continue: roundtable resume " + m.resume
}

// Drain ends what is still under way, once the program has ended: it stops the
// runs and reads them to their end, saves what was typed as drafts, and releases
// the locks. If all is lost, that is its error.
func (m *Model) Drain() error {
	if m.stack.open != nil {
		m.sessions.closing = append(m.sessions.closing, m.stack.open.leave())
		m.stack.open = nil
	}
	err := errors.Join(m.launcher.saveLast(), m.sessions.drain())
	if lost := m.database.lost(); lost != nil && m.database.copied == "" {
		return lost
	} else if lost != nil { // what was saved is in the copy
		return nil
	}
	return err
}

// setTheme gives all parts new colours.
func (m *Model) setTheme(look theme.Options) {
	if look == m.look {
		return
	}
	m.look, m.th = look, theme.New(look)
	m.launcher.setTheme(m.th)
	if m.stack.open != nil {
		m.stack.open.setTheme(m.th)
	}
}

// resize gives all parts their room.
func (m *Model) resize(w, h int) {
	m.w, m.h = w, h
	if screen.TooSmall(w, h) {
		return
	}
	m.launcher.setSize(w, h-3)
	if m.stack.open != nil {
		m.stack.open.setSize(w, h-3)
	}
}

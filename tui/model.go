package tui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/tui/picker"
	"roundtable/tui/theme"
)


// Model is the whole interface, and the only model of Bubble Tea: its parts are
// plain components that it routes to. It keeps the context that its commands
// run in, since Bubble Tea hands none out.
type Model struct {
	ctx  context.Context
	deps Deps
	th   *theme.Theme
	look theme.Options
	w, h int

	screen   place // never atForm: the form lies over a session
	commands []command
	help     *help
	palette  *palette
	question *question
	notice   notice
	alarm    notice   // bad news that stands; it may be behind another notice
	told     []notice // the notices before, oldest first
	blurred  bool     // the window has no focus

	home    *picker.Home
	first   *picker.First
	fresh   *picker.NewDebate
	unbegun unbegun
	offer   picker.Offer
	offered bool
	listed  bool
	deleted []debate.SessionSummary // the sessions that u brings back, the last first

	board   *board // the open session; nil: none
	left    []*live
	waiting string // the session to open once it is free again
	opening bool   // a session is being opened or made
	resume  string // the last session that was open, for Farewell

	spin     int
	spinning bool      // a tick of the spinner is on its way
	turning  bool      // the next events turn the spinner
	fed      time.Time // when events came last
	saving   bool      // a tick for saving drafts is on its way
	quitting bool
}

// New returns the interface. Its commands end with the context.
func New(ctx context.Context, deps Deps) *Model {
	if deps.Now == nil {
		deps.Now = time.Now
	}
	th := theme.New(deps.Theme)
	m := &Model{
		ctx: ctx, deps: deps, th: th, look: deps.Theme, commands: commands(deps), screen: atHome,
		home: picker.NewHome(th), first: picker.NewFirst(th), fresh: picker.NewForm(th),
	}
	m.fresh.Prefill(deps.Start.Topic, deps.Start.Mode, deps.Start.Rounds)
	if deps.Start.New {
		m.screen = atNew
	}
	if deps.ReadOnly != "" {
		m.announce(notice{text: "Nothing can be saved: " + deps.ReadOnly + ".", keys: "Debates can be read.", tone: badly})
	}
	m.enable()
	return m
}

// Init asks for what is shown first.
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{m.readSessions(), m.readOffer(), m.readNew()}
	if !m.deps.Fixed {
		cmds = append(cmds, tea.RequestBackgroundColor)
	}
	if id := m.deps.Start.Session; id != "" {
		cmds = append(cmds, m.open(id))
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
// runs and reads them to their end, keeps what was typed as drafts, and gives
// the locks back.
func (m *Model) Drain() error {
	if m.board != nil {
		l := m.board.live
		if l == nil {
			l = &live{session: m.board.session.ID}
		}
		l.drafts = m.board.sheet.unsaved(m.now(), true)
		m.left = append(m.left, l)
		m.board = nil
	}
	for _, l := range m.left {
		if l.run != nil {
			l.run.Stop()
		}
	}
	errs := []error{m.lastNew()}
	for _, l := range m.left {
		if l.run != nil {
			for range l.run.Events() {
			}
		}
		errs = append(errs, release(context.WithoutCancel(m.ctx), m.deps, l))
	}
	m.left = nil
	return errors.Join(errs...)
}

// place is where the user is.
func (m *Model) place() place {
	if m.board != nil && m.board.asking() && m.screen&atSession != 0 {
		return atForm
	}
	return m.screen
}

// typing reports whether keys are text at the moment.
func (m *Model) typing() bool {
	switch m.place() {
	case atHome:
		return m.home.Typing()
	case atNew:
		return m.fresh.Typing()
	case atForm:
		return true
	case atLog:
		return m.board.log.typing
	case atDebate, atVerdict:
		return m.board.finder.on || m.board.prompt != nil
	}
	return false
}

// now is the time on the screen.
func (m *Model) now() time.Time { return m.deps.Now() }

// setTheme gives all parts new colours.
func (m *Model) setTheme(look theme.Options) {
	if look == m.look {
		return
	}
	m.look, m.th = look, theme.New(look)
	m.home.SetTheme(m.th)
	m.first.SetTheme(m.th)
	m.fresh.SetTheme(m.th)
	if m.board != nil {
		m.board.setTheme(m.th)
	}
}

// resize gives all parts their room.
func (m *Model) resize(w, h int) {
	m.w, m.h = w, h
	if tooSmall(w, h) {
		return
	}
	for _, c := range []interface{ SetSize(w, h int) }{m.home, m.first, m.fresh} {
		c.SetSize(w, h-3)
	}
	m.arrange()
}

// arrange places the panes, the form and the reports of the open session.
func (m *Model) arrange() {
	if m.board != nil && !tooSmall(m.w, m.h) {
		m.board.arrange(m.w, m.h)
		if p := m.board.prompt; p != nil {
			p.relabel(p.label, m.w)
		}
	}
}

// running reports whether a run of the open session is under way.
func (m *Model) running() bool { return m.board != nil && m.board.live != nil }

// replace takes over a session as it was read back.
func (m *Model) replace(s debate.Session) {
	m.board.replace(s)
	m.arrange()
}

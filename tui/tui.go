// Package tui is the terminal interface: a shell that shows one screen at a time,
// with its notices, questions, help and palette, and that reads the events of runs.
//
// It imports debate, ledger, agents, internal/text and the screens below it. What it
// needs of an engine and a store are the small interfaces here; it must not know
// SQL, providers or files. Update and View do no I/O: whatever may block is a
// command, and whatever happens in a debate comes as events.
package tui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/internal/text"
	"roundtable/tui/attach"
	"roundtable/tui/debateview"
	"roundtable/tui/home"
	"roundtable/tui/reader"
	"roundtable/tui/screen"
	"roundtable/tui/setup"
	"roundtable/tui/theme"
)

// Sessions lists, opens and changes stored sessions.
type Sessions interface {
	home.Store
	// Open locks a session, repairs what a crash has left, and returns it.
	Open(ctx context.Context, id string) (debate.Session, error)
	// Read returns a session that another process has open if it has changed since a time, and
	// its holder, which is nil once it is closed there.
	Read(ctx context.Context, id string, since time.Time) (s debate.Session, by *debate.Holder, err error)
	// Close releases the lock.
	Close(id string) error
	// Create writes a new session and locks it.
	Create(ctx context.Context, s debate.Session) (debate.Session, error)
	// Fork makes a fork of a session and locks it.
	Fork(ctx context.Context, id string, plan debate.ForkPlan) (debate.Session, error)
	// KeepNew saves what is typed for a new debate; without any text it is deleted.
	KeepNew(ctx context.Context, d debate.Draft) error
	// KeptNew returns that, its zero value if there is nothing.
	KeptNew(ctx context.Context) (debate.Draft, error)
}

// Deps are what the interface works with. Player, Sessions, Writer, Receipts and Offer are needed;
// without Now it is time.Now, and what else is nil is not offered. Export writes to a new file; running
// says that a round is under way.
type Deps struct {
	debateview.Common
	Sessions Sessions

	Files    attach.Files // looks at the files that the user attaches
	Evidence attach.Adder // is needed with Files

	Receipts  reader.Requests
	Offer     func(ctx context.Context) (setup.Options, error) // looks for models
	Models    setup.ModelLister                                // nil: models cannot be chosen
	SavePanel setup.PanelSaver                                 // nil: panels cannot be saved
	// Review makes the review of what the repository here has changed since a base. Notes say what
	// of it is not shown to the seats. Nil: no review can be started.
	Review      func(ctx context.Context, base string) (review debate.Session, notes []string, err error)
	WriteConfig func(ctx context.Context) (path string, err error)
	Export      func(ctx context.Context, s debate.Session, running bool, f report.Format) (path string, err error)

	Panels []debate.Panel // that a fork can change to

	// Check returns an error if what was saved cannot be found again, since the
	// database was removed for instance. SaveCopy writes all that was saved to a new
	// database, also then, and returns its path. Both are given, or neither: then
	// nothing can be lost.
	Check    func() error
	SaveCopy func(ctx context.Context) (path string, err error)

	// Suspend stops the process and returns when it continues; an error says why it
	// was not stopped.
	Suspend func() error

	ReadOnly string // why nothing can be saved, such as "the database is read-only"; "": it can

	Editor []string // command and arguments; the file comes last

	Theme      theme.Options // what is known about the terminal
	Fixed      bool          // the theme was chosen: the terminal is not asked
	ASCII      bool          // the terminal does not speak UTF-8: nothing else is written
	Mouse      bool          // handle the wheel and clicks; the terminal selects no text then
	Commands   text.Program  // words command lines
	KeysNotice string        // why some of them are not used; "": all are
	Notify     bool          // ring when the debate waits and the window has no focus
	Background int           // how many debates run at once at most; 0: 4
	Start      Start

	Terminal Terminal
}

// Start says what to show first; its zero value is the list of sessions.
type Start struct {
	Session string // open this one, paused
	New     bool   // open the form of a new debate
	Begin   bool   // and begin it at once
	Topic   string
	Mode    string
	Rounds  int
	Files   []string // paths that the form has from the beginning; the user is not asked about them
}

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
	sessions *sessions
	files    *attach.Service
	launcher

	commands    *commands
	copied      string // the path of the copy of the database that was saved last; "": none was
	question    *question
	notices     notices
	blurred     bool      // the window has no focus
	lastIgnored time.Time // when a key without effect was last pressed, or one dropped after it
	lastLetter  time.Time // when a printable key other than space was last pressed

	spinner *spinner
	drawn   *tea.View // by View; nil: a message may have changed it
	lowered lowered   // by View
}

// New returns the interface. Its commands end with the context.
func New(ctx context.Context, deps Deps) *Model {
	if deps.Now == nil {
		deps.Now = time.Now
	}
	if deps.Check == nil {
		deps.Check = func() error { return nil }
	}
	m := &Model{
		ctx: ctx, deps: deps, th: theme.New(deps.Theme), look: deps.Theme, stack: &stack{},
		sessions: &sessions{ctx: ctx, deps: deps, saves: screen.NewSaveQueue()}, spinner: &spinner{ctx: ctx},
	}
	m.files = attach.New(ctx, deps.Files, deps.Evidence, m.sessions.saves)
	m.newLauncher()
	m.commands = &commands{
		stack: m.stack, readOnly: m.readOnly, common: append(m.commonCommands(), m.paletteCommands()...), shared: m.sharedCommands(),
		keys: userKeys{changes: deps.Keys},
	}
	m.stack.show(m.home)
	if deps.Start.New {
		m.stack.show(m.home, m.setup)
	}
	if deps.KeysNotice != "" {
		m.announce(screen.Notice{Text: deps.KeysNotice, Tone: screen.Warning, Transient: true})
	}
	if deps.ReadOnly != "" {
		m.announce(screen.Notice{Text: "Nothing can be saved: " + deps.ReadOnly + ".", Tone: screen.Error})
	}
	return m
}

// Init asks for what is shown first.
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{m.home.ReadSessions(), m.readOffer(), m.readDraft(), m.setup.LookAtFiles()}
	if !m.deps.Fixed {
		cmds = append(cmds, tea.RequestBackgroundColor)
	}
	if id := m.deps.Start.Session; id != "" {
		cmds = append(cmds, m.openByID(id))
	}
	return tea.Batch(cmds...)
}

// Farewell returns what to print after quitting: how to go on with the sessions
// that were open, a line each; "" if there was none or all is lost.
func (m *Model) Farewell() string {
	commands := m.deps.Commands
	switch {
	case m.deps.Check() != nil && m.copied == "":
		return ""
	case m.deps.Check() != nil:
		commands.DB = m.copied
	}
	return m.sessions.farewells(func(id string) string { return commands.Command("resume", id) })
}

// Drain ends what is still under way, once the program has ended: it stops the
// runs and reads them to their end, saves what was typed as drafts, and releases
// the locks. If all is lost, that is its error.
func (m *Model) Drain() error {
	for _, o := range m.sessions.held {
		m.sessions.closing = append(m.sessions.closing, o.leave())
	}
	m.stack.open = nil
	err := errors.Join(m.saveLast(), m.sessions.drain())
	if lost := m.deps.Check(); lost != nil && m.copied == "" {
		return lost
	} else if lost != nil { // what was saved is in the copy
		return nil
	}
	return err
}

func (m *Model) setTheme(look theme.Options) {
	if look == m.look {
		return
	}
	m.look, m.th = look, theme.New(look)
	for _, s := range m.lists {
		s.SetTheme(m.th)
	}
	if m.stack.open != nil {
		m.stack.open.setTheme(m.th)
	}
}

func (m *Model) resize(w, h int) {
	m.w, m.h, m.lowered = w, h, lowered{}
	if screen.TooSmall(w, h) {
		return
	}
	for _, s := range m.lists {
		s.SetSize(w, h-3)
	}
	if m.stack.open != nil {
		m.stack.open.setSize(w, h-3)
	}
}

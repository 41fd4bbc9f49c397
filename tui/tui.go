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
	"time"

	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/tui/attach"
	"roundtable/tui/compare"
	"roundtable/tui/debateview"
	"roundtable/tui/home"
	"roundtable/tui/pane"
	"roundtable/tui/receipt"
	"roundtable/tui/setup"
	"roundtable/tui/theme"
)

// Sessions lists, opens and changes stored sessions.
type Sessions interface {
	home.Store
	// Open locks a session, repairs what a crash has left, and returns it.
	Open(ctx context.Context, id string) (debate.Session, error)
	// Close releases the lock.
	Close(id string) error
	// Create writes a new session and locks it.
	Create(ctx context.Context, s debate.Session) (debate.Session, error)
	// Fork makes a fork of a session and locks it.
	Fork(ctx context.Context, id string, plan debate.ForkPlan) (debate.Session, error)
	compare.Reader
	// KeepNew saves what is typed for a new debate; without any text it is deleted.
	KeepNew(ctx context.Context, d debate.Draft) error
	// KeptNew returns that, its zero value if there is nothing.
	KeptNew(ctx context.Context) (debate.Draft, error)
}

// Format is a file format of exports.
type Format string

// The formats.
const (
	Markdown Format = "md"
	JSON     Format = "json"
	HTML     Format = "html"
	ADR      Format = "adr" // a decision record in Markdown
)

// Deps are what the interface works with. Player, Sessions, Writer and Offer are
// needed; what else is nil is not offered. Export writes to a new file; running
// says that a round is under way.
type Deps struct {
	Player   control.Player
	Sessions Sessions
	Writer   debateview.Writer

	Files    attach.Files // looks at the files that the user attaches
	Evidence attach.Adder // is needed with Files

	Receipts    receipt.Reader
	Offer       func(ctx context.Context) (setup.Options, error) // looks for models
	Models      setup.ModelLister                                // nil: models cannot be chosen
	SavePanel   setup.PanelSaver                                 // nil: panels cannot be saved
	WriteConfig func(ctx context.Context) (path string, err error)
	Export      func(ctx context.Context, s debate.Session, running bool, f Format) (path string, err error)
	Text        func(s debate.Session) string // the transcript in Markdown

	Panels []debate.Panel // that a fork can change to

	// Check returns an error if what was saved cannot be found again, since the
	// database was removed for instance. SaveCopy writes all that was saved to a new
	// database, also then, and returns its path. Both are given, or neither.
	Check    func() error
	SaveCopy func(ctx context.Context) (path string, err error)

	// AllowWorkspace remembers that the user allows the folder of a session, which was not
	// chosen on this machine; nil: that cannot be asked.
	AllowWorkspace func(context.Context, debate.Session) error

	// Tools approves tools of servers that have changed; nil: there are no servers.
	Tools ToolApprovals

	// Company names who receives what a provider is sent, and whether that is this
	// machine; nil shows providers by their own names.
	Company func(provider string) (name string, local bool)

	// Silence says how long a provider's models may be silent before that is shown as a
	// warning; nil means the defaults.
	Silence func(provider string) pane.Silence

	// Suspend stops the process and returns when it continues; an error says why it
	// was not stopped.
	Suspend func() error

	ReadOnly string // why nothing can be saved, such as "the database is read-only"; "": it can

	// Replay makes the interface play a stored session again: Player is its own, nothing
	// is saved, and q quits. nil: debates are played by models.
	Replay debateview.Replay

	Editor []string // command and arguments; the file comes last
	Pager  []string

	Now        func() time.Time // nil: time.Now
	Theme      theme.Options    // of the terminal, as far as it is known
	Fixed      bool             // the theme was chosen: the terminal is not asked
	ASCII      bool             // the terminal does not speak UTF-8: nothing else is written
	Mouse      bool             // handle the wheel and clicks; the terminal selects no text then
	Ages       bool             // ages are drawn again as time passes
	EnterSends bool             // enter in an answer of one line does what ctrl+s does
	Notify     bool             // ring when the debate waits and the window has no focus
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

// Package tui is the terminal interface: one model that routes messages to
// plain components and draws what they return.
//
// It imports debate, ledger, agents, safetext and its own components. What it
// needs of an engine and a store are the small interfaces here; it must not know
// SQL, providers or files. Update and View do no I/O: whatever may block is a
// command, and whatever happens in a debate comes as events.
package tui

import (
	"context"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/tui/picker"
	"roundtable/tui/theme"
)


// Run is one run of an engine, see debate.Run.
type Run interface {
	Events() <-chan debate.Event
	Cancel(agents.ID)
	Retry(agents.ID)
	RetryNow(agents.ID)
	Stop()
}

// Player plays debates. Its methods return at once.
type Player interface {
	Start(ctx context.Context, s debate.Session) Run
	Retry(ctx context.Context, s debate.Session, seat agents.ID) Run
	Conclude(ctx context.Context, s debate.Session) Run
	// Affords returns a *debate.BudgetError where the budget pays for no call of the next round.
	Affords(s debate.Session) error
}

// Library keeps the sessions.
type Library interface {
	// Sessions lists all, newest first.
	Sessions(ctx context.Context) ([]debate.SessionSummary, error)
	// Search finds text in them.
	Search(ctx context.Context, q picker.Query) ([]picker.Hit, error)
	// Open locks a session, repairs what a crash has left, and returns it.
	Open(ctx context.Context, id string) (debate.Session, error)
	// Close gives the lock back.
	Close(id string) error
	// Create writes a new session and locks it.
	Create(ctx context.Context, s debate.Session) (debate.Session, error)
	Rename(ctx context.Context, id, title string) error
	Delete(ctx context.Context, id string) error
	Undelete(ctx context.Context, id string) error
	// KeepNew keeps what is typed for a new debate; without any text it is forgotten.
	KeepNew(ctx context.Context, d debate.Draft) error
	// KeptNew returns that, its zero value if there is nothing.
	KeptNew(ctx context.Context) (debate.Draft, error)
}

// Desk takes what the user says to the open session. What it has taken is on disk.
type Desk interface {
	Answer(ctx context.Context, session string, subs ...ledger.Submission) ([]ledger.Request, error)
	SaveDraft(ctx context.Context, session, request string, d debate.Draft) error
	AddRounds(ctx context.Context, session string, n int) (debate.Session, error)
	Stop(ctx context.Context, session string, why debate.StopReason) (debate.Session, error)
	SetBudget(ctx context.Context, session string, b debate.Budget) (debate.Session, error)
	// SetFocus keeps a question for the next round; an empty one takes it back.
	SetFocus(ctx context.Context, session, question string) error
	Focus(ctx context.Context, session string) (string, error)
	// Interject keeps what one seat, or all for "", are told in their next turns.
	Interject(ctx context.Context, session string, to agents.ID, text string) (debate.Interjection, error)
}

// Format is a file format of exports.
type Format string

// The formats.
const (
	Markdown Format = "md"
	JSON     Format = "json"
	HTML     Format = "html"
)

// Deps are what the interface works with. Player, Library, Desk and Offer are
// needed; what else is nil is not offered. Export writes to a new file; running
// says that a round is under way.
type Deps struct {
	Player  Player
	Library Library
	Desk    Desk

	Papers      Papers                                          // what was sent
	Offer       func(ctx context.Context) (picker.Offer, error) // looks for models
	WriteConfig func(ctx context.Context) (path string, err error)
	Export      func(ctx context.Context, s debate.Session, running bool, f Format) (path string, err error)
	Text        func(s debate.Session) string // the transcript in Markdown

	// Company names who receives what a provider is sent, and whether that is this
	// machine; nil shows providers by their own names.
	Company func(provider string) (name string, local bool)

	// Suspend stops the process and returns when it goes on; an error says why it
	// was not stopped.
	Suspend func() error

	ReadOnly string // why nothing can be saved, such as "the database is read-only"; "": it can

	Editor []string // command and arguments; the file comes last
	Pager  []string

	Now    func() time.Time // nil: time.Now
	Theme  theme.Options    // of the terminal, as far as it is known
	Fixed  bool             // the theme was chosen: the terminal is not asked
	ASCII  bool             // the terminal does not speak UTF-8: nothing else is written
	Mouse  bool             // take the wheel and clicks; the terminal selects no text then
	Notify bool             // ring when the debate waits and the window has no focus
	Start  Start
}

// Start says what to show first; its zero value is the list of sessions.
type Start struct {
	Session string // open this one, paused
	New     bool   // open the form of a new debate
	Begin   bool   // and begin it at once
	Topic   string
	Mode    string
	Rounds  int
}

// Package linear is the whole program line by line, for screen readers and for
// terminals that cannot move their cursor: it prints events as internal/headless words them,
// asks debate/control what can be done, and takes it as lines. Every change is written once,
// nothing is drawn over, and no output has an escape sequence.
//
// What it needs of an engine, a store, the configuration and files are small interfaces;
// other commands of the program run beside it. It must not know Bubble Tea, the interface,
// flags or SQL.
package linear

import (
	"context"
	"errors"
	"fmt"
	"io"

	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/control"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
)

// Store is what a Program needs of stored sessions. Sessions that it opens or creates are
// locked until they are closed.
type Store interface {
	Sessions(ctx context.Context) ([]debate.SessionSummary, error)
	Resolve(ctx context.Context, prefix string) (string, error)
	Open(ctx context.Context, id string) (debate.Session, error)
	Create(ctx context.Context, s debate.Session) (debate.Session, error)
	Close(id string) error
	ReadOnly() string

	control.Writer
	SaveDraft(ctx context.Context, session, request string, d debate.Draft) error
	// AddEvidence adds evidence to a session and returns it.
	AddEvidence(ctx context.Context, session string, added ...debate.Evidence) (debate.Session, error)
}

// NewDebate is what is known of a new debate. What is empty is the default.
type NewDebate struct {
	debate.Plan
	Files []debate.Evidence
}

// Setup makes the sessions of new debates.
type Setup interface {
	// Set reads the value of a field of a plan.
	Set(p *debate.Plan, field, value string) error
	// Build returns the session of a plan with what to know of it, or why there cannot be one.
	// It may look for models, which takes seconds.
	Build(ctx context.Context, p debate.Plan) (s debate.Session, notices []string, err error)
	// Read reads a file or a folder as evidence, with what the user has to know of it.
	Read(ctx context.Context, path string) (found []debate.Evidence, notices []string, err error)
}

// Options configure a Program.
type Options struct {
	In         io.Reader
	Out        io.Writer       // plain; see Writer
	Interrupts <-chan struct{} // receives when the user presses ctrl+c
	Store      Store
	Player     control.Player
	Setup      Setup
	Author     ledger.Author // of what is entered
	DropInput  func()        // discards what was typed and is not read yet; nil: nobody types

	Recipients func(debate.Session) string // who receives what a session sends
	Estimate   func(debate.Session) budget.Forecast
	// Command runs a command of the program, such as "export", and returns its exit code.
	Command func(ctx context.Context, out io.Writer, args ...string) int

	Commands text.Program // words command lines
}

// Start says what a Program begins with: a session, a new debate, or the list of debates.
type Start struct {
	Session string     // the id of a session
	New     *NewDebate // what is set is not asked for
	Begin   bool       // the new debate starts without a question, if it has a topic
}

// Errors that end a dialog. They never leave the package.
var (
	errQuit      = errors.New("quit")
	errBack      = errors.New("back to the list of debates")
	errCancelled = errors.New("cancelled") // a dialog, by /back
	errRunEnded  = errors.New("the run has ended")
)

// Program is one run of the program.
type Program struct {
	Options
	out  *output
	in   <-chan string
	open *session // nil while the list is shown
}

// Run runs the program until the user quits, the input ends or ctx does.
func Run(ctx context.Context, o Options, at Start) error {
	done := make(chan struct{})
	defer close(done)
	p := &Program{Options: o, out: &output{w: o.Out}, in: readLines(o.In, done)}
	p.say("Roundtable, line by line. Every change is a line. /help lists the commands, ctrl+c quits; everything is saved.")
	err := errBack
	switch {
	case at.Session != "":
		err = p.enter(ctx, at.Session)
	case at.New != nil:
		err = p.newDebate(ctx, *at.New, at.Begin)
	}
	leaving := p.leave()
	if leaving == nil && (errors.Is(err, errBack) || errors.Is(err, errCancelled)) {
		err = p.home(ctx)
	}
	if errors.Is(err, errQuit) || errors.Is(err, context.Canceled) {
		err = nil
	}
	return errors.Join(err, leaving, p.out.err)
}

func (p *Program) leave() error {
	if p.open == nil {
		return nil
	}
	s := p.open.Session()
	if p.open = nil; s.Verdict == nil {
		p.say("Saved. Continue: %s", p.Commands.Command("--linear", "resume", s.ID))
	}
	return p.Store.Close(s.ID)
}

// say writes lines of the program's own. Foreign text in them has to be one line.
func (p *Program) say(format string, args ...any) {
	p.out.write(text.Clean(fmt.Sprintf(p.Commands.Format(format), args...)) + "\n")
}

func (p *Program) run(ctx context.Context, args ...string) bool {
	return p.Command(ctx, p.out, args...) == 0
}

func sentence(err error) string { return text.Sentence(text.Line(err.Error())) }

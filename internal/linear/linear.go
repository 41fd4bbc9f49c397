// Package linear is the whole program line by line, for screen readers and for
// terminals that cannot move their cursor: the list of debates, a new debate, its rounds,
// the questions to the user, the approval of commands and the verdict. Every change is
// written once, nothing is drawn over, and no output has an escape sequence.
//
// It prints what debate/control says of the session, and internal/headless words events.
// What it needs of an engine, a store, the configuration and files are small interfaces. It
// must not know Bubble Tea, the interface, flags or SQL.
package linear

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"roundtable/debate"
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
	Rename(ctx context.Context, session, title string) error
}

// NewDebate is what the user chooses for a new debate. What is empty is the default.
type NewDebate struct {
	debate.Plan
	Files []debate.Evidence
}

// Panel is a panel to choose, and who is on it.
type Panel struct{ Name, Members string }

// Choices are what a new debate can be made of.
type Choices struct {
	Modes    []debate.Mode
	Panels   []Panel // the first is the default
	Defaults NewDebate
	Faults   []string // what was left out, a sentence each
	NoModel  bool     // the demo is all there is
}

// Setup makes the sessions of new debates.
type Setup interface {
	// Choices returns what can be chosen. It may look for models, which takes seconds.
	Choices(ctx context.Context) (Choices, error)
	// Build returns the session of a new debate, or why there cannot be one.
	Build(n NewDebate) (debate.Session, error)
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

	Recipient func(provider string) (name string, local bool) // who receives the prompts of a provider
	// AddEvidence adds evidence to a session and returns it.
	AddEvidence func(ctx context.Context, session string, added ...debate.Evidence) (debate.Session, error)
	// Command runs a command of the program, such as "export", and returns its exit code.
	Command func(ctx context.Context, out io.Writer, args ...string) int
	// Edit returns a text as the user has edited it; nil if there is no editor.
	Edit func(content string) (string, error)
	Now  func() time.Time

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
	in   *lines
	open *session // nil while the list is shown
}

// Run runs the program until the user quits, the input ends or ctx does.
func Run(ctx context.Context, o Options, at Start) error {
	p := &Program{Options: o, out: &output{w: o.Out}, in: newLines(o.In)}
	defer p.in.stop()
	p.say("Roundtable, line by line. Every change is a line. /help lists the commands, ctrl+c quits; everything is saved.")
	err := p.begin(ctx, at)
	for err == nil || errors.Is(err, errBack) || errors.Is(err, errCancelled) {
		err = errors.Join(p.leave(), p.out.err)
		if err == nil {
			err = p.home(ctx)
		}
	}
	err = errors.Join(err, p.leave())
	if errors.Is(err, errQuit) || ctx.Err() != nil {
		err = withoutQuit(err)
	}
	return errors.Join(err, p.out.err)
}

// withoutQuit returns nil unless err has another cause than the user's wish or the end of
// the context.
func withoutQuit(err error) error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		if errors.Is(err, errQuit) || errors.Is(err, context.Canceled) {
			return nil
		}
		return err
	}
	var rest []error
	for _, one := range joined.Unwrap() {
		rest = append(rest, withoutQuit(one))
	}
	return errors.Join(rest...)
}

// begin shows what the program was started with.
func (p *Program) begin(ctx context.Context, at Start) error {
	switch {
	case at.Session != "":
		return p.enter(ctx, at.Session)
	case at.New != nil:
		return p.newDebate(ctx, *at.New, at.Begin)
	default:
		return p.home(ctx)
	}
}

// leave closes the session that is open.
func (p *Program) leave() error {
	s := p.open
	if s == nil {
		return nil
	}
	p.open = nil
	id := s.Session().ID
	if s.Session().Verdict == nil {
		p.say("Saved. Continue: %s", p.Commands.Command("resume", id))
	}
	return p.Store.Close(id)
}

// say writes lines of the program's own. Foreign text in them has to be one line.
func (p *Program) say(format string, args ...any) {
	p.out.write(text.Sanitize(fmt.Sprintf(p.Commands.Format(format), args...)) + "\n")
}

// block writes foreign text, indented by two spaces.
func (p *Program) block(content string) { p.say("%s", text.Indent(text.Sanitize(content))) }

// sentence returns an error as a sentence.
func sentence(err error) string { return text.Sentence(text.Line(err.Error())) }

package debate

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/internal/text"
)

// Workspace is the folder that the agents' tools may look at; the zero value is none.
type Workspace struct {
	Dir      string        `json:"dir"` // absolute
	Mode     WorkspaceMode `json:"mode"`
	Commands bool          `json:"commands,omitempty"` // agents may ask the user to run commands
}

// WorkspaceMode is where the tools of an agent work.
type WorkspaceMode string

const (
	WorkspaceLocal     WorkspaceMode = "local"     // in the folder itself; nothing is written or run
	WorkspaceClone     WorkspaceMode = "clone"     // in a git clone of the agent's own; no security boundary
	WorkspaceContainer WorkspaceMode = "container" // in such a clone, within a container without network
)

// ErrNotChosen says that a saved session names a folder that nobody has chosen on this machine.
var ErrNotChosen = errors.New("it was not chosen on this machine")

// WorkspaceError says that no round can start, since the session's workspace cannot be used.
type WorkspaceError struct {
	Workspace Workspace
	Err       error
}

// Error names the folder, the mode and the cause.
func (e *WorkspaceError) Error() string {
	return fmt.Sprintf("the workspace %s (%s) cannot be used: %v", e.Workspace.Dir, e.Workspace.Mode, e.Err)
}

// Unwrap returns the cause.
func (e *WorkspaceError) Unwrap() error { return e.Err }

// Check returns a *WorkspaceError if a speaker is a program of its own and the workspace
// is a container: its program would need the network of its model and the files
// of its sign-in, so that nothing would be left of what a container promises.
func (w Workspace) Check(speakers []agents.Profile) error {
	var programs []string
	for _, p := range speakers {
		if p.Loop && !slices.Contains(programs, p.Name) { // a member may be the chair too
			programs = append(programs, p.Name)
		}
	}
	if w.Dir == "" || w.Mode != WorkspaceContainer || len(programs) == 0 {
		return nil
	}
	needs := text.Inflect(len(programs), "the program of %s cannot run in it, since it needs the network of its model and your sign-in",
		"the programs of %s cannot run in it, since they need the network of their models and your sign-in")
	return &WorkspaceError{Workspace: w, Err: fmt.Errorf(
		needs+"; use the mode clone, or run all of Roundtable in a container", text.List(programs))}
}

// Approval is what the user decides on a command of an agent; the zero value denies it.
type Approval struct {
	Choice ApprovalChoice
	Hash   string // of the command that the user saw, see ApprovalAsked
	Reason string // of a denial, for the agent; may be empty

	Pattern []string // of ApprovalPattern: the words with which the commands begin
}

// ApprovalChoice says whether a command may run.
type ApprovalChoice string

// The choices. Any other value denies.
const (
	ApprovalDenied  ApprovalChoice = "denied"
	ApprovalOnce    ApprovalChoice = "once"
	ApprovalPattern ApprovalChoice = "pattern" // and all commands that begin so, until the session is closed
)

// Allows reports whether the command may run.
func (a Approval) Allows() bool { return a.Choice == ApprovalOnce || a.Choice == ApprovalPattern }

// Begins reports whether a command begins with the words of a pattern.
func Begins(argv, pattern []string) bool {
	return len(pattern) > 0 && len(pattern) <= len(argv) && slices.Equal(pattern, argv[:len(pattern)])
}

type (
	// ApprovalAsked says that a tool call waits until the user decides on its command.
	ApprovalAsked struct {
		Turn   agents.Turn
		CallID string
		Tool   string
		Argv   []string
		Dir    string // in which it runs
		Mode   WorkspaceMode
		Hash   string // of all that the decision is bound to
		At     time.Time

		Fields   []agents.Field // what comes with the command
		Own      bool           // the seat has no workspace, but a folder of its own
		Outside  bool           // Dir is not in the workspace or that folder
		EachTime string         // why it cannot be allowed for longer than once; "" if it can
	}
	// ApprovalDecided says that the call no longer waits. A command is also denied when its
	// turn is cancelled or the run is stopped. One that a pattern allows was not asked about.
	ApprovalDecided struct {
		Turn     agents.Turn
		CallID   string
		Approval Approval
		At       time.Time
	}
)

// Limits of what FieldLines shows. The tool log has all of it.
const (
	maxFieldLines = 8
	maxFieldValue = 200
)

// FieldLines words what comes with a command, safe to show. What is left out is counted.
func (a ApprovalAsked) FieldLines() []string {
	var out []string
	for i, f := range a.Fields {
		if i == maxFieldLines {
			return append(out, fmt.Sprintf("+ %d more; the tool log shows them all", len(a.Fields)-i))
		}
		value, rest := []rune(f.Value), ""
		if n := len(value) - maxFieldValue; n > 0 {
			value, rest = value[:maxFieldValue], fmt.Sprintf(" + %s more", text.Count(n, "character"))
		}
		out = append(out, text.Command([]string{text.Clip(f.Name, maxFieldValue)})+" = "+text.Command([]string{string(value)})+rest)
	}
	return out
}

// Beginning returns the command up to its first word that is no option: a pattern for others like it.
func (a ApprovalAsked) Beginning() []string {
	for i, word := range a.Argv {
		if i > 0 && !strings.HasPrefix(word, "-") {
			return a.Argv[:i+1]
		}
	}
	return a.Argv
}

// Place says in which folder the command runs, and in which mode its workspace is.
func (a ApprovalAsked) Place() string {
	dir, home := text.Line(a.Dir), "the workspace"
	if a.Own {
		home = "the seat's own folder"
	}
	switch {
	case dir == "":
		return "in a folder that is not known"
	case a.Outside:
		return "in " + dir + ", outside " + home
	case a.Own:
		return "in " + home + ", " + dir
	case a.Mode != "":
		return fmt.Sprintf("in %s (%s)", dir, a.Mode)
	default:
		return "in " + dir
	}
}

// EachTimeLine says why the command is asked about each time; "" if it need not be.
func (a ApprovalAsked) EachTimeLine() string {
	if a.EachTime == "" {
		return ""
	}
	return "asked each time: " + a.EachTime
}

func (e ApprovalAsked) turn() agents.Turn   { return e.Turn }
func (e ApprovalDecided) turn() agents.Turn { return e.Turn }

package debate

import (
	"time"

	"roundtable/agents"
)

// Approval is what the user decides on a command that an agent wants to run. The zero
// value denies it.
type Approval struct {
	Choice ApprovalChoice
	Hash   string   // of the command that the user saw, see ApprovalAsked
	Reason string   // of a denial, for the agent; may be empty
	Argv   []string // the command as the user edited it; nil: as it was asked for
}

// ApprovalChoice says whether a command may run.
type ApprovalChoice string

// The choices. Any other value denies.
const (
	ApprovalDenied  ApprovalChoice = "denied"
	ApprovalOnce    ApprovalChoice = "once"
	ApprovalSession ApprovalChoice = "session" // also when the same agent asks for the same command again, until the session is closed
)

// Allows reports whether the command may run.
func (a Approval) Allows() bool { return a.Choice == ApprovalOnce || a.Choice == ApprovalSession }

// The events of approvals.
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
	}
	// ApprovalDecided says that the call no longer waits. A command is also denied when its
	// turn is cancelled or the run is stopped.
	ApprovalDecided struct {
		Turn     agents.Turn
		CallID   string
		Approval Approval
		At       time.Time
	}
)

func (ApprovalAsked) event()   {}
func (ApprovalDecided) event() {}

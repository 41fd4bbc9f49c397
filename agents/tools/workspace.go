package tools

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"strings"

	"roundtable/agents"
)

// Workspace is the folder that the tools of one agent read, and in which they run
// commands. All tools of an agent have the same one. No tool asks in which mode it is.
type Workspace interface {
	Info() WorkspaceInfo
	// Open opens the folder for reading. The caller closes it.
	Open() (*os.Root, error)
	// Run runs a command in the folder until it ends or ctx is done; then its whole
	// process group is gone within three seconds. A command that ran and failed is no
	// error: see CommandResult.Exit. In a workspace that only reads, it is an error.
	Run(ctx context.Context, c Command) (CommandResult, error)
}

// WorkspaceInfo describes a workspace to people.
type WorkspaceInfo struct {
	Mode      string // local, clone or container
	Source    string // the folder that the user named
	Dir       string // the folder that the agent works in
	Container string // what isolates it, such as "bubblewrap"; "" if nothing does
	Note      string // what Dir lacks of Source, as a sentence; may be empty
	ReadOnly  bool   // no command may run in it
}

// Workspaces makes the workspaces of a session's agents when they are first needed.
type Workspaces interface {
	Workspace(ctx context.Context, agent agents.ID) (Workspace, error)
	// TempDir makes a folder for the temporary files of a call, which is named by its id
	// (see agents.Turn.ToolCall) and removed with the session.
	TempDir(call string) (string, error)
}

// Command is a program to run with its arguments. No shell reads it.
type Command struct {
	Argv    []string
	Env     []string
	TempDir string
}

// Hash identifies what an approval is bound to: the arguments, where they run, and the
// environment. The temporary folder, which differs from call to call, counts as such.
func (c Command) Hash(in WorkspaceInfo) string {
	h := sha256.New()
	for _, list := range [][]string{{in.Mode, in.Dir, in.Container}, c.Argv, c.Env} {
		fmt.Fprintf(h, "%d\n", len(list))
		for _, s := range list {
			if c.TempDir != "" {
				s = strings.ReplaceAll(s, c.TempDir, "TEMP")
			}
			fmt.Fprintf(h, "%d:%s\n", len(s), s)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// CommandResult is how a command ended.
type CommandResult struct {
	Output string // standard output and standard error, its head and tail if it is long
	Cut    int64  // bytes that Output leaves out
	Exit   int    // exit code; 128 plus the number of the signal that ended it
}

// Approver asks the user whether a command may run. It waits for the user; if ctx is
// done before, the command is denied.
type Approver interface {
	Approve(ctx context.Context, turn agents.Turn, call string, c Command, in WorkspaceInfo) (Approval, error)
}

// Approval is the user's decision on a command.
type Approval struct {
	Allowed bool
	Reason  string   // why it is denied; may be empty
	Argv    []string // as the user edited it; the command's own otherwise
}

// DeniedError says that the user did not allow a call. Its message is for the model.
type DeniedError struct{ Message string }

// Error returns the message.
func (e *DeniedError) Error() string { return e.Message }

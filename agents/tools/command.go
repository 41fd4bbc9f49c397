package tools

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/internal/text"
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
	Own       bool   // it is no workspace: Dir is an empty folder of the agent's turn
}

// Workspaces makes the workspaces of a session's agents when they are first needed.
type Workspaces interface {
	Workspace(ctx context.Context, agent agents.ID) (Workspace, error)
	// TempDir makes a folder for the temporary files of a call, which is named by its id
	// (see agents.Turn.ToolCall) and removed with the session.
	TempDir(call string) (string, error)
	// Home returns the home folder of an agent's commands, which is removed with the session.
	Home(agent agents.ID) (string, error)
}

// Command is a program to run with its arguments. No shell reads it.
type Command struct {
	Argv    []string
	Env     []string
	TempDir string
	Home    string
	Asked   Asked
}

// Hash identifies what an approval is bound to: the arguments, where they run, the
// environment, and what an agent asked for besides. The temporary folder, which differs from call to call, counts as such.
func (c Command) Hash(in WorkspaceInfo) string {
	h := sha256.New()
	for _, list := range [][]string{{in.Mode, in.Dir, in.Container}, c.Argv, c.Env, c.Asked.list()} {
		fmt.Fprintf(h, "%d\n", len(list))
		for _, s := range list {
			if c.TempDir != "" {
				s = strings.ReplaceAll(s, c.TempDir, "TEMP")
			}
			if in.Own { // another one in each turn
				s = strings.ReplaceAll(s, in.Dir, "OWN")
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
	Reason  string // why it is denied; may be empty
}

// DeniedError says that the user did not allow a call. Its message is for the model.
type DeniedError struct{ Message string }

// Error returns the message.
func (e *DeniedError) Error() string { return e.Message }

// maxCommand bounds a command, in bytes of all its arguments: the user reads all of it.
const maxCommand = 8000

// DefaultCommandTimeout is how long a command may run if nothing else is configured.
const DefaultCommandTimeout = 10 * time.Minute

// RunCommand runs a command in the agent's workspace, if the user allows it, for at most limit;
// 0 is DefaultCommandTimeout.
func RunCommand(limit time.Duration) Tool {
	return Tool{NeedsWorkspace: true, Limit: cmp.Or(limit, DefaultCommandTimeout), Run: WithArguments(runCommand), Spec: agents.ToolSpec{
		Name: agents.RunCommandName,
		Description: "Run a program in your workspace, such as a test or a build. The user is asked and may deny it, " +
			"so run only what the debate needs. No shell reads it: pipes, globs and variables have no meaning. " +
			"There may be no network. The output is cut in the middle after about 10,000 bytes.",
		Schema: json.RawMessage(`{"type":"object","properties":{` +
			`"argv":{"type":"array","minItems":1,"maxItems":200,"items":{"type":"string","maxLength":8000},` +
			`"description":"The program and its arguments, one each, such as [\"go\", \"test\", \"./...\"]."}},` +
			`"required":["argv"]}`),
	}}
}

// runCommand asks the user and runs what was allowed.
func runCommand(ctx context.Context, tc Context, wanted struct{ Argv []string }) (Output, error) {
	size := 0
	for _, a := range wanted.Argv {
		size += len(a)
	}
	switch {
	case wanted.Argv[0] == "":
		return Output{}, errors.New("the first element of argv is the program; it is empty")
	case size > maxCommand:
		return Output{}, fmt.Errorf("the command has %d bytes; %d is the most", size, maxCommand)
	case slices.ContainsFunc(wanted.Argv, func(s string) bool { return slices.Contains([]byte(s), 0) }):
		return Output{}, errors.New("an argument contains a NUL byte")
	case tc.Approver == nil:
		return Output{}, &DeniedError{"Commands cannot be approved here. Go on without running it."}
	}
	c := Command{Argv: wanted.Argv, Env: tc.Env, TempDir: tc.TempDir, Home: tc.Home}
	approval, err := tc.Approver.Approve(ctx, tc.Turn, tc.CallID, c, tc.Workspace.Info())
	if err != nil {
		return Output{}, err
	}
	switch {
	case !approval.Allowed && approval.Reason == "":
		return Output{}, &DeniedError{"The command was denied. Go on without running it."}
	case !approval.Allowed:
		return Output{}, &DeniedError{"The command was denied: " + approval.Reason}
	}
	return runApproved(ctx, tc, c)
}

func runApproved(ctx context.Context, tc Context, c Command) (Output, error) {
	r, err := tc.Workspace.Run(ctx, c)
	if err != nil && r.Output == "" {
		return Output{}, err
	}
	output := "There was no output."
	if r.Output != "" {
		output = tc.Foreign("output of the command", r.Output)
	}
	if r.Cut > 0 {
		output += fmt.Sprintf("\n%d bytes of the output were left out in the middle.", r.Cut)
	}
	if err != nil {
		return Output{Text: output, Summary: err.Error()}, err
	}
	return Output{
		Text:    fmt.Sprintf("Exit code %d.\n%s", r.Exit, output),
		Summary: fmt.Sprintf("exit %d: %s", r.Exit, text.Command(c.Argv)),
	}, nil
}

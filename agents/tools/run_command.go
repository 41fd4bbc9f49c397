package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"roundtable/agents"
	"roundtable/internal/text"
)

// RunCommandName is the name of the tool that runs commands.
const RunCommandName = "run_command"

// maxCommand bounds a command, in bytes of all its arguments: the user reads all of it.
const maxCommand = 8000

// RunCommand runs a command in the agent's workspace, if the user allows it.
type RunCommand struct{}

var _ WorkspaceTool = RunCommand{}

// NeedsWorkspace says that the tool is offered only with a workspace.
func (RunCommand) NeedsWorkspace() {}

// Spec describes the tool.
func (RunCommand) Spec() agents.ToolSpec {
	return agents.ToolSpec{
		Name: RunCommandName,
		Description: "Run a program in your workspace, such as a test or a build. The user is asked each time and may deny or " +
			"edit it, so run only what the debate needs. No shell reads it: pipes, globs and variables have no meaning. " +
			"There may be no network. The output is cut in the middle after 10,000 characters.",
		Schema: json.RawMessage(`{"type":"object","properties":{` +
			`"argv":{"type":"array","minItems":1,"maxItems":200,"items":{"type":"string","maxLength":8000},` +
			`"description":"The program and its arguments, one each, such as [\"go\", \"test\", \"./...\"]."}},` +
			`"required":["argv"]}`),
	}
}

// Run asks the user and runs what was allowed.
func (RunCommand) Run(ctx context.Context, tc Context, args json.RawMessage) (Output, error) {
	var wanted struct {
		Argv []string `json:"argv"`
	}
	if err := json.Unmarshal(args, &wanted); err != nil {
		return Output{}, fmt.Errorf("arguments of %s: %w", RunCommandName, err)
	}
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
	c := Command{Argv: wanted.Argv, Env: tc.Env, TempDir: tc.TempDir}
	approval, err := tc.Approver.Approve(ctx, tc.Turn, tc.CallID, c, tc.Workspace.Info())
	if err != nil {
		return Output{}, err
	}
	if !approval.Allowed {
		return Output{}, denied(approval.Reason)
	}
	c.Argv = approval.Argv
	return runApproved(ctx, tc, c, !slices.Equal(approval.Argv, wanted.Argv))
}

// denied returns the error of a command that the user did not allow.
func denied(reason string) error {
	if reason == "" {
		return &DeniedError{"The command was denied. Go on without running it."}
	}
	return &DeniedError{"The command was denied: " + reason}
}

// runApproved runs a command and describes what came of it.
func runApproved(ctx context.Context, tc Context, c Command, edited bool) (Output, error) {
	head := ""
	if edited {
		head = "The user edited the command. What ran is: " + text.Command(c.Argv) + "\n"
	}
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
		return Output{Text: head + output, Summary: err.Error()}, err
	}
	return Output{
		Text:    fmt.Sprintf("%sExit code %d.\n%s", head, r.Exit, output),
		Summary: fmt.Sprintf("exit %d: %s", r.Exit, text.Command(c.Argv)),
	}, nil
}

package tools

import (
	"context"
	"fmt"
	"slices"

	"roundtable/agents"
)

var _ agents.Grounds = (*Executor)(nil)

// Folder implements agents.Grounds.
func (e *Executor) Folder(ctx context.Context, turn agents.Turn) (agents.Folder, error) {
	if e.sources.Workspaces == nil {
		return agents.Folder{}, nil
	}
	w, err := e.sources.Workspaces.Workspace(ctx, turn.Agent)
	if err != nil {
		return agents.Folder{}, fmt.Errorf("the workspace cannot be used: %w", err)
	}
	info := w.Info()
	return agents.Folder{Dir: info.Dir, ReadOnly: info.ReadOnly, Open: w.Open}, nil
}

// Approve implements agents.Grounds. The user sees argv as a command. One that the user
// edits is not allowed, since the agent would run its own.
func (e *Executor) Approve(ctx context.Context, turn agents.Turn, call agents.OwnCall, argv []string) (allowed bool, reason string) {
	if e.sources.Approver == nil {
		return false, "nobody can be asked"
	}
	var info WorkspaceInfo
	if e.sources.Workspaces != nil {
		w, err := e.sources.Workspaces.Workspace(ctx, turn.Agent)
		if err != nil {
			return false, err.Error()
		}
		info = w.Info()
	}
	a, err := e.sources.Approver.Approve(ctx, turn, call.ID, Command{Argv: argv}, info)
	switch {
	case err != nil:
		return false, err.Error()
	case a.Allowed && !slices.Equal(a.Argv, argv):
		return false, "what an agent runs itself cannot be edited"
	}
	return a.Allowed, a.Reason
}

package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"roundtable/agents/tools"
	"roundtable/agents/tools/mcp"
	"roundtable/internal/config"
	"roundtable/internal/headless"
	"roundtable/store"
	"roundtable/tui"
)

// mcpServers returns the MCP servers of a configuration, which are started when they are
// first asked. They are closed with the app.
func mcpServers(a *app, configs map[string]mcp.Config, approvals mcp.Approvals) *mcp.Servers {
	s := mcp.New(configs, mcp.Options{Env: a.Env, Approvals: approvals, Version: version()})
	a.closers = append(a.closers, s)
	return s
}

// toolServers returns the configured MCP servers; all callers get the same ones.
func toolServers(a *app, s *store.Store, cfg config.Config) *mcp.Servers {
	if a.servers == nil {
		a.servers = mcpServers(a, cfg.Tools.MCP, storedApprovals{s})
	}
	return a.servers
}

// externalTools returns what the engine asks for tools of MCP servers; nil if none is
// configured.
func externalTools(a *app, s *store.Store, cfg config.Config) func(context.Context) ([]tools.Tool, []string, error) {
	if len(cfg.Tools.MCP) == 0 {
		return nil
	}
	return toolServers(a, s, cfg).Tools
}

// requireTools returns an error if --strict-tools is given and a tool that the
// configuration allows cannot be offered.
func (o outputFlags) requireTools(ctx context.Context, a *app, s *store.Store, cfg config.Config) error {
	if !o.strictTools || len(cfg.Tools.MCP) == 0 {
		return nil
	}
	_, problems, err := toolServers(a, s, cfg).Tools(ctx)
	var sig *headless.SignalError
	switch {
	case errors.As(context.Cause(ctx), &sig):
		return codeError(signalCode(sig))
	case err == nil && len(problems) > 0:
		return usagef("%s\nNothing was started, because of --strict-tools.", strings.Join(problems, "\n"))
	}
	return err
}

// storedApprovals keeps approved tools in the database.
type storedApprovals struct{ store *store.Store }

// Approved implements mcp.Approvals.
func (s storedApprovals) Approved(ctx context.Context, server string) (map[string]string, error) {
	all, err := s.store.ToolDefinitions(ctx, server)
	texts := map[string]string{}
	for _, d := range all {
		texts[d.Tool] = d.Text
	}
	return texts, err
}

// Approve implements mcp.Approvals.
func (s storedApprovals) Approve(ctx context.Context, ds ...mcp.Definition) error {
	var all []store.ToolDefinition
	for _, d := range ds {
		all = append(all, store.ToolDefinition{Server: d.Server, Tool: d.Tool, Hash: d.Hash, Text: d.Text})
	}
	return s.store.ApproveTools(ctx, all...)
}

// toolApprovals adapts the servers to the interface.
type toolApprovals struct{ servers *mcp.Servers }

// Changed implements tui.ToolApprovals.
func (t toolApprovals) Changed(ctx context.Context) ([]tui.ToolChange, error) {
	changes, err := t.servers.Changes(ctx)
	var all []tui.ToolChange
	for _, c := range changes {
		all = append(all, tui.ToolChange{Name: c.Name(), Diff: c.Diff()})
	}
	return all, err
}

// Approve implements tui.ToolApprovals. Only what the user was shown is approved.
func (t toolApprovals) Approve(ctx context.Context, shown []tui.ToolChange) error {
	changes, err := t.servers.Changes(ctx)
	if err != nil {
		return err
	}
	changes = slices.DeleteFunc(changes, func(c mcp.Change) bool {
		return !slices.Contains(shown, tui.ToolChange{Name: c.Name(), Diff: c.Diff()})
	})
	return t.servers.Approve(ctx, changes...)
}

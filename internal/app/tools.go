package app

import (
	"context"

	"roundtable/agents/tools"
	"roundtable/agents/tools/mcp"
	"roundtable/agents/tools/workspace"
	"roundtable/internal/config"
	"roundtable/store"
)

// MCPServers returns the MCP servers of a configuration, which are started when they are
// first asked. They are closed with the app.
func (a *App) MCPServers(configs map[string]mcp.Config, approvals mcp.Approvals) *mcp.Servers {
	s := mcp.New(configs, mcp.Options{Env: a.Env, Approvals: approvals, Version: Version()})
	a.closers = append(a.closers, s)
	return s
}

// ToolServers returns the configured MCP servers; all callers get the same ones.
func (a *App) ToolServers(s *store.Store, cfg config.Config) *mcp.Servers {
	if a.servers == nil {
		a.servers = a.MCPServers(cfg.Tools.MCP, Approvals{s})
	}
	return a.servers
}

// externalTools returns what the engine asks for tools of MCP servers; nil if none is
// configured.
func (a *App) externalTools(s *store.Store, cfg config.Config) func(context.Context) ([]tools.Tool, []string, error) {
	if len(cfg.Tools.MCP) == 0 {
		return nil
	}
	return a.ToolServers(s, cfg).Tools
}

// Approvals keeps approved tools in the database.
type Approvals struct{ Store *store.Store }

// Approved implements mcp.Approvals.
func (s Approvals) Approved(ctx context.Context, server string) (map[string]string, error) {
	all, err := s.Store.ToolDefinitions(ctx, server)
	texts := map[string]string{}
	for _, d := range all {
		texts[d.Tool] = d.Text
	}
	return texts, err
}

// Approve implements mcp.Approvals.
func (s Approvals) Approve(ctx context.Context, ds ...mcp.Definition) error {
	var all []store.ToolDefinition
	for _, d := range ds {
		all = append(all, store.ToolDefinition{Server: d.Server, Tool: d.Tool, Hash: d.Hash, Text: d.Text})
	}
	return s.Store.ApproveTools(ctx, all...)
}

// BuiltinTools returns the tools of the program itself. Only the configuration can allow
// commands.
func BuiltinTools(cfg config.Config) []tools.Tool {
	all := []tools.Tool{
		tools.FactCheck{}, tools.ListEvidence{}, tools.ReadEvidence{}, tools.RequestContext{}, tools.SearchEvidence{},
	}
	if all = append(all, workspace.Tools()...); cfg.Tools.Commands {
		all = append(all, tools.RunCommand{})
	}
	return all
}

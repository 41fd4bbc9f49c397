package cli

import (
	"context"
	"fmt"
	"strings"

	"roundtable/agents/tools/mcp"
	"roundtable/agents/tools/workspace"
	"roundtable/debate"
	"roundtable/internal/config"
	"roundtable/internal/text"
)

// checkWorkspace looks whether the mode of workspaces works here, and whether the folder
// that the configuration names, if any, can be one.
func (d doctor) checkWorkspace(ctx context.Context, cfg config.Config) check {
	test, where := workspace.Check, cfg.Tools.Workspace
	w, err := sessionBuilder{cfg: cfg}.workspace(runOptions{})
	w.Mode = debate.WorkspaceMode(cfg.Tools.Mode)
	if where == "" {
		test, where = workspace.CheckMode, "none, unless --workspace names a folder"
	}
	if err == nil {
		err = test(ctx, sessionWorkspaces{cfg, d.stateDir}.options(w, "doctor"))
	}
	if err != nil {
		return check{
			"workspace", checkWarning, fmt.Sprintf("%s; mode %s: %s", text.Line(where), w.Mode, text.Line(err.Error())),
			"Debates with a workspace do not start until that works.",
		}
	}
	c := check{Name: "workspace", State: checkOK, Text: fmt.Sprintf("%s; mode %s works here", text.Line(where), w.Mode)}
	if cfg.Tools.Commands && w.Mode == debate.WorkspaceLocal {
		c.Remedy = "Agents can run commands only in the modes clone and container."
	}
	return c
}

// noApprovals knows and keeps no approved tools.
type noApprovals struct{}

// Approved implements mcp.Approvals.
func (noApprovals) Approved(context.Context, string) (map[string]string, error) { return nil, nil }

// Approve implements mcp.Approvals.
func (noApprovals) Approve(context.Context, ...mcp.Definition) error { return nil }

// checkServers starts every MCP server and looks for the tools that the configuration
// allows. It approves nothing.
func (d doctor) checkServers(ctx context.Context, cfg config.Config) []check {
	status, err := mcpServers(d.app, cfg.Tools.MCP, noApprovals{}).Status(ctx)
	if err != nil {
		return []check{{"tools", checkWarning, "the MCP servers were not tested: " + err.Error(), ""}}
	}
	var out []check
	for _, s := range status {
		if s.Failure != "" {
			out = append(out, check{"tools", checkWarning, s.Name + ": " + s.Failure, "Debates run without its tools."})
			continue
		}
		offered, listed := 0, 0
		var wrong []string
		for _, t := range s.Tools {
			switch t.State {
			case mcp.Offered:
				offered, listed = offered+1, listed+1
			case mcp.Missing:
				wrong = append(wrong, fmt.Sprintf("%s: %s", text.Label(t.Tool), t.Reason))
			case mcp.Invalid:
				listed++
				wrong = append(wrong, fmt.Sprintf("%s: %s", text.Label(t.Tool), t.Reason))
			case mcp.NotAllowed, mcp.Changed:
				listed++
			}
		}
		c := check{Name: "tools", State: checkOK, Text: fmt.Sprintf("%s: answers, %s, of which agents may call %d",
			s.Name, text.Count(listed, "tool"), offered)}
		if len(wrong) > 0 {
			c.State, c.Text = checkWarning, c.Text+"\n"+strings.Join(wrong, "\n")
			c.Remedy = "`roundtable tools list` lists all of them."
		}
		out = append(out, c)
	}
	return out
}

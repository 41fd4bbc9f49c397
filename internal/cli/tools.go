package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"roundtable/agents"
	"roundtable/agents/tools/mcp"
	"roundtable/internal/app"
	"roundtable/internal/text"
)

func toolsCommand(a *app.App) *cobra.Command {
	var asJSON bool
	list := &cobra.Command{
		Use: "list", Short: "List the tools that seats can call", Args: argCount(0, 0, ""),
		Example: "  roundtable tools list",
		Long: "List the built-in tools and those of the MCP servers in the config, which are started for this.\n" +
			"A tool is offered if `allow` names it and its definition is the approved one. What `allow` names\n" +
			"and was never seen before is approved by that.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			all, err := listTools(cmd.Context(), a)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(a, all)
			}
			return a.Print("%s", formatTools(all))
		},
	}
	list.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	var yes bool
	approve := &cobra.Command{
		Use: "approve NAME", Short: "Approve the changed tools of an MCP server", Args: argCount(1, 1, "NAME"),
		Long: "Print how the definitions of tools have changed since they were approved, ask, and approve them. NAME is a\n" +
			"server, or one of its tools such as notes__search. `roundtable tools list` prints it without approving anything.",
		Example: "  roundtable tools approve notes\n  roundtable tools approve notes__search --yes",
		RunE:    func(cmd *cobra.Command, args []string) error { return approveTools(cmd.Context(), a, args[0], yes) },
	}
	addYesFlag(approve, &yes)
	return group("tools", "List tools, and approve those that have changed", list, approve)
}

type listedTool struct {
	Name       string `json:"name"`             // "" for a server
	Server     string `json:"server,omitempty"` // "" for a built-in tool
	State      string `json:"state"`
	Reason     string `json:"reason,omitempty"`
	Difference string `json:"difference,omitempty"` // from what was approved
}

const serverFailed = "server failed"

func listTools(ctx context.Context, a *app.App) ([]listedTool, error) {
	cfg, _, err := a.Config()
	if err != nil {
		return nil, err
	}
	var all []listedTool
	for _, t := range app.BuiltinTools(cfg) {
		listed := listedTool{Name: t.Spec.Name, State: string(mcp.Offered)}
		if t.NeedsWorkspace {
			listed.Reason = "in debates with a workspace"
			if t.Spec.Name == agents.RunCommandName {
				listed.Reason += " of mode clone or container"
			}
		}
		all = append(all, listed)
	}
	slices.SortFunc(all, func(a, b listedTool) int { return strings.Compare(a.Name, b.Name) })
	if len(cfg.Tools.MCP) == 0 {
		return all, nil
	}
	st, err := a.OpenStore(ctx)
	if err != nil {
		return nil, err
	}
	servers := a.ToolServers(st, cfg)
	status, err := servers.Status(ctx)
	if err != nil {
		return nil, err
	}
	for _, s := range status {
		if s.Failure != "" {
			all = append(all, listedTool{Server: s.Name, State: serverFailed, Reason: s.Failure})
		}
		for _, t := range s.Tools {
			all = append(all, listedTool{t.Name, s.Name, string(t.State), t.Reason, t.Diff})
		}
	}
	return all, nil
}

func formatTools(all []listedTool) string {
	width, server := 0, "built in"
	for _, t := range all {
		width = max(width, len(t.Name))
	}
	var b strings.Builder
	b.WriteString(server + "\n")
	for _, t := range all {
		if t.Server != "" && t.Server != server {
			server = t.Server
			b.WriteString(server + "\n")
		}
		if t.State == serverFailed {
			fmt.Fprintf(&b, "  %s: %s\n", t.State, t.Reason)
			continue
		}
		line := fmt.Sprintf("  %-*s  %s", width, t.Name, t.State)
		if t.Reason != "" {
			line += ": " + t.Reason
		}
		b.WriteString(line + "\n")
		if t.Difference != "" {
			b.WriteString(text.Indent(text.Indent(t.Difference)) + "\n")
		}
	}
	return b.String()
}

func approveTools(ctx context.Context, a *app.App, name string, yes bool) error {
	cfg, _, err := a.Config()
	if err != nil {
		return err
	}
	server, _, single := strings.Cut(name, "__")
	if known := slices.Sorted(maps.Keys(cfg.Tools.MCP)); !slices.Contains(known, server) {
		return app.Usagef("there is no MCP server %q%s", text.Label(server), text.DidYouMean(server, known))
	}
	st, err := a.OpenStore(ctx)
	if err != nil {
		return err
	}
	servers := a.MCPServers(map[string]mcp.Config{server: cfg.Tools.MCP[server]}, st)
	status, err := servers.Status(ctx)
	if err != nil {
		return err
	}
	if failure := status[0].Failure; failure != "" {
		return fmt.Errorf("the MCP server %s cannot be used: %s. Nothing was approved", server, failure)
	}
	known := text.Each(status[0].Tools, func(t mcp.ToolStatus) string { return t.Name })
	if single && !slices.Contains(known, name) {
		return app.Usagef("the MCP server %s has no tool %q%s", server, text.Label(name), text.DidYouMean(name, known))
	}
	var changed []string
	for _, t := range status[0].Tools {
		if t.State != mcp.Changed || single && t.Name != name {
			continue
		}
		changed = append(changed, t.Name)
		if err := a.Print("%s\n%s\n", t.Name, text.Indent(t.Diff)); err != nil {
			return err
		}
	}
	if len(changed) == 0 {
		return a.Print("Nothing to approve for %s: no allowed tool has changed.\n", text.Line(name))
	}
	if ok, err := confirm(ctx, a, yes, "Approve "+text.Count(len(changed), "tool")+"?"); !ok {
		return err
	}
	if err := servers.Approve(ctx, server, changed...); err != nil {
		return err
	}
	return a.Print("Approved %s.\n", text.Count(len(changed), "tool"))
}

package cli

import (
	"github.com/spf13/cobra"

	"roundtable/agents/acp"
	"roundtable/internal/app"
)

func mcpCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use: "mcp", Short: "Serve debates to another program over the Model Context Protocol", Args: argCount(0, 0, ""),
		Long: "Serve debates as an MCP server on standard input and output, for assistants such as Claude Code.\n" +
			"It works on the same database as the interface: a debate that a client began can be opened and\n" +
			"answered there, and the other way round. It ends when its input ends.",
		Example: "  claude mcp add roundtable -- roundtable mcp",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := refuseSeat(a); err != nil {
				return err
			}
			return a.ServeMCP(cmd.Context())
		},
	}
}

// refuseSeat returns an error in a program that a seat has started: an agent may have
// Roundtable among its own servers and commands, and its debates would start others.
func refuseSeat(a *app.App) error {
	if _, seated := a.Env(acp.SeatVariable); seated {
		return app.Usagef("a seat cannot start a debate: %s is set, so an agent in a debate has started this command", acp.SeatVariable)
	}
	return nil
}

// agentToolsCommand is started by agents that take MCP servers only as programs, to reach
// the tools of their turn. It is of no use to people.
func agentToolsCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use: app.AgentTools, Short: "Pass an agent's calls of tools on to its debate", Args: argCount(0, 0, ""), Hidden: true,
		RunE: func(*cobra.Command, []string) error { return acp.Bridge(a.Stdin, a.Stdout, a.Env) },
	}
}

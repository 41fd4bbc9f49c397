package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"roundtable/internal/app"
	"roundtable/internal/process"
)

func mcpCommand(a *app.App) *cobra.Command {
	c := &cobra.Command{
		Use: "mcp", Short: "Serve debates to another program over the Model Context Protocol", Args: argCount(0, 0, ""),
		Long: "Serve debates as an MCP server on standard input and output, for assistants such as Claude Code.\n" +
			"It works on the same database as the interface: a debate that a client began can be opened and\n" +
			"answered there, and the other way round. It ends when its input ends.",
		Example: "  roundtable mcp --print claude > .mcp.json",
	}
	client := c.Flags().String("print", "", "print what a client needs in its settings: "+strings.Join(printedNames(), ", "))
	c.RunE = func(cmd *cobra.Command, _ []string) error {
		if cmd.Flags().Changed("print") {
			return printSettings(a, *client)
		}
		return a.ServeMCP(cmd.Context())
	}
	return c
}

// agentGuardCommand is started beside agents. It is of no use to people.
func agentGuardCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use: app.AgentGuard, Short: "End what an agent has started when its debate is killed", Args: argCount(0, 0, ""), Hidden: true,
		RunE: func(*cobra.Command, []string) error { return process.Guard(a.Stdin) },
	}
}

package cli

import (
	"os"

	"github.com/spf13/cobra"

	"roundtable/agents/acp"
)

const agentTools = "agent-tools"

// agentToolsCommand is started by agents that take MCP servers only as programs, to reach
// the tools of their turn. It is of no use to people.
func agentToolsCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use: agentTools, Short: "Pass an agent's calls of tools on to its debate", Args: argCount(0, 0, ""), Hidden: true,
		RunE: func(*cobra.Command, []string) error { return acp.Bridge(a.Stdin, a.Stdout, a.Env) },
	}
}

// bridgeCommand returns the command that runs agentToolsCommand; nil if this program does
// not know its own path.
func bridgeCommand() []string {
	self, err := os.Executable()
	if err != nil {
		return nil
	}
	return []string{self, agentTools}
}

package cli

import (
	"slices"

	"github.com/spf13/cobra"

	"roundtable/internal/evidence"
)

// startOptions say what the interface shows first.
type startOptions struct {
	resume    string      // the id of a session
	last      bool        // the session that changed last
	workspace string      // of the session, which the user confirms
	new       *runOptions // the form of a new debate
	begin     bool        // the new debate itself, started at once
}

func (a *app) newCommand() *cobra.Command {
	var options runOptions
	var begin bool
	c := &cobra.Command{
		Use: "new [TOPIC]", Short: "Open the form for a new debate", Args: argCount(0, 1, "[TOPIC]"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				options.topic = args[0]
			}
			if err := options.checkFlags(cmd.Flags().Changed); err != nil {
				return err
			}
			if slices.Contains(options.files, evidence.Stdin) {
				return usagef("--file -: the interface reads keys from standard input; use `roundtable run`, or name a file")
			}
			return a.interactive(cmd.Context(), startOptions{new: &options, begin: begin})
		},
	}
	options.addFlags(c)
	addFileFlag(c, &options.files, "a file or folder that the debate is about; can be given several times")
	c.Flags().BoolVar(&begin, "start", false, "start the debate at once")
	return c
}

func (a *app) resumeCommand() *cobra.Command {
	var at startOptions
	c := &cobra.Command{
		Use: "resume ID", Short: "Open a saved debate, paused", Args: argCount(1, 1, "ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			at.resume = args[0]
			return a.interactive(cmd.Context(), at)
		},
	}
	addConfirmedWorkspace(c, &at.workspace)
	return c
}

// addConfirmedWorkspace adds the flag that confirms the workspace of a saved session.
func addConfirmedWorkspace(c *cobra.Command, dir *string) {
	c.Flags().StringVar(dir, "workspace", "", "allow the folder that the debate names, if it was not chosen on this machine")
}

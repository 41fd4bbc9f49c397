package cli

import (
	"charm.land/fang/v2"
	"github.com/spf13/cobra"

	"roundtable/internal/app"
)

func manCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use: "man", Short: "Print the manual page", Args: argCount(0, 0, ""),
		Long:    "Print one manual page with all commands in roff, as man reads it.",
		Example: "  roundtable man | man -l -",
		RunE: func(cmd *cobra.Command, _ []string) error {
			root := root(a)
			man, _, err := root.Find([]string{cmd.Name()})
			if err != nil {
				return err
			}
			root.RemoveCommand(man)
			root.SetArgs([]string{cmd.Name()})
			return fang.Execute(cmd.Context(), root, fang.WithVersion(app.Version()))
		},
	}
}

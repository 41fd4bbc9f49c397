package cli

import (
	"github.com/spf13/cobra"

	"roundtable/internal/app"
)

func diffCommand(a *app.App) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "diff A B", Short: "Compare two debates and their verdicts", Args: argCount(2, 2, "A B"),
		Long: "Compare two debates, such as a fork with the debate that it comes from: what differs, whose side moved,\n" +
			"and what the headline became. What has no verdict yet is compared as far as it goes.",
		Example: "  roundtable diff k7m2 m9x1\n  roundtable diff k7m2 m9x1 --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			st, err := a.ExistingStore(cmd.Context())
			if err != nil {
				return err
			}
			compared, err := app.CompareStored(cmd.Context(), st, args[0], args[1])
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(a, compared)
			}
			return a.Print("%s", app.FormatComparison(compared))
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

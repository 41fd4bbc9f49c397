package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"roundtable/debate/modes"
	"roundtable/internal/app"
	"roundtable/internal/text"
)

func modesCommand(a *app.App) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "modes [NAME]", Short: "List the modes, or print one", Args: argCount(0, 1, "[NAME]"),
		Long: "List the built-in modes and your own, or print the file of a built-in one: all that its seats are told.\n\n" +
			"Your own modes are such files in the folder modes beside the config file. A file with an error is skipped\n" +
			"with a warning.",
		Example: "  roundtable modes\n  roundtable modes delphi",
		RunE: func(_ *cobra.Command, args []string) error {
			cfg, _, err := a.Config()
			if err != nil {
				return err
			}
			all, faults := modes.Load(cfg.ModesDir)
			if len(args) > 0 {
				m, err := modes.Find(all, args[0])
				if err != nil {
					return errors.Join(append([]error{app.Usagef("%v", err)}, faults...)...)
				}
				if asJSON {
					return printJSON(a, m)
				}
				raw, builtin := modes.Source(m.Name)
				if !builtin {
					return a.Print("%s is one of your modes in %s.\n", text.Line(m.Name), cfg.ModesDir)
				}
				return a.Print("%s", raw)
			}
			for _, fault := range faults {
				a.Warn(fault.Error() + "\nThe mode was skipped.")
			}
			if asJSON {
				return printJSON(a, all)
			}
			for _, m := range all {
				if err := a.Print("%-18s %d to %d seats, %s, %s\n  %s\n  %s\n", text.Line(m.Name), m.MinSeats, m.MaxSeats, m.Order,
					text.Count(m.Rounds, "round"), text.Line(m.Summary), text.Line(m.Use)); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON, with all that a mode's file has")
	return c
}

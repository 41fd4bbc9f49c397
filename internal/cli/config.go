package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"roundtable/debate/modes"
	"roundtable/internal/app"
	"roundtable/internal/config"
	"roundtable/internal/text"
)

func configCommand(a *app.App) *cobra.Command {
	return group("config", "Manage the configuration",
		&cobra.Command{
			Use: "init", Short: "Write a commented config file", Args: argCount(0, 0, ""),
			Example: "  roundtable config init\n  roundtable config init --config other.toml",
			Long: "Write a config file with the seats that are found without one, by keys and local servers, as its\n" +
				"panel, and everything else that can be set as comments.",
			RunE: func(cmd *cobra.Command, _ []string) error {
				path, found, err := a.InitConfig(cmd.Context())
				if err != nil {
					return err
				}
				if len(found) == 0 {
					return a.Print("Wrote %s. Fill it in, then run `roundtable config check`.\n", path)
				}
				return a.Print("Wrote %s with %s that %s found. `roundtable` debates with them.\n", path,
					text.Count(len(found), "seat"), text.Inflect(len(found), "was", "were"))
			},
		},
		&cobra.Command{
			Use: "path", Short: "Print the config path", Args: argCount(0, 0, ""),
			Example: "  roundtable config path",
			RunE: func(*cobra.Command, []string) error {
				path, _, err := a.ConfigPath()
				if err != nil {
					return err
				}
				return a.Print("%s\n", path)
			},
		},
		&cobra.Command{
			Use: "check", Short: "Check the config file", Args: argCount(0, 0, ""),
			Example: "  roundtable config check",
			RunE:    func(*cobra.Command, []string) error { return checkConfig(a) },
		})
}

func checkConfig(a *app.App) error {
	cfg, found, err := a.Config()
	if err != nil {
		return err
	}
	path, _, err := a.ConfigPath()
	if err != nil {
		return err
	}
	if !found {
		return app.Usagef("there is no config file %s; `roundtable config init` writes one", path)
	}
	if len(cfg.KeyProblems) > 0 {
		return &config.Error{Path: path, Problems: cfg.KeyProblems}
	}
	_, faults := modes.Load(cfg.ModesDir)
	held := "is valid: " + contents(cfg) + "."
	if len(faults) > 0 {
		return app.Usagef("%v\n%s left out. %s %s", errors.Join(faults...), text.Count(len(faults), "mode"), path, held)
	}
	return a.Print("%s %s\n", path, held)
}

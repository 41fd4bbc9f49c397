package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"roundtable/debate/modes"
	"roundtable/internal/config"
	"roundtable/internal/text"
)

func (a *app) configCommand() *cobra.Command {
	return group("config", "Manage the configuration",
		&cobra.Command{
			Use: "init", Short: "Write a commented config file", Args: argCount(0, 0, ""),
			RunE: func(*cobra.Command, []string) error {
				path, _, err := a.configPath()
				if err != nil {
					return err
				}
				if err := a.initConfig(path); err != nil {
					return err
				}
				return a.print("Wrote %s. Fill it in, then run `roundtable config check`.\n", path)
			},
		},
		&cobra.Command{
			Use: "path", Short: "Print the config path", Args: argCount(0, 0, ""),
			RunE: func(*cobra.Command, []string) error {
				path, _, err := a.configPath()
				if err != nil {
					return err
				}
				return a.print("%s\n", path)
			},
		},
		&cobra.Command{
			Use: "check", Short: "Check the config file", Args: argCount(0, 0, ""),
			RunE: func(*cobra.Command, []string) error { return a.checkConfig() },
		})
}

// initConfig writes the example configuration to path. It never touches an existing
// file.
func (a *app) initConfig(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("write the config: %w. --config selects another file", err)
	}
	if err := writeFileAtomic(path, false, func(w io.Writer) error {
		_, err := w.Write(a.Example)
		return err
	}); errors.Is(err, fs.ErrExist) {
		return usagef("%s already exists; it was not changed", path)
	} else if err != nil {
		return fmt.Errorf("write %s: %w. Nothing was written; --config selects another file", path, err)
	}
	return nil
}

func (a *app) checkConfig() error {
	cfg, found, err := a.config()
	if err != nil {
		return err
	}
	path, _, err := a.configPath()
	if err != nil {
		return err
	}
	if !found {
		return usagef("there is no config file %s; `roundtable config init` writes one", path)
	}
	for _, content := range config.Normalized(cfg) {
		if err := a.print("%s\n", text.Line(content)); err != nil {
			return err
		}
	}
	_, faults, err := modes.Load(cfg.ModesDir)
	if err != nil {
		return err
	}
	held := fmt.Sprintf("is valid: %s, %s, %s.", text.Count(len(cfg.Providers), "provider"),
		text.Count(len(cfg.Agents), "agent"), text.Count(len(cfg.Panels), "panel"))
	if len(faults) > 0 {
		return usagef("%v\n%s left out. %s %s", errors.Join(faults...), text.Count(len(faults), "mode"), path, held)
	}
	return a.print("%s %s\n", path, held)
}

package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"roundtable/internal/app"
	"roundtable/internal/keymap"
)

func keysCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use: "keys", Short: "List the keys of the interface", Args: argCount(0, 0, ""),
		Long: "List the commands of the interface by their ids, with their keys and the places where they work.\n\n" +
			"The table [keys] of the config gives a command other keys, with blanks between several, such as:\n\n" +
			"    [keys]\n    fork = \"B f5\"\n\n" +
			"A - marks commands whose keys cannot be changed, a * those whose keys you have changed.",
		Example: "  roundtable keys",
		RunE: func(*cobra.Command, []string) error {
			cfg, _, err := a.Config()
			if err != nil {
				return err
			}
			for _, c := range keymap.All() {
				mark := " "
				if _, changed := cfg.Keys[c.ID]; changed {
					mark = "*"
				} else if c.Fixed {
					mark = "-"
				}
				where := strings.Join(c.Where, ", ")
				if c.Field {
					where += "; also in fields"
				}
				if err := a.Print("%s %-18s %-24s %s\n", mark, c.ID, strings.Join(cfg.Keys.Keys(c), " "), where); err != nil {
					return err
				}
			}
			if notice := cfg.KeysNotice(); notice != "" {
				a.Warn(notice)
			}
			return nil
		},
	}
}

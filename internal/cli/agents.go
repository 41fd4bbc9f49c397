package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"roundtable/debate"
	"roundtable/internal/config"
	"roundtable/internal/headless"
	"roundtable/internal/text"
)

func (a *app) agentsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "agents", Short: "List configured agents and panels", Args: argCount(0, 0, ""),
		Long: "List the configured agents, what they lack, who receives their text, and the panels.\n" +
			"Nothing is sent to a provider, so an agent that is not asked may still be out of reach;\n" +
			"`roundtable models PROVIDER` asks one.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, found, err := a.config()
			if err != nil {
				return err
			}
			if !found {
				path, _, err := a.configPath()
				if err != nil {
					return err
				}
				return a.print("No config file at %s. `roundtable config init` writes one.\n"+
					"The panel demo is always available: scripted answers, no model.\n", path)
			}
			c := openClients(cmd.Context(), a, cfg, 0)
			c.Prepare(cfg.Profiles())
			for _, s := range cfg.Agents {
				state := "not asked; " + textGoesTo(cfg.Recipient(s.Provider, a.Env))
				if _, err := c.Provider(s.Profile()); err != nil {
					state = text.Line(err.Error())
				}
				if err := a.print("%-12s %s  %s\n", s.ID, headless.Describe(s.Profile()), state); err != nil {
					return err
				}
			}
			return a.printPanels(cfg)
		},
	}
}

// textGoesTo says who receives the text of an agent.
func textGoesTo(recipient string, local bool) string {
	if local {
		return "text stays on this machine"
	}
	return "text goes to " + text.Line(recipient)
}

func (a *app) printPanels(cfg config.Config) error {
	for _, name := range slices.Sorted(maps.Keys(cfg.Panels)) {
		var ids []string
		for _, id := range cfg.Panels[name].Agents {
			ids = append(ids, string(id))
		}
		chair := ""
		if c := cfg.Panels[name].Chair; c != "" {
			chair = fmt.Sprintf(", chair %s", c)
		}
		if l := cfg.Panels[name].Light; l != "" {
			chair += fmt.Sprintf(", light %s", l)
		}
		if err := a.print("panel %s: %s%s\n", name, strings.Join(ids, ", "), chair); err != nil {
			return err
		}
	}
	return a.print("panel %s: always available, scripted answers, no model\n", debate.DemoProvider)
}

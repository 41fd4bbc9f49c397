package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/app"
	"roundtable/internal/config"
	"roundtable/internal/headless"
	"roundtable/internal/text"
)

func agentsCommand(a *app.App) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "agents", Short: "List configured seats and panels", Args: argCount(0, 0, ""),
		Long: "List the configured seats, what they lack, what is known of their models and from where, who receives\n" +
			"their text, and the panels. Servers are asked for their models once a day, for 3 seconds at most.\n" +
			"`roundtable doctor` asks every provider whether it can be reached.",
		Example: "  roundtable agents\n  roundtable agents --json",
		RunE:    func(cmd *cobra.Command, _ []string) error { return listAgents(cmd.Context(), a, asJSON) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

type seatLine struct {
	ID        agents.ID `json:"id"`
	Name      string    `json:"name"`
	Model     string    `json:"model"`
	Provider  string    `json:"provider"`
	Usable    bool      `json:"usable"` // as far as is known
	State     string    `json:"state"`  // in words, also what is known of its model
	Panels    []string  `json:"panels"` // that it sits in
	described string
}

func listAgents(ctx context.Context, a *app.App, asJSON bool) error {
	cfg, configured, err := a.Config()
	if err != nil {
		return err
	}
	b, seats, panels, state := app.NewBuilder(cfg, configured), cfg.Agents, cfg.Panels, "configured"
	c := a.OpenClients(ctx, cfg, 0)
	if configured {
		c.Prepare(cfg.Profiles())
		c.AskLists(ctx, cfg.Unlisted(a.Env))
	} else {
		if b, err = a.Look(ctx, b); err != nil {
			return err
		}
		var found config.Panel
		for _, p := range b.Found {
			found.Agents = append(found.Agents, p.ID)
			seats = append(seats, config.Agent{
				Profile: agents.Profile{ID: p.ID, Name: p.Name, Provider: p.Provider, Model: p.Model, Loop: p.Loop},
			})
		}
		panels, state = map[string]config.Panel{app.FoundPanel: found}, "found"
	}
	lines := []seatLine{}
	for _, s := range seats {
		p := s.Profile
		states := []string{state, textGoesTo(cfg.Recipient(p.Provider, a.Env))}
		_, err := c.Provider(p)
		if f, known := cfg.FiguresOf(p); err != nil {
			states = []string{text.Line(err.Error())}
		} else if known && (configured || f.WindowFrom+f.PriceFrom != "") {
			states = append(states, f.String())
		}
		states = append(states, cmp.Or(b.Notes[p.ID], cfg.Retires(p.Provider, p.Model)))
		words := text.Join("; ", states...)
		lines = append(lines, seatLine{
			ID: p.ID, Name: p.Name, Model: p.Model, Provider: p.Provider, Usable: err == nil, State: words,
			Panels: app.PanelsWith(p.ID, panels), described: fmt.Sprintf("%-12s %s  %s", p.ID, headless.Describe(p), words),
		})
	}
	if asJSON {
		return printJSON(a, lines)
	}
	for _, s := range lines {
		if err := a.Print("%s\n", s.described); err != nil {
			return err
		}
	}
	if configured {
		return errors.Join(printPanels(a, cfg), printUnseated(a, cfg.Unseated(exec.LookPath)))
	}
	return printFound(a, cfg, b)
}

func printFound(a *app.App, cfg config.Config, b app.Builder) error {
	path, _, err := a.ConfigPath()
	if err != nil {
		return err
	}
	panel := fmt.Sprintf("panel %s: these, with --panel %s", app.FoundPanel, app.FoundPanel)
	if len(b.Found) == 0 {
		panel = "No key is set in the environment, and no local server answers."
	}
	isLocal := func(provider string) bool { return cfg.Local(provider, a.Env) }
	if one := (debate.Session{Seats: b.Found}).RosterNote(isLocal); one != "" {
		panel = one + "\n" + panel
	}
	return errors.Join(a.Print("%s\n", panel), printUnseated(a, b.Unseated),
		a.Print("No config file at %s. `roundtable config init` writes one.\n"+
			"The panel demo is always available: scripted answers, no model.\n", path))
}

func printUnseated(a *app.App, u config.Unseated) error {
	if u.Command == "" {
		return nil
	}
	return a.Print("%s\n", u)
}

func textGoesTo(recipient string, local bool) string {
	if local {
		return "text stays on this machine"
	}
	return "text goes to " + text.Line(recipient)
}

func printPanels(a *app.App, cfg config.Config) error {
	for _, name := range slices.Sorted(maps.Keys(cfg.Panels)) {
		chair := ""
		if c := cfg.Panels[name].Chair; c != "" {
			chair = fmt.Sprintf(", chair %s", c)
		}
		if l := cfg.Panels[name].Light; l != "" {
			chair += fmt.Sprintf(", light %s", l)
		}
		if err := a.Print("panel %s: %s%s\n", name, strings.Join(text.Strings(cfg.Panels[name].Agents), ", "), chair); err != nil {
			return err
		}
	}
	return a.Print("panel %s: always available, scripted answers, no model\n", debate.DemoProvider)
}

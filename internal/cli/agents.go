package cli

import (
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

func seatLineOf(p agents.Profile, states []string, usable bool, panels map[string]config.Panel) seatLine {
	state := strings.Join(slices.DeleteFunc(states, func(words string) bool { return words == "" }), "; ")
	l := seatLine{
		ID: p.ID, Name: p.Name, Model: p.Model, Provider: p.Provider, Usable: usable, State: state, Panels: app.PanelsWith(p.ID, panels),
	}
	l.described = fmt.Sprintf("%-12s %s  %s", p.ID, headless.Describe(p), state)
	return l
}

func printSeats(a *app.App, all []seatLine, asJSON bool) error {
	if asJSON {
		return printJSON(a, all)
	}
	for _, s := range all {
		if err := a.Print("%s\n", s.described); err != nil {
			return err
		}
	}
	return nil
}

func listAgents(ctx context.Context, a *app.App, asJSON bool) error {
	cfg, found, err := a.Config()
	if err != nil {
		return err
	}
	if !found {
		return listFound(ctx, a, cfg, asJSON)
	}
	c := a.OpenClients(ctx, cfg, 0)
	c.Prepare(cfg.Profiles())
	c.AskLists(ctx, cfg.Unlisted(a.Env))
	lines := []seatLine{}
	for _, s := range cfg.Agents {
		_, err := c.Provider(s.Profile())
		var state []string
		if err != nil {
			state = append(state, text.Line(err.Error()))
		} else {
			state = append(state, "configured", textGoesTo(cfg.Recipient(s.Provider, a.Env)))
			if f, known := cfg.FiguresOf(s); known {
				state = append(state, f.String())
			}
		}
		state = append(state, cfg.OwnServers(s.Provider, a.Env), cfg.Retires(s.Provider, s.Model))
		lines = append(lines, seatLineOf(s.Profile(), state, err == nil, cfg.Panels))
	}
	err = printSeats(a, lines, asJSON)
	if err == nil && !asJSON {
		err = errors.Join(printPanels(a, cfg), printUnseated(a, cfg.Unseated(exec.LookPath)))
	}
	return err
}

// listFound lists the agents that are found without a config file.
func listFound(ctx context.Context, a *app.App, cfg config.Config, asJSON bool) error {
	path, _, err := a.ConfigPath()
	if err != nil {
		return err
	}
	b, err := a.Look(ctx, app.NewBuilder(cfg, false))
	if err != nil {
		return err
	}
	lines, panel := []seatLine{}, map[string]config.Panel{}
	for _, p := range b.Found() {
		panel[app.FoundPanel] = config.Panel{Agents: append(panel[app.FoundPanel].Agents, p.ID)}
	}
	for _, p := range b.Found() {
		state := []string{"found", textGoesTo(cfg.Recipient(p.Provider, a.Env))}
		if f, _ := cfg.Figures(p.Provider, p.Model); f.WindowFrom+f.PriceFrom != "" {
			state = append(state, f.String())
		}
		state = append(state, b.Note(p.ID), cfg.OwnServers(p.Provider, a.Env))
		lines = append(lines, seatLineOf(p, state, true, panel))
	}
	if err := printSeats(a, lines, asJSON); err != nil || asJSON {
		return err
	}
	isLocal := func(provider string) bool {
		_, local := cfg.Recipient(provider, a.Env)
		return local
	}
	if one := (debate.Session{Seats: b.Found()}).RosterNote(isLocal); one != "" {
		if err := a.Print("%s\n", one); err != nil {
			return err
		}
	}
	if len(b.Found()) > 0 {
		err = a.Print("panel %s: these, with --panel %s\n", app.FoundPanel, app.FoundPanel)
	} else {
		err = a.Print("No key is set in the environment, and no local server answers.\n")
	}
	if err := errors.Join(err, printUnseated(a, b.Unseated())); err != nil {
		return err
	}
	return a.Print("No config file at %s. `roundtable config init` writes one.\n"+
		"The panel demo is always available: scripted answers, no model.\n", path)
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
		if err := a.Print("panel %s: %s%s\n", name, strings.Join(ids, ", "), chair); err != nil {
			return err
		}
	}
	return a.Print("panel %s: always available, scripted answers, no model\n", debate.DemoProvider)
}

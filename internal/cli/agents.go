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
	var ask, asJSON bool
	c := &cobra.Command{
		Use: "agents", Short: "List configured seats and panels", Args: argCount(0, 0, ""),
		Long: "List the configured seats, what they lack, what is known of their models and from where, who receives\n" +
			"their text, and the panels. Servers are asked for their models once a day, for 3 seconds at most; a configured\n" +
			"seat may be out of reach. --check asks every provider again, and exits with code 1 if a seat cannot be reached.",
		Example: "  roundtable agents\n  roundtable agents --json",
		RunE:    func(cmd *cobra.Command, _ []string) error { return listAgents(cmd.Context(), a, ask, asJSON) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.Flags().BoolVar(&ask, "check", false, "ask the providers, and say which seats can be reached")
	return c
}

// seatLine is a seat that a debate can have.
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

func seatLineOf(p agents.Profile, state string, usable bool, panels map[string]config.Panel) seatLine {
	l := seatLine{ID: p.ID, Name: p.Name, Model: p.Model, Provider: p.Provider, Usable: usable, State: state, Panels: []string{}}
	for _, name := range slices.Sorted(maps.Keys(panels)) {
		if slices.Contains(panels[name].Agents, p.ID) {
			l.Panels = append(l.Panels, name)
		}
	}
	l.described = fmt.Sprintf("%-12s %s  %s", p.ID, headless.Describe(p), state)
	return l
}

// printSeats prints seats a line each, or as JSON.
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

// listAgents lists the configured agents and panels. With ask, it asks their providers.
func listAgents(ctx context.Context, a *app.App, ask, asJSON bool) error {
	cfg, found, err := a.Config()
	if err != nil {
		return err
	}
	if !found {
		return listFound(ctx, a, cfg, asJSON)
	}
	c := a.OpenClients(ctx, cfg, 0)
	c.Prepare(cfg.Profiles())
	var asked []offeredModels
	if ask {
		asked = askModels(ctx, cfg, c, usedProviders(cfg), true)
	} else {
		c.AskLists(ctx, cfg.Unlisted(a.Env))
	}
	lines, failed := []seatLine{}, false
	for _, s := range cfg.Agents {
		state, ok := "configured", true
		if _, err := c.Provider(s.Profile()); err != nil {
			state, ok = text.Line(err.Error()), false
		} else if ask {
			state, ok = reached(asked, s.Provider, s.Model)
		}
		if ok {
			state += "; " + textGoesTo(cfg.Recipient(s.Provider, a.Env))
		}
		if f, known := cfg.FiguresOf(s); ok && known {
			state += "; " + f.String()
		}
		state += ownServers(a, cfg, s.Provider)
		if retires := cfg.Retires(s.Provider, s.Model); retires != "" {
			state += "; " + retires
		}
		failed = failed || !ok
		lines = append(lines, seatLineOf(s.Profile(), state, ok, cfg.Panels))
	}
	err = printSeats(a, lines, asJSON)
	if err == nil && !asJSON {
		err = errors.Join(printPanels(a, cfg), printUnseated(a, cfg.Unseated(exec.LookPath)))
	}
	if err != nil || !ask || !failed {
		return err
	}
	return codeError(exitFailed)
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
		state := "found; " + textGoesTo(cfg.Recipient(p.Provider, a.Env)) + knownOf(cfg, p, b.Note(p.ID)) + ownServers(a, cfg, p.Provider)
		lines = append(lines, seatLineOf(p, state, true, panel))
	}
	if err := printSeats(a, lines, asJSON); err != nil || asJSON {
		return err
	}
	isLocal := func(provider string) bool {
		_, local := cfg.Recipient(provider, a.Env)
		return local
	}
	if one := (debate.Session{Seats: b.Found()}).OneLocalModel(isLocal); one != "" {
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

func ownServers(a *app.App, cfg config.Config, provider string) string {
	if words := cfg.OwnServers(provider, a.Env); words != "" {
		return "; " + words
	}
	return ""
}

// knownOf says what is known of the model of a seat that was found.
func knownOf(cfg config.Config, p agents.Profile, note string) (words string) {
	if f, _ := cfg.Figures(p.Provider, p.Model); f.WindowFrom+f.PriceFrom != "" {
		words = "; " + f.String()
	}
	if note != "" {
		words += "; " + note
	}
	return words
}

func usedProviders(cfg config.Config) []string {
	var names []string
	for _, s := range cfg.Agents {
		if !slices.Contains(names, s.Provider) {
			names = append(names, s.Provider)
		}
	}
	return names
}

// reached says whether a model's provider answered, and lists the model.
func reached(asked []offeredModels, provider, model string) (state string, ok bool) {
	i := slices.IndexFunc(asked, func(o offeredModels) bool { return o.Provider == provider })
	switch o := asked[i]; {
	case o.Error != "":
		return "not usable: " + o.Error, false
	case o.Unasked:
		return "not asked", true
	case !o.lists(model):
		return "provider reachable, but its list lacks the model", true
	default:
		return "reachable", true
	}
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

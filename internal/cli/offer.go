package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/agents/demo"
	"roundtable/agents/openai"
	"roundtable/agents/safetext"
	"roundtable/debate"
	"roundtable/debate/modes"
	"roundtable/internal/config"
	"roundtable/internal/text"
	"roundtable/tui/setup"
)

// demoTopic is what the demo debates.
const demoTopic = "Should a small team use SQLite in production?"

// discovery finds out what a new debate can be made of.
type discovery struct {
	cfg     config.Config
	found   bool // there is a configuration
	wish    runOptions
	example config.Config
	env     func(string) (string, bool)
	ollama  func(ctx context.Context) ([]string, error) // its models
}

// setupOptions looks at the configuration; without agents in one, at the environment
// and at this machine. Nothing but a local Ollama is asked.
func (s discovery) setupOptions(ctx context.Context) (setup.Options, error) {
	all, faults, err := modes.Load(s.cfg.ModesDir)
	if err != nil {
		return setup.Options{}, err
	}
	budget := s.cfg.Budget
	budget.USD = cmp.Or(s.wish.budget, budget.USD)
	o := setup.Options{
		Modes: all, Mode: cmp.Or(s.wish.mode, s.cfg.Defaults.Mode, fallbackMode), Rounds: cmp.Or(s.wish.rounds, s.cfg.Defaults.Rounds),
		Endings: s.wish.endings(s.cfg), Budget: budget, Caps: s.cfg.Context.Caps, Fit: s.cfg.Context.Fit,
	}
	for _, fault := range faults {
		o.Faults = append(o.Faults, safetext.Line(fault.Error())+" The mode is left out.")
	}
	if err := s.wish.give(&o, s.cfg.Panels[cmp.Or(s.wish.panel, s.cfg.Defaults.Panel, "default")].Perspectives); err != nil {
		return o, err
	}
	all = o.Modes
	mode, err := modes.Find(all, o.Mode)
	if err != nil {
		return o, usagef("%v", err)
	}
	o.Demo = debate.Session{Topic: demoTopic, Mode: mode, Rounds: mode.Rounds, Seats: demo.Panel(demoSeats), Caps: o.Caps}
	panel := cmp.Or(s.wish.panel, s.cfg.Defaults.Panel, "default")
	switch {
	case panel == demoPanel && len(s.wish.agents) == 0:
		o.Seats = scripted()
	case len(s.cfg.Agents) > 0:
		return o, s.configured(&o, panel)
	default:
		s.discover(ctx, &o)
	}
	return o, nil
}

func scripted() []setup.SeatOption {
	var seats []setup.SeatOption
	for i, p := range demo.Panel(debate.MaxSeats) {
		seats = append(seats, setup.SeatOption{Profile: p, Chosen: i < demoSeats, Local: true})
	}
	return seats
}

// configured offers the agents of the configuration; those of the panel sit, and
// stand before the others in its order: sides and turns go by it.
func (s discovery) configured(o *setup.Options, panel string) error {
	var chosen []agents.ID
	for _, id := range s.wish.agents {
		chosen = append(chosen, agents.ID(strings.TrimSpace(id)))
	}
	if len(chosen) == 0 {
		chosen = s.cfg.Panels[panel].Agents
		o.Chair, o.Light = s.cfg.Speaker(s.cfg.Panels[panel].Chair), s.cfg.Speaker(s.cfg.Panels[panel].Light)
	}
	for _, seat := range s.cfg.Agents {
		p := seat.Profile()
		x := s.seat(p, s.cfg.Providers[p.Provider])
		x.Chosen = x.Problem == "" && (slices.Contains(chosen, p.ID) || len(chosen) == 0 && o.Ready() < demoSeats)
		o.Seats = append(o.Seats, x)
	}
	place := func(x setup.SeatOption) int {
		if i := slices.Index(chosen, x.Profile.ID); i >= 0 {
			return i
		}
		return len(chosen)
	}
	slices.SortStableFunc(o.Seats, func(a, b setup.SeatOption) int { return place(a) - place(b) })
	for _, id := range chosen {
		if s.cfg.Speaker(id) == nil {
			return usagef("there is no agent %q in the configuration", text.Label(string(id)))
		}
	}
	return nil
}

// seat says what is known of a speaker without asking anybody.
func (s discovery) seat(p agents.Profile, c openai.Config) setup.SeatOption {
	preset, address := config.AddressOf(c)
	x := setup.SeatOption{Profile: p, Local: config.IsLocal(address), Company: config.Recipient(preset.Name, address)}
	if p.Provider == demo.Name {
		return setup.SeatOption{Profile: p, Local: true}
	}
	key := c.KeyVariable()
	if len(c.APIKeyCommand) > 0 {
		key = ""
	}
	if value, set := s.env(key); key != "" && (!set || strings.TrimSpace(value) == "") {
		x.Problem = "set " + key
	}
	return x
}

// recipient names who receives what a provider is sent, and says whether that is
// this machine.
func (s discovery) recipient(provider string) (name string, here bool) {
	c, configured := s.cfg.Providers[provider]
	if !configured {
		c = openai.Config{Preset: provider}
	}
	preset, address := config.AddressOf(c)
	if provider == demo.Name || config.IsLocal(address) {
		return provider, true
	}
	return cmp.Or(config.Recipient(preset.Name, address), provider), false
}

// source is a provider that can be used, and a speaker of it.
type source struct {
	preset openai.Preset
	as     agents.Profile
}

// discover offers a panel of what was found: a seat for each provider, and at
// least three seats.
func (s discovery) discover(ctx context.Context, o *setup.Options) {
	var sources []source
	var unset []string
	keys := 0
	for _, p := range openai.Presets() {
		value, set := s.env(p.KeyEnv)
		switch as, known := s.defaultOf(p.Name); {
		case p.KeyEnv == "" || !known:
		case set && strings.TrimSpace(value) != "":
			keys++
			sources = append(sources, source{p, as})
		default:
			unset = append(unset, p.KeyEnv)
		}
	}
	models := s.local(ctx)
	for _, m := range models[:min(len(models), demoSeats)] {
		preset, _ := config.PresetNamed("ollama")
		free := 0.0
		sources = append(sources, source{preset, agents.Profile{Provider: "ollama", Model: m, PriceIn: &free, PriceOut: &free}})
	}
	o.Found = findings(keys, unset, len(models), s.found)
	o.Sources = sourcesText(keys, len(models))
	if len(sources) == 0 {
		o.FirstStart = true
		o.Seats = scripted()
		return
	}
	names := demo.Panel(debate.MaxSeats)
	for i := range min(max(demoSeats, len(sources)), len(names)) {
		from := sources[i%len(sources)]
		p := from.as
		p.ID, p.Name, p.Persona = names[i].ID, names[i].Name, s.example.Agents[i%len(s.example.Agents)].Persona
		x := s.seat(p, openai.Config{Preset: from.preset.Name})
		x.Chosen = i < demoSeats
		o.Seats = append(o.Seats, x)
	}
}

// defaultOf returns the model that the example configuration takes of a provider.
func (s discovery) defaultOf(preset string) (agents.Profile, bool) {
	for _, a := range s.example.Agents {
		if s.example.Providers[a.Provider].Preset == preset {
			p := a.Profile()
			p.Provider = preset
			return p, true
		}
	}
	return agents.Profile{}, false
}

// lookTime is how long a local server may take to say what it has.
const lookTime = time.Second

// local returns the models of a local Ollama that can speak.
func (s discovery) local(ctx context.Context) []string {
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	models, err := s.ollama(ctx)
	if err != nil { // nobody is there, which findings says
		return nil
	}
	return slices.DeleteFunc(models, func(m string) bool { return strings.Contains(m, "embed") })
}

func findings(keys int, unset []string, models int, config bool) []setup.Finding {
	out := []setup.Finding{
		{What: "Keys in the environment", Result: fmt.Sprintf("%d set", keys), OK: true},
		{What: "Ollama at localhost:11434", Result: "no answer"},
		{What: "a config file", Result: "none, fine"},
	}
	if keys == 0 {
		out[0] = setup.Finding{What: several(unset), Result: "not set"}
	}
	if models > 0 {
		out[1].Result, out[1].OK = text.Count(models, "model"), true
	}
	if config {
		out[2].Result = "there, without agents"
	}
	return out
}

// several names the first of many.
func several(names []string) string {
	const shown = 3
	if len(names) <= shown {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:shown], ", "), len(names)-shown)
}

func sourcesText(keys, models int) string {
	var parts []string
	if models > 0 {
		parts = append(parts, "ollama")
	}
	if keys > 0 {
		parts = append(parts, text.Count(keys, "key"))
	}
	return strings.Join(parts, ", ")
}

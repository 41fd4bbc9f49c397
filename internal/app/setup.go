package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/agents/demo"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/modes"
	"roundtable/internal/config"
	"roundtable/internal/crash"
	"roundtable/internal/text"
	"roundtable/tui/setup"
)

// FoundPanel is the panel of the agents that were found without a configuration.
const FoundPanel = "found"

type setupForm struct {
	Builder
	options   debate.Plan // of the command line
	example   []byte      // the example configuration
	path      string      // where a config file is looked for; "" if nowhere
	discovery config.Discovery
	ask       func(ctx context.Context, providers []string) // asks servers for their lists of models
	keep      func(panel []config.Candidate)                // stores the panel that is proposed; nil: it is not stored

	last func(ctx context.Context) (*debate.Choice, error) // of the last debate; nil: nothing comes back
	past func(context.Context, []agents.Profile) budget.Past
}

// offer returns the choices of the form: the configured agents, or what is found
// without a configuration. The example is parsed here: the first frame does not need it.
func (s setupForm) offer(ctx context.Context) (setup.Options, error) {
	o, err := s.modes()
	if err != nil {
		return o, err
	}
	if s.discovery.Example, err = config.Parse("config.example.toml", s.example); err != nil {
		return o, err
	}
	panel := s.panel(s.options)
	scripted := panel == DemoPanel && len(s.options.Agents) == 0
	if names := s.cfg.Unlisted(s.discovery.Env); len(names) > 0 && !scripted {
		o.Ask = func(ctx context.Context) (setup.Options, error) {
			s.ask(ctx, names)
			asked, err := s.offer(ctx)
			asked.Ask = nil // who has not answered is not asked again
			return asked, err
		}
	}
	switch {
	case scripted:
		o.Panel, o.Seats = DemoPanel, demoOffers()
	case len(s.cfg.Agents) > 0 && panel != FoundPanel:
		err = s.configuredSeats(&o, panel)
	default:
		s.discoveredSeats(ctx, &o)
	}
	if err != nil {
		return o, err
	}
	all := text.Each(o.Seats, func(seat setup.SeatOption) agents.Profile { return seat.Profile })
	o.Past, o.More = s.past(ctx, all), moreSeats(o.Seats, s.discovery.Example.Agents)
	return o, s.comeBack(ctx, &o)
}

func (s setupForm) panels(plain []debate.Mode) ([]setup.PanelOption, error) {
	var all []setup.PanelOption
	for _, name := range slices.Sorted(maps.Keys(s.cfg.Panels)) {
		p := s.cfg.Panels[name]
		one := setup.PanelOption{
			Name: name, Seats: s.seatsOf(p.Agents), Chair: s.cfg.Agent(p.Chair), Light: s.cfg.Agent(p.Light), Configured: true,
		}
		var err error
		if one.Modes, err = s.modesWith(plain, p.Perspectives); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	own, err := s.modesWith(plain, nil)
	return append(all, setup.PanelOption{Name: DemoPanel, Seats: demoOffers(), Modes: own}), err
}

// modesWith returns modes with the lists of the command line and the perspectives of a panel.
func (s setupForm) modesWith(plain []debate.Mode, perspectives []string) ([]debate.Mode, error) {
	all := slices.Clone(plain)
	wanted := cmp.Or(s.options.Mode, s.cfg.Defaults.Mode, defaultMode)
	for i, m := range plain {
		options := debate.Plan{} // the lists of the command line are for the mode that it names
		if m.Name == wanted {
			options = s.options
		}
		var err error
		if all[i], err = withLists(m, options, perspectives); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (s setupForm) modes() (setup.Options, error) {
	var err error
	all, faults := modes.Load(s.cfg.ModesDir)
	o := setup.Options{
		Modes: all, Mode: cmp.Or(s.options.Mode, s.cfg.Defaults.Mode, defaultMode), Rounds: cmp.Or(s.options.Rounds, s.cfg.Defaults.Rounds),
		Question: debate.QuestionKind(s.options.Question), Unit: s.options.Unit,
		Ends: s.ends(s.options), Budget: s.budget(s.options), StartsBelow: s.cfg.UI.StartsBelow, Caps: s.cfg.Context.Caps, Fit: s.cfg.Fit(),
		Servers: s.cfg.RemoteServers(),
	}
	o.Usual = o.Mode
	if o.Workspace, err = s.Workspace(s.options); err != nil {
		o.Faults = append(o.Faults, text.Capitalize(text.Line(err.Error()))+".")
	}
	o.Workspace.Mode = cmp.Or(o.Workspace.Mode, debate.WorkspaceMode(s.cfg.Tools.Mode))
	o.Workspace.Commands = s.cfg.Tools.Commands // which a mode may not have
	for _, fault := range faults {
		o.Faults = append(o.Faults, strings.TrimSuffix(text.Line(fault.Error()), ".")+". The mode was skipped.")
	}
	if o.Modes, err = s.modesWith(all, s.cfg.Panels[s.panel(s.options)].Perspectives); err != nil {
		return o, err
	}
	if o.Panels, err = s.panels(all); err != nil {
		return o, err
	}
	mode, err := modes.Find(o.Modes, o.Mode)
	if err != nil {
		return o, Usagef("%v", err)
	}
	topic, question := demo.Question(), debate.QuestionYesNo
	if mode.Reviews() {
		topic, question = demo.ReviewQuestion(), debate.QuestionUnset
	}
	o.Demo = debate.Session{
		Topic: topic, Question: question, Mode: mode, Rounds: mode.Rounds, Seats: demo.Panel(demoSeats), Caps: o.Caps,
	}
	return o, nil
}

func demoOffers() []setup.SeatOption {
	var seats []setup.SeatOption
	for i, p := range demo.Panel(debate.MaxSeats) {
		seats = append(seats, setup.SeatOption{Profile: p, Chosen: i < demoSeats, Local: true})
	}
	return seats
}

func (s setupForm) seatOffer(c config.Candidate) setup.SeatOption {
	if s.cfg.Defaults.OnlyLocal && !c.Local {
		c.Problem = "not on this machine"
	}
	return setup.SeatOption{
		Profile: c.Profile, Problem: c.Problem, Local: c.Local, Company: c.Recipient, Asks: c.Asks, Note: text.Line(c.Note),
	}
}

// configuredSeats offers the configured agents. Those of the panel are chosen and
// come first, in the panel's order: sides and turns depend on it.
func (s setupForm) configuredSeats(o *setup.Options, panel string) error {
	chosen := text.Each(s.options.Agents, func(id string) agents.ID { return agents.ID(strings.TrimSpace(id)) })
	if p, ok := s.cfg.Panels[panel]; ok && len(chosen) == 0 {
		o.Panel, chosen = panel, p.Agents
		o.Chair, o.Light = s.cfg.Agent(p.Chair), s.cfg.Agent(p.Light)
	}
	o.Seats = s.seatsOf(chosen)
	for _, id := range chosen {
		if s.cfg.Agent(id) == nil {
			return Usagef("there is no seat %q in the configuration", text.Label(string(id)))
		}
	}
	return nil
}

// seatsOf returns seats for all configured agents. Those of the ids are chosen and come
// first, in that order; without ids the first ones that are ready are chosen.
func (s setupForm) seatsOf(chosen []agents.ID) []setup.SeatOption {
	var seats []setup.SeatOption
	ready := 0
	for _, c := range s.cfg.Candidates(s.discovery.Env) {
		seat := s.seatOffer(c)
		seat.Chosen = seat.Problem == "" && (slices.Contains(chosen, c.Profile.ID) || len(chosen) == 0 && ready < demoSeats)
		if seat.Problem == "" {
			ready++
		}
		seats = append(seats, seat)
	}
	place := func(x setup.SeatOption) int {
		if i := slices.Index(chosen, x.Profile.ID); i >= 0 {
			return i
		}
		return len(chosen)
	}
	slices.SortStableFunc(seats, func(a, b setup.SeatOption) int { return place(a) - place(b) })
	return seats
}

// seatedCandidates returns the candidates by seat, and how many of the first are chosen. A model
// that is alone has three seats, rather than spare ones of the same server, which come last.
func seatedCandidates(all []config.Candidate) (seats []config.Candidate, chosen int) {
	seats = slices.DeleteFunc(slices.Clone(all), func(c config.Candidate) bool { return c.Spare })
	if len(seats) == 1 {
		seats[0].Step = "one model in three seats"
		seats = slices.Repeat(seats, demoSeats)
	}
	chosen = min(len(seats), demoSeats)
	spares := slices.DeleteFunc(slices.Clone(all), func(c config.Candidate) bool { return !c.Spare })
	return append(seats, spares...), chosen
}

// discoveredSeats offers seats for what was found, in the order in which it takes them. If
// nothing was found it offers none: the demo is chosen by the user alone.
func (s setupForm) discoveredSeats(ctx context.Context, o *setup.Options) {
	s.discovery.OnlyLocal = s.cfg.Defaults.OnlyLocal
	found := s.discovery.Look(ctx)
	for _, f := range found.Findings {
		o.Found = append(o.Found, setup.Finding(f))
	}
	o.Found, o.Unseated = append(o.Found, s.configFinding()), setup.Unseated(found.Unseated)
	o.Sources, o.Summary = strings.Join(found.Sources, ", "), strings.Join(found.Summary, ", ")
	if o.FirstStart = len(found.Candidates) == 0; o.FirstStart {
		return
	}
	o.Panel = FoundPanel
	offered, chosen := seatedCandidates(found.Candidates)
	o.Seats = s.offersOf(offered, chosen)
	if s.keep != nil {
		s.keep(slices.DeleteFunc(slices.Clone(offered[:chosen]), func(c config.Candidate) bool { return c.Problem != "" }))
	}
}

func (s setupForm) offersOf(all []config.Candidate, chosen int) (seats []setup.SeatOption) {
	names, personas := demo.Panel(debate.MaxSeats), s.discovery.Example.Agents
	for i := range min(len(all), len(names)) {
		seat := s.seatOffer(all[i])
		seat.Profile.ID, seat.Profile.Name, seat.Profile.Persona = names[i].ID, names[i].Name, personas[i%len(personas)].Persona
		seat.Chosen = i < chosen
		seats = append(seats, seat)
	}
	return seats
}

func (s setupForm) configFinding() setup.Finding {
	if s.configured {
		return setup.Finding{What: "a config file", Result: "found, without seats"}
	}
	if _, err := os.Stat(s.path); err == nil { // written since the program began
		return setup.Finding{What: "a config file", Result: "found, read at the next start", OK: true}
	}
	return setup.Finding{What: "a config file", Result: "none (optional)"}
}

const maxConfig = 1 << 20

func (a *App) savePanel() setup.PanelSaver {
	return func(_ context.Context, p setup.NewPanel) (string, error) {
		path, _, err := a.ConfigPath()
		if err != nil {
			return "", err
		}
		raw, err := text.ReadFile(path, maxConfig)
		missing := errors.Is(err, fs.ErrNotExist)
		if err != nil && !missing {
			return "", fmt.Errorf("read the config: %w", err)
		}
		out, err := config.AddPanel(path, raw, debate.Panel{Name: p.Name, Seats: p.Seats, Chair: p.Chair, Light: p.Light})
		switch {
		case err != nil:
			return "", fmt.Errorf("the panel was not saved: %w", err)
		case missing && !p.Agreed:
			return "", &setup.ConsentError{
				Question: fmt.Sprintf("Write a config with %s to %s?", text.Count(len(p.Seats), "seat"), path), Verb: "write it",
			}
		}
		if err := writeConfig(path, out, true); err != nil {
			return "", fmt.Errorf("the panel was not saved in %s: %w", path, err)
		}
		return fmt.Sprintf("Saved the panel %s in %s.", p.Name, path), nil
	}
}

func modelLister(cfg config.Config, c *config.Clients) setup.ModelLister {
	return func(ctx context.Context, provider string) (models []agents.ModelInfo, err error) {
		c.Prepare([]agents.Profile{{Provider: provider}})
		defer crash.Catch(&err)
		listed, err := c.Models(ctx, provider, false)
		for _, m := range listed {
			m, _ = cfg.Describe(provider, m)
			models = append(models, m)
		}
		return models, err
	}
}

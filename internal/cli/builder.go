package cli

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/agents/demo"
	"roundtable/debate"
	"roundtable/debate/modes"
	"roundtable/internal/config"
	"roundtable/internal/text"
)

// demoPanel is the panel that needs no configuration.
const demoPanel = demo.Name

// demoSeats is how many seats it has unless the mode needs more or allows fewer.
const demoSeats = 3

// defaultMode is the mode of a debate that names none.
const defaultMode = "collaborative"

// defaultPanel is the panel of a debate that names none.
const defaultPanel = "default"

// sessionBuilder makes the sessions of new debates, whatever asks for them: a
// command gives it options, the interface a session that its form has filled in.
type sessionBuilder struct {
	cfg        config.Config
	configured bool // there is a configuration file
}

// build makes a session of options. Its errors are for the user, and name what is
// possible instead.
func (b sessionBuilder) build(o runOptions) (debate.Session, error) {
	if !b.configured && o.panel == "" && len(o.agents) == 0 {
		return debate.Session{}, usagef("no panel to debate: there is no config file.\n" +
			"`--panel demo` runs the built-in panel, offline and free; `roundtable config init` writes a config to fill in.")
	}
	topic, err := checkTopic(o.topic)
	if err != nil {
		return debate.Session{}, err
	}
	mode, err := b.mode(o)
	if err != nil {
		return debate.Session{}, err
	}
	question, err := questionOf(mode, o)
	if err != nil {
		return debate.Session{}, err
	}
	s := debate.Session{
		Topic: topic, Question: question, Mode: mode, Rounds: cmp.Or(o.rounds, b.cfg.Defaults.Rounds, mode.Rounds),
		Caps: b.cfg.Context.Caps, Fit: b.cfg.Fit(), EndConditions: b.endings(o), Budget: b.budget(o), ConfigHash: b.cfg.Hash,
	}
	if s.Workspace, err = b.workspace(o); err != nil {
		return debate.Session{}, err
	}
	return s, b.seat(o, &s)
}

// check reports whether the form of a new debate can start with the options. What
// they leave out can be filled in there.
func (b sessionBuilder) check(o runOptions) error {
	if o.topic != "" {
		if _, err := checkTopic(o.topic); err != nil {
			return err
		}
	}
	mode, err := b.mode(o)
	if err != nil {
		return err
	}
	if _, err := questionOf(mode, o); err != nil && !errors.Is(err, debate.ErrNoOptions) {
		return err
	}
	if _, err := b.workspace(o); err != nil {
		return err
	}
	if o.panel == "" && len(o.agents) == 0 {
		return nil
	}
	return b.seat(o, &debate.Session{Mode: mode, Budget: b.budget(o)})
}

// complete finishes a session that the form has filled in.
func (b sessionBuilder) complete(s debate.Session) (debate.Session, error) {
	topic, err := checkTopic(s.Topic)
	if err != nil {
		return s, err
	}
	s.Topic, s.ConfigHash = topic, b.cfg.Hash
	if s.Workspace.Dir != "" {
		s.Workspace, err = b.folder(withHome(s.Workspace.Dir), s.Workspace.Mode)
	}
	return s, err
}

// endings returns the configured endings and those that the options add.
func (b sessionBuilder) endings(o runOptions) debate.EndConditions {
	e := b.cfg.Endings
	e.OnConsensus = e.OnConsensus || o.onConsensus
	e.Convergence = e.Convergence || o.convergence
	return e
}

// budget returns the configured budget with the caps of the options.
func (b sessionBuilder) budget(o runOptions) debate.Budget {
	budget := b.cfg.Budget
	budget.USD, budget.Tokens = cmp.Or(o.usd, budget.USD), cmp.Or(o.tokens, budget.Tokens)
	return budget
}

// panel names the panel that the options choose.
func (b sessionBuilder) panel(o runOptions) string {
	return cmp.Or(o.panel, b.cfg.Defaults.Panel, defaultPanel)
}

// mode returns the mode that the options choose, with their lists.
func (b sessionBuilder) mode(o runOptions) (debate.Mode, error) {
	all, faults, err := modes.Load(b.cfg.ModesDir)
	if err != nil {
		return debate.Mode{}, err
	}
	m, err := modes.Find(all, cmp.Or(o.mode, b.cfg.Defaults.Mode, defaultMode))
	if err != nil {
		return m, usagef("%v", errors.Join(append([]error{err}, faults...)...))
	}
	return withLists(m, o, b.cfg.Panels[b.panel(o)].Perspectives)
}

// withLists puts the lists of the options into a mode. The panel's perspectives
// apply to modes that have some.
func withLists(m debate.Mode, o runOptions, ofPanel []string) (debate.Mode, error) {
	perspectives := o.perspectives
	if len(perspectives) == 0 && len(m.List(debate.PerspectivesList)) > 0 {
		perspectives = ofPanel
	}
	for _, given := range []struct {
		list  debate.List
		items []string
	}{{debate.PerspectivesList, perspectives}, {debate.OptionsList, o.options}, {debate.CriteriaList, o.criteria}} {
		if len(given.items) == 0 {
			continue
		}
		err := checkUTF8("--"+string(given.list), strings.Join(given.items, ","))
		if err != nil {
			return m, err
		}
		if m, err = m.WithList(given.list, given.items); err != nil {
			return m, usagef("%v", err)
		}
	}
	return m, nil
}

// questionOf returns the kind of question that the options choose in a mode.
func questionOf(m debate.Mode, o runOptions) (debate.QuestionKind, error) {
	kind, err := m.QuestionFor(debate.QuestionKind(o.question))
	switch {
	case errors.Is(err, debate.ErrNoOptions):
		return "", usagef("--question %s: %v, such as --options \"Postgres, SQLite\"", o.question, err)
	case err != nil:
		return "", usagef("--question %s: %v", o.question, err)
	}
	return kind, nil
}

// seat fills the panel of a session by --agents, by --panel or by the
// configuration, and checks that its mode and budget allow it.
func (b sessionBuilder) seat(o runOptions, s *debate.Session) error {
	if err := b.choosePanel(o, s); err != nil {
		return err
	}
	if err := s.Mode.CheckPanel(s.Seats); err != nil {
		return usagef("%v", err)
	}
	if err := s.CheckBudget(); err != nil {
		return usagef("%v", err)
	}
	return nil
}

func (b sessionBuilder) choosePanel(o runOptions, s *debate.Session) error {
	switch {
	case len(o.agents) > 0 && o.panel != "":
		return usagef("--panel and --agents cannot be used together")
	case len(o.agents) > 0:
		return b.seatAgents(s, o.agents)
	}
	name := b.panel(o)
	if name == demoPanel {
		s.Seats = demo.Panel(min(max(demoSeats, s.Mode.MinSeats), s.Mode.MaxSeats))
		return nil
	}
	panel, ok := b.cfg.Panels[name]
	if !ok {
		known := append(slices.Sorted(maps.Keys(b.cfg.Panels)), demoPanel)
		if o.panel == "" && b.cfg.Defaults.Panel == "" {
			return usagef("no panel to debate: give --panel or --agents, or set defaults.panel in the config.\nPanels: %s",
				strings.Join(known, ", "))
		}
		return usagef("there is no panel %q%s", text.Label(name), text.DidYouMean(name, known))
	}
	ids := make([]string, len(panel.Agents))
	for i, id := range panel.Agents {
		ids[i] = string(id)
	}
	s.Chair, s.Light = b.cfg.Agent(panel.Chair), b.cfg.Agent(panel.Light)
	return b.seatAgents(s, ids)
}

// seatAgents puts the named agents on the panel.
func (b sessionBuilder) seatAgents(s *debate.Session, ids []string) error {
	var known []string
	for _, a := range b.cfg.Agents {
		known = append(known, string(a.ID))
	}
	seated := map[agents.ID]bool{}
	for _, id := range ids {
		id = strings.TrimSpace(id)
		p := b.cfg.Agent(agents.ID(id))
		switch {
		case p == nil && len(known) == 0:
			return usagef("there is no agent %q: none is configured. `roundtable config init` writes a config to fill in.", text.Label(id))
		case p == nil:
			return usagef("there is no agent %q%s", text.Label(id), text.DidYouMean(id, known))
		case seated[p.ID]:
			return usagef("agent %s is listed twice", id)
		}
		seated[p.ID] = true
		s.Seats = append(s.Seats, *p)
	}
	return nil
}

// sessionLogLine describes a new session for the log.
func sessionLogLine(s debate.Session) string {
	return fmt.Sprintf("%s, %d seats, %d rounds", s.Mode.Name, len(s.Seats), s.Rounds)
}

package cli

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"roundtable/agents"
	"roundtable/agents/demo"
	"roundtable/agents/safetext"
	"roundtable/debate"
	"roundtable/internal/config"
	"roundtable/internal/text"
)

// demoPanel is the panel that is always there.
const demoPanel = demo.Name

// demoSeats is how many sit on it unless the mode wants others.
const demoSeats = 3

// fallbackMode is played where nobody names one.
const fallbackMode = "collaborative"

// runOptions is what the user asks of a new debate; what is empty is left to the
// configuration, then to the mode.
type runOptions struct {
	topic  string
	mode   string
	panel  string
	agents []string
	rounds int
	budget float64

	perspectives, options, criteria []string // what a mode divides or compares

	onConsensus bool // end at a consensus,
	convergence bool // or when nobody moves any more
}

// endings are the configured ones and those that are wished for.
func (w runOptions) endings(cfg config.Config) debate.EndConditions {
	e := cfg.Endings
	e.OnConsensus = e.OnConsensus || w.onConsensus
	e.Convergence = e.Convergence || w.convergence
	return e
}

// session makes the debate that the user wishes. What cannot be is a usage error
// that names what can.
func (w runOptions) session(cfg config.Config, found bool) (debate.Session, error) {
	if !found && w.panel == "" && len(w.agents) == 0 {
		return debate.Session{}, usagef("nothing says who debates: there is no config file.\n" +
			"`--panel demo` plays the built-in panel, offline and free; `roundtable config init` writes a config to fill in.")
	}
	topic, err := checkTopic(w.topic)
	if err != nil {
		return debate.Session{}, err
	}
	mode, err := w.findMode(cfg)
	if err != nil {
		return debate.Session{}, err
	}
	s := debate.Session{
		Topic: topic, Mode: mode, Rounds: cmp.Or(w.rounds, cfg.Defaults.Rounds, mode.Rounds),
		Caps: cfg.Context.Caps, Fit: cfg.Context.Fit, EndConditions: w.endings(cfg), Budget: cfg.Budget, ConfigHash: cfg.Hash,
	}
	s.Budget.USD = cmp.Or(w.budget, s.Budget.USD)
	if err := w.seat(cfg, &s); err != nil {
		return debate.Session{}, err
	}
	if err := mode.CheckPanel(s.Seats); err != nil {
		return debate.Session{}, usagef("%v", err)
	}
	if err := s.CheckBudget(); err != nil {
		return debate.Session{}, usagef("%v", err)
	}
	return s, nil
}

// flags refuses what no new debate can have, whatever else is wished.
func (w runOptions) flags(given func(flag string) bool) error {
	switch {
	case given("rounds") && (w.rounds < 1 || w.rounds > debate.MaxRounds):
		return usagef("%d rounds are not possible; give 1 to %d", w.rounds, debate.MaxRounds)
	case given("budget") && (!(w.budget > 0) || math.IsInf(w.budget, 0)): // it may be no number
		return usagef("a budget of $%.2f is not possible; give more than 0", w.budget)
	case given("mode") && strings.TrimSpace(w.mode) == "":
		return usagef("--mode is empty; `roundtable modes` lists them")
	case given("agents") && strings.Trim(strings.Join(w.agents, ""), " ") == "":
		return usagef("--agents is empty; `roundtable agents` lists who can debate")
	case given("panel") && strings.TrimSpace(w.panel) == "":
		return usagef("--panel is empty; name a panel of the config, or %s", demoPanel)
	}
	return nil
}

// check refuses what the form of a new debate could not start with: what is left
// out can still be filled in there.
func (w runOptions) check(cfg config.Config) error {
	if w.topic != "" {
		if _, err := checkTopic(w.topic); err != nil {
			return err
		}
	}
	mode, err := w.findMode(cfg)
	if err != nil || w.panel == "" && len(w.agents) == 0 {
		return err
	}
	s := debate.Session{Mode: mode, Budget: cfg.Budget}
	s.Budget.USD = cmp.Or(w.budget, s.Budget.USD)
	if err := w.seat(cfg, &s); err != nil {
		return err
	}
	if err := mode.CheckPanel(s.Seats); err != nil {
		return usagef("%v", err)
	}
	if err := s.CheckBudget(); err != nil {
		return usagef("%v", err)
	}
	return nil
}

// seat fills the panel: by --agents, by --panel, or as configured.
func (w runOptions) seat(cfg config.Config, s *debate.Session) error {
	switch {
	case len(w.agents) > 0 && w.panel != "":
		return usagef("--panel and --agents do not go together; give one of them")
	case len(w.agents) > 0:
		return seats(cfg, s, w.agents)
	}
	name := cmp.Or(w.panel, cfg.Defaults.Panel, "default")
	if name == demoPanel {
		s.Seats = demo.Panel(min(max(demoSeats, s.Mode.MinSeats), s.Mode.MaxSeats))
		return nil
	}
	panel, ok := cfg.Panels[name]
	if !ok {
		known := append(slices.Sorted(maps.Keys(cfg.Panels)), demoPanel)
		if w.panel == "" && cfg.Defaults.Panel == "" {
			return usagef("nothing says who debates: give --panel or --agents, or set defaults.panel in the config.\nPanels: %s", strings.Join(known, ", "))
		}
		return usagef("there is no panel %q%s", text.Label(name), text.DidYouMean(name, known))
	}
	ids := make([]string, len(panel.Agents))
	for i, id := range panel.Agents {
		ids[i] = string(id)
	}
	s.Chair, s.Light = cfg.Speaker(panel.Chair), cfg.Speaker(panel.Light)
	return seats(cfg, s, ids)
}

// seats puts the named agents on the panel.
func seats(c config.Config, s *debate.Session, ids []string) error {
	var known []string
	for _, seat := range c.Agents {
		known = append(known, string(seat.ID))
	}
	for i, id := range ids {
		id = strings.TrimSpace(id)
		p := c.Speaker(agents.ID(id))
		switch {
		case p == nil && len(known) == 0:
			return usagef("there is no agent %q: none is configured. `roundtable config init` writes a config to fill in.", text.Label(id))
		case p == nil:
			return usagef("there is no agent %q%s", text.Label(id), text.DidYouMean(id, known))
		case slices.Index(ids, ids[i]) < i:
			return usagef("%s cannot sit on the panel twice", id)
		}
		s.Seats = append(s.Seats, *p)
	}
	return nil
}

// checkTopic makes a question safe and returns it, or says why it is none.
func checkTopic(topic string) (string, error) {
	if n := utf8.RuneCountInString(topic); n > debate.MaxTopic {
		return "", usagef("the topic has %d characters; %d is the most", n, debate.MaxTopic)
	}
	if err := checkUTF8("the topic", topic); err != nil {
		return "", err
	}
	topic = strings.TrimSpace(safetext.Text(topic))
	if topic == "" {
		return "", usagef("the topic is empty; say what is to be debated")
	}
	return topic, nil
}

// readTopic returns the topic of a command line, "-" being standard input.
func readTopic(arg string, stdin io.Reader) (string, error) {
	if arg != "-" {
		return arg, nil
	}
	raw, err := readInput("-", stdin, 4*debate.MaxTopic)
	if err != nil {
		return "", usagef("read the topic from standard input: %v", err)
	}
	return string(raw), nil
}

// chosen says in one line what a new session is made of, for the log.
func chosen(s debate.Session) string {
	return fmt.Sprintf("%s, %d seats, %d rounds", s.Mode.Name, len(s.Seats), s.Rounds)
}

package cli

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"roundtable/agents"
	"roundtable/agents/demo"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
)

// forkFlags are the flags of fork: what to copy, and what to change.
type forkFlags struct {
	round       int
	facts       []string
	answers     []string // C1=TEXT
	unavailable []string // C1=REASON
	models      []string // ID=MODEL
	mode, panel string
}

func (f *forkFlags) addFlags(c *cobra.Command) {
	flags := c.Flags()
	flags.IntVar(&f.round, "round", 0, "last round to copy; 0 copies none")
	flags.StringSliceVar(&f.facts, "facts", nil, "answers to copy, such as C1,C2")
	flags.StringArrayVar(&f.answers, "answer", nil, "another answer, such as C1=\"Two days.\"; can be given several times")
	flags.StringArrayVar(&f.unavailable, "unavailable", nil, "say that there is no answer, and why, such as C1=\"Nobody knows.\"")
	flags.StringArrayVar(&f.models, "agent", nil, "another model for a seat, such as ada=gpt-5; a configured agent or its model")
	flags.StringVar(&f.mode, "mode", "", "another mode; with --round 0")
	flags.StringVar(&f.panel, "panel", "", "another panel of the config, or demo; with --round 0")
}

// needsConfig reports whether the flags name what the configuration has.
func (f *forkFlags) needsConfig() bool { return len(f.models) > 0 || f.mode != "" || f.panel != "" }

// plan returns what the flags ask for, or why that is not possible.
func (f *forkFlags) plan(b sessionBuilder, s debate.Session) (debate.ForkPlan, error) {
	p := debate.ForkPlan{Round: f.round}
	for _, id := range f.facts {
		if id = requestID(id); id != "" {
			p.Facts = append(p.Facts, id)
		}
	}
	for outcome, given := range map[ledger.Outcome][]string{ledger.Answered: f.answers, ledger.Unavailable: f.unavailable} {
		flag := map[ledger.Outcome]string{ledger.Answered: "--answer C1=TEXT", ledger.Unavailable: "--unavailable C1=REASON"}[outcome]
		for _, one := range given {
			id, content, ok := strings.Cut(one, "=")
			if !ok {
				return p, usagef("%q: write %s", text.Label(one), flag)
			}
			if err := checkUTF8("the answer", content); err != nil {
				return p, err
			}
			content = strings.TrimSpace(text.Sanitize(content))
			p.Answers = append(p.Answers, ledger.Submission{Request: requestID(id), Outcome: outcome, Content: content})
		}
	}
	slices.SortStableFunc(p.Answers, func(a, b ledger.Submission) int { return strings.Compare(a.Request, b.Request) })
	if err := f.seat(b, s, &p); err != nil {
		return p, err
	}
	return p, nil
}

func requestID(id string) string { return strings.ToUpper(strings.TrimSpace(id)) }

// seat adds mode, panel and models to a plan.
func (f *forkFlags) seat(b sessionBuilder, s debate.Session, p *debate.ForkPlan) error {
	if (f.mode != "" || f.panel != "") && f.round > 0 {
		return usagef("--mode and --panel need --round 0: they are the same in all rounds of a debate")
	}
	mode, seats := s.Mode, s.Seats
	if f.mode != "" {
		m, err := b.mode(runOptions{mode: f.mode, options: s.GivenOptions()})
		if err != nil {
			return err
		}
		p.Mode, mode = &m, m
	}
	if f.panel != "" {
		seated := debate.Session{Mode: mode}
		if err := b.choosePanel(runOptions{panel: f.panel}, &seated); err != nil {
			return err
		}
		p.Panel = &debate.Panel{Name: f.panel, Seats: seated.Seats, Chair: seated.Chair, Light: seated.Light}
		seats = seated.Seats
	}
	for _, one := range f.models {
		id, model, ok := strings.Cut(one, "=")
		if !ok {
			return usagef("%q: write --agent ID=MODEL, such as --agent ada=gpt-5", text.Label(one))
		}
		i := slices.IndexFunc(seats, func(x agents.Profile) bool { return string(x.ID) == strings.TrimSpace(id) })
		if i < 0 {
			return usagef("there is no seat %q%s", text.Label(id), text.DidYouMean(id, profileIDs(seats)))
		}
		changed, err := withModel(seats[i], strings.TrimSpace(model), knownModels(b, s))
		if err != nil {
			return err
		}
		p.Models = append(p.Models, changed)
	}
	return nil
}

func profileIDs(all []agents.Profile) []string {
	ids := make([]string, len(all))
	for i, p := range all {
		ids[i] = string(p.ID)
	}
	return ids
}

// knownModels returns the models that a seat of a session can take: those of the
// configured agents, of the session and, if it debates with the demo, of the demo.
func knownModels(b sessionBuilder, s debate.Session) []agents.Profile {
	var all []agents.Profile
	add := func(p agents.Profile) {
		if !slices.ContainsFunc(all, func(k agents.Profile) bool { return k.Provider == p.Provider && k.Model == p.Model }) {
			all = append(all, p)
		}
	}
	for _, one := range b.cfg.Agents {
		if p := b.cfg.Agent(one.ID); p != nil {
			add(*p)
		}
	}
	for _, p := range s.Speakers() {
		add(p)
	}
	if s.Demo() {
		for _, p := range demo.Panel(debate.MaxSeats) {
			add(p)
		}
	}
	return all
}

// withModel returns a seat with another model: that of an agent, or a model by its name,
// with or without its provider.
func withModel(seat agents.Profile, model string, known []agents.Profile) (agents.Profile, error) {
	var fit []agents.Profile
	var names []string
	for _, p := range known {
		names = append(names, p.Provider+"/"+p.Model)
		if model == p.Model || model == p.Provider+"/"+p.Model || model == string(p.ID) {
			fit = append(fit, p)
		}
	}
	if model == "" || len(fit) == 0 {
		return seat, usagef("there is no model %q%s", text.Label(model), text.DidYouMean(model, names))
	}
	at := max(slices.IndexFunc(fit, func(p agents.Profile) bool { return p.Provider == seat.Provider }), 0)
	return seatWithModel(seat, fit[at]), nil
}

// seatWithModel returns a seat that keeps its name and persona and speaks with the model of
// another.
func seatWithModel(seat, model agents.Profile) agents.Profile {
	model.ID, model.Name, model.Persona = seat.ID, seat.Name, seat.Persona
	return model
}

// forkAdvice adds to the error of a fork the command that works.
func forkAdvice(err error, id string) error {
	var refused *debate.ForkError
	if !errors.As(err, &refused) || refused.Round < 0 {
		return err
	}
	return fmt.Errorf("%w\nNothing was written; `roundtable fork %s --round %d ...` forks there", err, id, refused.Round)
}

// panelsOf returns the configured panels and the demo's, by name.
func panelsOf(b sessionBuilder) []debate.Panel {
	var out []debate.Panel
	for _, name := range append(slices.Sorted(maps.Keys(b.cfg.Panels)), demoPanel) {
		var s debate.Session
		s.Mode.MinSeats, s.Mode.MaxSeats = demoSeats, demoSeats
		if err := b.choosePanel(runOptions{panel: name}, &s); err == nil {
			out = append(out, debate.Panel{Name: name, Seats: s.Seats, Chair: s.Chair, Light: s.Light})
		}
	}
	return out
}

package app

import (
	"context"
	"fmt"
	"slices"

	"roundtable/agents"
	"roundtable/agents/demo"
	"roundtable/debate"
	"roundtable/internal/config"
	"roundtable/internal/text"
	"roundtable/tui/setup"
)

// comeBack offers all that the last debate had, or nothing if the command line chooses or a part is gone.
func (s setupForm) comeBack(ctx context.Context, o *setup.Options) error {
	if s.last == nil || s.options.Chooses() {
		return nil
	}
	c, err := s.last(ctx)
	if err != nil {
		return fmt.Errorf("read what the last debate had: %w", err)
	}
	at := 0
	if c != nil {
		at = slices.IndexFunc(o.Modes, func(m debate.Mode) bool { return m.Name == c.Mode })
	}
	if c == nil || at < 0 || o.Modes[at].CheckPanel(c.Seats) != nil {
		return nil
	}
	again := s.foundAgain
	if len(s.cfg.Agents) > 0 {
		again = s.configuredAgain
	}
	last := setup.PanelOption{Name: setup.LastPanel, Chair: c.Chair, Light: c.Light, Seats: again(*o, c.Seats)}
	if last.Seats == nil || !s.sits(c.Chair) || !s.sits(c.Light) {
		return nil
	}
	o.Last, o.Mode, o.Rounds, o.Budget, o.Ends = &last, c.Mode, 0, c.Budget, c.Ends
	if c.Rounds != o.Modes[at].Rounds {
		o.Rounds = c.Rounds
	}
	return nil
}

func (s setupForm) sits(p *agents.Profile) bool {
	if p == nil {
		return true
	}
	now := s.cfg.Agent(p.ID)
	return now != nil && now.Provider == p.Provider && now.Model == p.Model
}

// configuredAgain returns an offer with the seats of a debate first; nil if one cannot be had.
func (s setupForm) configuredAgain(_ setup.Options, of []agents.Profile) []setup.SeatOption {
	ids := text.Each(of, func(p agents.Profile) agents.ID { return p.ID })
	all := s.seatsOf(ids)
	if len(all) < len(of) {
		return nil
	}
	for i, p := range of {
		now := &all[i].Profile
		if now.ID != p.ID || now.Provider != p.Provider || all[i].Problem != "" || s.cfg.IsOff(p.Provider, p.Model) {
			return nil
		}
		if now.ReasoningEffort = p.ReasoningEffort; now.Model != p.Model {
			m, _ := s.cfg.Describe(p.Provider, agents.ModelInfo{Name: p.Model})
			*now = setup.WithModel(*now, m)
		}
	}
	return all
}

// foundAgain returns the seats of a debate, then the others of an offer; nil if one cannot be had.
func (s setupForm) foundAgain(o setup.Options, of []agents.Profile) []setup.SeatOption {
	var all []setup.SeatOption
	for _, p := range of {
		ready := func(x setup.SeatOption) bool { return x.Profile.Provider == p.Provider && x.Problem == "" }
		at := slices.IndexFunc(o.Seats, func(x setup.SeatOption) bool { return ready(x) && x.Profile.Model == p.Model })
		if at < 0 { // the model was chosen by hand
			at = slices.IndexFunc(o.Seats, ready)
		}
		if at < 0 || s.gone(p) {
			return nil
		}
		one := o.Seats[at]
		if one.Profile.Model != p.Model {
			m, _ := s.cfg.Describe(p.Provider, agents.ModelInfo{Name: p.Model})
			one.Profile = setup.WithModel(one.Profile, m)
		}
		one.Profile.ID, one.Profile.Name, one.Profile.Persona, one.Chosen = p.ID, p.Name, p.Persona, true
		one.Profile.ReasoningEffort = p.ReasoningEffort
		all = append(all, one)
	}
	for _, one := range o.Seats {
		sits := slices.ContainsFunc(of, func(p agents.Profile) bool {
			return p.Provider == one.Profile.Provider && p.Model == one.Profile.Model
		})
		if more := moreSeats(all, s.discovery.Example.Agents); !sits && len(more) > 0 {
			one.Profile.ID, one.Profile.Name, one.Profile.Persona, one.Chosen = more[0].ID, more[0].Name, more[0].Persona, false
			all = append(all, one)
		}
	}
	return all
}

// gone reports whether the server of a seat does not offer its model any more.
func (s setupForm) gone(p agents.Profile) bool {
	list := s.cfg.Listed(p.Provider)
	_, listed := list.Find(p.Model)
	return len(list.Models) > 0 && list.Cut == 0 && !listed || s.cfg.IsOff(p.Provider, p.Model)
}

// moreSeats returns ids, names and personas for seats beside those that are offered.
func moreSeats(offered []setup.SeatOption, personas []config.Agent) (more []agents.Profile) {
	for i, p := range demo.Panel(debate.MaxSeats) {
		taken := slices.ContainsFunc(offered, func(s setup.SeatOption) bool { return s.Profile.ID == p.ID || s.Profile.Name == p.Name })
		if !taken && len(personas) > 0 {
			more = append(more, agents.Profile{ID: p.ID, Name: p.Name, Persona: personas[i%len(personas)].Persona})
		}
	}
	return more
}

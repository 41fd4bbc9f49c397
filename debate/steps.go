package debate

import (
	"slices"

	"roundtable/agents"
)

// Steps of turns that belong to no step of a mode.
const (
	VerdictStep  = -1 // a chair's
	SummaryStep  = -2 // the light model's; its agent is whose statement it works on
	AnalysisStep = -3 // the light model's, on a whole round
	ListsStep    = -4 // the light model's, on the lists of the mode
)

// Step is a part of a round in which its seats speak in parallel.
type Step struct {
	Index int
	Phase string // the name of one of the mode's phases; "" for the statements
	Seats []agents.ID
}

// Steps returns the steps of a round, in their sequence. Seats are all of the panel.
func (m Mode) Steps(seats []agents.ID, round, rounds int) []Step {
	var steps []Step
	add := func(phase string, seats ...agents.ID) {
		if len(seats) > 0 {
			steps = append(steps, Step{Index: len(steps), Phase: phase, Seats: slices.Clip(seats)})
		}
	}
	extra := func(before bool) {
		for _, p := range m.Phases {
			if p.Before != before || p.Instructions(round, rounds) == "" {
				continue
			}
			who := m.seatsWithRoles(seats, p.Roles)
			if p.Order == Sequential {
				for _, seat := range who {
					add(p.Name, seat)
				}
				continue
			}
			add(p.Name, who...)
		}
	}
	extra(true)
	who := m.seatsWithRoles(seats, m.Speakers)
	switch m.Order {
	case Sequential:
		for _, seat := range who {
			add("", seat)
		}
	case ByTeams:
		for _, team := range m.Teams {
			add("", m.seatsWithRoles(seats, []string{team})...)
		}
	case Parallel:
		add("", who...)
	}
	extra(false)
	return steps
}

// seatsWithRoles returns the seats that play one of the roles, all where none is named.
func (m Mode) seatsWithRoles(seats []agents.ID, roles []string) []agents.ID {
	var out []agents.ID
	for i, seat := range seats {
		role, _ := m.RoleOf(i+1, len(seats))
		if len(roles) == 0 || slices.Contains(roles, role.Name) {
			out = append(out, seat)
		}
	}
	return out
}

// Phase returns the phase of that name; the statements are one without a name.
func (m Mode) Phase(name string) Phase {
	for _, p := range m.Phases {
		if p.Name == name && name != "" {
			return p
		}
	}
	return Phase{Order: m.Order, Roles: m.Speakers, Asks: m.Asks, First: m.First, Later: m.Later, Last: m.Last}
}

// Instructions returns a phase's instructions in a round; "" where it is not played.
func (p Phase) Instructions(round, rounds int) string {
	switch {
	case round == 1 && p.First != "":
		return p.First
	case round >= rounds:
		return p.Last
	case round == 1:
		return ""
	default:
		return p.Later
	}
}

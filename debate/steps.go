package debate

import (
	"slices"

	"roundtable/agents"
)

// Step numbers of turns that belong to no step of a mode.
const (
	VerdictStep  = -1 // of a chair
	SummaryStep  = -2 // of the light model; its agent is whose statement it summarizes
	AnalysisStep = -3 // of the light model, on a whole round
	ListsStep    = -4 // of the light model, on the lists of the mode
	FollowUpStep = -5 // of who answers a follow-up question; its attempt is the question's number
)

// Step is a part of a round in which its seats speak in parallel.
type Step struct {
	Index int
	Phase string // "" for the statements
	Seats []agents.ID
}

// Steps returns the steps of a round in order. Seats are all seats of the panel.
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

// seatsWithRoles returns the seats with one of the roles, or all seats if no role is
// named.
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

// Phase returns the phase of that name, or the main phase, which has no name.
func (m Mode) Phase(name string) Phase {
	for _, p := range m.Phases {
		if p.Name == name && name != "" {
			return p
		}
	}
	return Phase{Order: m.Order, Roles: m.Speakers, Asks: m.Asks, First: m.First, Later: m.Later, Last: m.Last}
}

// Instructions returns the instructions of a phase in a round; "" if the round does not
// have the phase.
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

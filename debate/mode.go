package debate

import (
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
)

// Mode is how a debate is played, as data: who speaks when, who plays which
// role, what each sees and is told. The engine never asks for a mode's name.
//
// The fields from Order to Last describe the statements of a round, its main
// phase; Phases are played before or after them.
type Mode struct {
	Name       string     `toml:"name" json:"name"`
	Summary    string     `toml:"summary" json:"summary"`             // one line, for a form
	Use        string     `toml:"use" json:"use"`                     // when to take it
	Kinds      []Kind     `toml:"kinds" json:"kinds,omitempty"`       // of questions that it suits, the best first
	MinSeats   int        `toml:"min_seats" json:"min_seats"`         // fewer are refused,
	MaxSeats   int        `toml:"max_seats" json:"max_seats"`         // and more
	Rounds     int        `toml:"rounds" json:"rounds"`               // planned by default
	Order      Order      `toml:"order" json:"order"`                 // in which the seats speak
	Teams      []string   `toml:"teams" json:"teams,omitempty"`       // names of roles, in the order in which they speak; for that order
	Speakers   []string   `toml:"speakers" json:"speakers,omitempty"` // names of the roles that make statements; none: all
	Visibility Visibility `toml:"visibility" json:"visibility,omitempty"`
	Label      string     `toml:"label" json:"label,omitempty"`           // what a member is called besides its seat, instead of its name; "": by its name
	Statistics bool       `toml:"statistics" json:"statistics,omitempty"` // of earlier rounds stand in the prompt

	Roles   []Role     `toml:"roles" json:"roles,omitempty"`     // by seat, in turn
	Repeat  int        `toml:"repeat" json:"repeat,omitempty"`   // how many of the last roles go on by turns when each has a seat; 0: all
	Seating [][]string `toml:"seating" json:"seating,omitempty"` // names of roles by seat, for panels of just that size

	Divide       List     `toml:"divide" json:"divide,omitempty"` // the list of which each seat takes one, in turn
	Lens         string   `toml:"lens" json:"lens,omitempty"`     // what that means for a seat; {it} stands for its own
	Perspectives []string `toml:"perspectives" json:"perspectives,omitempty"`
	Options      []string `toml:"options" json:"options,omitempty"`
	Criteria     []string `toml:"criteria" json:"criteria,omitempty"`
	Fill         string   `toml:"fill" json:"fill,omitempty"` // asks the light model for lists that suit the question; "": they are as they should be
	Given        []List   `toml:"-" json:"given,omitempty"`   // lists that a session has from its user or from that model

	Asks   Block   `toml:"asks" json:"asks,omitempty"` // of a statement
	Rules  string  `toml:"rules" json:"rules"`         // for the system prompt
	First  string  `toml:"first" json:"first"`         // instructions for the first round,
	Later  string  `toml:"later" json:"later"`         // for the rounds between,
	Last   string  `toml:"last" json:"last"`           // and for the last
	Asking string  `toml:"asking" json:"asking"`       // encourages request_context; left out where it is not offered
	Phases []Phase `toml:"phases" json:"phases,omitempty"`

	Decision   DecisionRule `toml:"decision" json:"decision"`
	GroupThink bool         `toml:"group_think" json:"group_think,omitempty"` // is looked for
}

// Order says how those who speak in a phase follow each other.
type Order string

// The orders.
const (
	Parallel   Order = "parallel"   // all at once, blind to each other
	Sequential Order = "sequential" // each after the seats before it
	ByTeams    Order = "teams"      // a team after the other, its members at once
)

// Visibility says what a speaker sees of the others.
type Visibility string

// The visibilities; "" is what goes with the order.
const (
	SeesRounds Visibility = "rounds" // earlier rounds, and earlier phases of this one
	SeesSeats  Visibility = "seats"  // and the seats before it in this phase
	SeesTeam   Visibility = "team"   // its own team, and the last phase of the other
)

// List names one of a mode's lists.
type List string

// The lists.
const (
	NoList         List = ""
	OfPerspectives List = "perspectives"
	OfOptions      List = "options"
	OfCriteria     List = "criteria"
)

// Block is what the structured part of a statement is asked for besides a
// position, its confidence, and what they rest on.
type Block string

// The blocks.
const (
	AsksStance  Block = ""        // a stance, where the question has a yes or no
	AsksVote    Block = "vote"    // a stance, in any case
	AsksRanking Block = "ranking" // the other members' answers, best first
	AsksScores  Block = "scores"  // a score of every option by every criterion
)

// DecisionRule says what decides.
type DecisionRule string

// The decision rules.
const (
	ByVote      DecisionRule = "vote"
	ByConsensus DecisionRule = "consensus"
	ByRanking   DecisionRule = "ranking"
	ByNone      DecisionRule = "none"
)

// Role is a part that a seat plays. Its instructions stand in for the mode's
// where it has some.
type Role struct {
	Name   string `toml:"name" json:"name"`
	Stance Stance `toml:"stance" json:"stance,omitempty"` // to be argued; "" leaves it open
	Fixed  bool   `toml:"fixed" json:"fixed,omitempty"`   // to be stated too: a response that states another breaks its role
	Brief  string `toml:"brief" json:"brief"`
	First  string `toml:"first" json:"first,omitempty"`
	Later  string `toml:"later" json:"later,omitempty"`
	Last   string `toml:"last" json:"last,omitempty"`
}

// Phase is a further part of the rounds for which it has instructions.
type Phase struct {
	Name    string   `toml:"name" json:"name"`
	Before  bool     `toml:"before" json:"before,omitempty"` // the statements, not after them
	Order   Order    `toml:"order" json:"order"`
	Roles   []string `toml:"roles" json:"roles,omitempty"`     // who speaks in it; none: all
	Private bool     `toml:"private" json:"private,omitempty"` // only its author and the chair see what is said
	Asks    Block    `toml:"asks" json:"asks,omitempty"`
	First   string   `toml:"first" json:"first,omitempty"`
	Later   string   `toml:"later" json:"later,omitempty"`
	Last    string   `toml:"last" json:"last,omitempty"`
}

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
			who := m.playing(seats, p.Roles)
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
	who := m.playing(seats, m.Speakers)
	switch m.Order {
	case Sequential:
		for _, seat := range who {
			add("", seat)
		}
	case ByTeams:
		for _, team := range m.Teams {
			add("", m.playing(seats, []string{team})...)
		}
	case Parallel:
		add("", who...)
	}
	extra(false)
	return steps
}

// playing returns the seats that play one of the roles, all where none is named.
func (m Mode) playing(seats []agents.ID, roles []string) []agents.ID {
	var out []agents.ID
	for i, seat := range seats {
		role, _ := m.RoleOf(i+1, len(seats))
		if len(roles) == 0 || slices.Contains(roles, role.Name) {
			out = append(out, seat)
		}
	}
	return out
}

// RoleOf returns the role of the n-th of so many seats, from 1. Where the seats
// divide a list, a seat's own part of it is its role.
func (m Mode) RoleOf(n, seats int) (Role, bool) {
	if n < 1 {
		return Role{}, false
	}
	for _, names := range m.Seating {
		if len(names) == seats && n <= seats {
			i := slices.IndexFunc(m.Roles, func(r Role) bool { return r.Name == names[n-1] })
			if i >= 0 {
				return m.Roles[i], true
			}
		}
	}
	if list := m.Items(m.Divide); len(m.Roles) == 0 && len(list) > 0 {
		it := list[(n-1)%len(list)]
		return Role{Name: it, Brief: strings.ReplaceAll(m.Lens, "{it}", it)}, true
	}
	k := len(m.Roles)
	switch tail := m.Repeat; {
	case k == 0:
		return Role{}, false
	case n <= k:
		return m.Roles[n-1], true
	case tail > 0:
		return m.Roles[k-tail+(n-k-1)%tail], true
	default:
		return m.Roles[(n-1)%k], true
	}
}

func (m Mode) Items(l List) []string {
	switch l {
	case OfPerspectives:
		return m.Perspectives
	case OfOptions:
		return m.Options
	case OfCriteria:
		return m.Criteria
	case NoList:
	}
	return nil
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

// Sees returns the visibility, also of a mode that leaves it to its order.
func (m Mode) Sees() Visibility {
	switch {
	case m.Visibility != "":
		return m.Visibility
	case m.Order == ByTeams:
		return SeesTeam
	case m.Order == Sequential:
		return SeesSeats
	default:
		return SeesRounds
	}
}

// Asked returns what a statement of that phase was asked for; "" is the main one.
func (m Mode) Asked(phase string) Block { return m.Phase(phase).Asks }

// Fits returns an error that names both numbers when the mode cannot seat n.
func (m Mode) Fits(n int) error {
	if n < m.MinSeats || n > m.MaxSeats {
		return fmt.Errorf("mode %s takes %d to %d seats; this panel has %d", m.Name, m.MinSeats, m.MaxSeats, n)
	}
	return nil
}

// What a debate can be given at most, wherever it is asked for.
const (
	MaxPanel  = 8     // seats of any panel
	MaxRounds = 50    // at once
	MaxTopic  = 65536 // characters of a question
	MaxFocus  = 4000  // characters of what a round is to look at
)

// ranks reports whether members rank each other's answers.
func (m Mode) ranks() bool {
	return m.Asks == AsksRanking || slices.ContainsFunc(m.Phases, func(p Phase) bool { return p.Asks == AsksRanking })
}

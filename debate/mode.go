package debate

import (
	"fmt"
	"slices"
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

	Asks   AskedField `toml:"asks" json:"asks,omitempty"` // of a statement
	Rules  string     `toml:"rules" json:"rules"`         // for the system prompt
	First  string     `toml:"first" json:"first"`         // instructions for the first round,
	Later  string     `toml:"later" json:"later"`         // for the rounds between,
	Last   string     `toml:"last" json:"last"`           // and for the last
	Asking string     `toml:"asking" json:"asking"`       // encourages request_context; left out where it is not offered
	Phases []Phase    `toml:"phases" json:"phases,omitempty"`

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

// AskedField is what the structured part of a statement is asked for besides a
// position, its confidence, and what they rest on.
type AskedField string

// The blocks.
const (
	AsksStance  AskedField = ""        // a stance, where the question has a yes or no
	AsksVote    AskedField = "vote"    // a stance, in any case
	AsksRanking AskedField = "ranking" // the other members' answers, best first
	AsksScores  AskedField = "scores"  // a score of every option by every criterion
)

// DecisionRule says what decides.
type DecisionRule string

// The decision rules.
const (
	DecideByVote      DecisionRule = "vote"
	DecideByConsensus DecisionRule = "consensus"
	DecideByRanking   DecisionRule = "ranking"
	DecideByNothing   DecisionRule = "none"
)

// Phase is a further part of the rounds for which it has instructions.
type Phase struct {
	Name    string     `toml:"name" json:"name"`
	Before  bool       `toml:"before" json:"before,omitempty"` // the statements, not after them
	Order   Order      `toml:"order" json:"order"`
	Roles   []string   `toml:"roles" json:"roles,omitempty"`     // who speaks in it; none: all
	Private bool       `toml:"private" json:"private,omitempty"` // only its author and the chair see what is said
	Asks    AskedField `toml:"asks" json:"asks,omitempty"`
	First   string     `toml:"first" json:"first,omitempty"`
	Later   string     `toml:"later" json:"later,omitempty"`
	Last    string     `toml:"last" json:"last,omitempty"`
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

// AskedField returns what a statement of that phase was asked for; "" is the main one.
func (m Mode) AskedField(phase string) AskedField { return m.Phase(phase).Asks }

// CheckSize returns an error that names both numbers when the mode cannot seat n.
func (m Mode) CheckSize(n int) error {
	if n < m.MinSeats || n > m.MaxSeats {
		return fmt.Errorf("mode %s takes %d to %d seats; this panel has %d", m.Name, m.MinSeats, m.MaxSeats, n)
	}
	return nil
}

// asksForRanking reports whether members rank each other's answers.
func (m Mode) asksForRanking() bool {
	return m.Asks == AsksRanking || slices.ContainsFunc(m.Phases, func(p Phase) bool { return p.Asks == AsksRanking })
}

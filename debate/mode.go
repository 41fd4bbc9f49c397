package debate

import (
	"errors"
	"fmt"

	"roundtable/agents"
)

// Mode is how a debate is played, as data: who speaks when, who plays which
// role, and what each is told. The engine never asks for a mode's name.
type Mode struct {
	Name     string       `toml:"name" json:"name"`
	Summary  string       `toml:"summary" json:"summary"` // one line, for a form
	Use      string       `toml:"use" json:"use"`         // when to take it
	MinSeats int          `toml:"min_seats" json:"min_seats"`
	MaxSeats int          `toml:"max_seats" json:"max_seats"`
	Rounds   int          `toml:"rounds" json:"rounds"` // planned by default
	Order    Order        `toml:"order" json:"order"`
	Roles    []Role       `toml:"roles" json:"roles,omitempty"` // by seat; the pattern repeats
	Rules    string       `toml:"rules" json:"rules"`           // for the system prompt
	First    string       `toml:"first" json:"first"`           // instructions for the first round,
	Later    string       `toml:"later" json:"later"`           // for the rounds between,
	Last     string       `toml:"last" json:"last"`             // and for the last
	Asking   string       `toml:"asking" json:"asking"`         // encourages request_context; left out where it is not offered
	Decision DecisionRule `toml:"decision" json:"decision"`
}

// Order says how the seats of a round follow each other.
type Order string

// The orders.
const (
	Parallel   Order = "parallel"   // all at once, blind to each other
	Sequential Order = "sequential" // each sees the seats before it
)

// DecisionRule says what decides.
type DecisionRule string

// The decision rules.
const (
	ByVote      DecisionRule = "vote"
	ByConsensus DecisionRule = "consensus"
	ByNone      DecisionRule = "none"
)

// Role is a part that a seat plays.
type Role struct {
	Name   string `toml:"name" json:"name"`
	Stance Stance `toml:"stance" json:"stance,omitempty"` // to be argued; "" leaves it open
	Brief  string `toml:"brief" json:"brief"`
}

// Step is a part of a round in which its seats speak in parallel.
type Step struct {
	Index int
	Phase string
	Seats []agents.ID
}

// Steps returns the steps of a round, in their sequence.
func (m Mode) Steps(seats []agents.ID, round, rounds int) []Step {
	if m.Order != Sequential {
		return []Step{{Seats: seats}}
	}
	steps := make([]Step, len(seats))
	for i := range seats {
		steps[i] = Step{Index: i, Seats: seats[i : i+1 : i+1]}
	}
	return steps
}

// RoleOf returns the role of the n-th seat, from 1.
func (m Mode) RoleOf(n int) (Role, bool) {
	if len(m.Roles) == 0 || n < 1 {
		return Role{}, false
	}
	return m.Roles[(n-1)%len(m.Roles)], true
}

// Fits returns an error that names both numbers when the mode cannot seat n.
func (m Mode) Fits(n int) error {
	if n < m.MinSeats || n > m.MaxSeats {
		return fmt.Errorf("mode %s takes %d to %d seats; this panel has %d", m.Name, m.MinSeats, m.MaxSeats, n)
	}
	return nil
}

// MaxPanel is the most seats of any panel.
const MaxPanel = 8

// Validate returns all that is wrong with a mode, each part naming its field.
func (m Mode) Validate() error {
	var errs []error
	need := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	need(m.Name != "", "name: missing")
	need(m.Summary != "", "summary: missing")
	need(m.MinSeats >= 2 && m.MaxSeats <= MaxPanel && m.MinSeats <= m.MaxSeats, "min_seats, max_seats: %d to %d is not within 2 to %d", m.MinSeats, m.MaxSeats, MaxPanel)
	need(m.Rounds >= 1, "rounds: %d is less than 1", m.Rounds)
	need(m.Order == Parallel || m.Order == Sequential, "order: %q is not parallel or sequential", m.Order)
	need(m.Decision == ByVote || m.Decision == ByConsensus || m.Decision == ByNone, "decision: %q is not vote, consensus or none", m.Decision)
	need(m.First != "" && m.Later != "" && m.Last != "", "first, later, last: each needs a text")
	for i, r := range m.Roles {
		need(r.Name != "" && r.Brief != "", "roles[%d]: name and brief are needed", i)
		need(r.Stance == "" || r.Stance == Yes || r.Stance == No || r.Stance == Neutral, "roles[%d].stance: %q is not yes, no or neutral", i, r.Stance)
	}
	return errors.Join(errs...)
}

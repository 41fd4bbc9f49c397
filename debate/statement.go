package debate

import (
	"fmt"
)

func (s *Statement) AddNote(format string, args ...any) {
	s.Notes = append(s.Notes, fmt.Sprintf(format, args...))
}

// Statement is the structured part of what a speaker said. What the model did
// not state is absent, never invented.
type Statement struct {
	Body        string     `json:"body"` // the prose, without the structured block
	Position    string     `json:"position,omitempty"`
	Confidence  *float64   `json:"confidence,omitempty"` // 0..1
	Stance      Stance     `json:"stance,omitempty"`
	Citations   []string   `json:"citations,omitempty"`
	ContextUsed []string   `json:"context_used,omitempty"` // C1, ...
	AskedField  AskedField `json:"asked,omitempty"`        // what it was asked for besides
	Ranking     []string   `json:"ranking,omitempty"`      // as it names the others' answers, best first
	Scores      []Score    `json:"scores,omitempty"`
	Notes       []string   `json:"notes,omitempty"`  // what was clamped or could not be read
	RoleBreach  string     `json:"breaks,omitempty"` // how it breaks its speaker's role; "": it does not
}

// Stance is a side on a yes-or-no question.
type Stance string

// The stances; "" means not stated.
const (
	Yes     Stance = "yes"
	No      Stance = "no"
	Neutral Stance = "neutral"
)

// NoStance is the stance of a role that takes no side.
const NoStance Stance = "none"

// Score is one entry of a statement's matrix.
type Score struct {
	Option    string  `json:"option"`
	Criterion string  `json:"criterion"`
	Score     float64 `json:"score"` // 0..10
	Reason    string  `json:"reason,omitempty"`
}

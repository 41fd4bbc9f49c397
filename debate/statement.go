package debate

import (
	"cmp"
	"fmt"

	"roundtable/agents"
)

// AddNote adds a formatted note on what was repaired, ignored or could not be read.
func (s *Statement) AddNote(format string, args ...any) {
	s.Notes = append(s.Notes, fmt.Sprintf(format, args...))
}

// Statement is the structured content of what a speaker said. What the model did not
// state stays empty.
type Statement struct {
	Body        string            `json:"body"` // the prose, without the structured part
	Position    string            `json:"position,omitempty"`
	Confidence  *float64          `json:"confidence,omitempty"` // 0..1
	Stance      Stance            `json:"stance,omitempty"`
	Choice      string            `json:"choice,omitempty"` // the label of its answer, as it was written
	Estimate    *Estimate         `json:"estimate,omitempty"`
	Citations   []string          `json:"citations,omitempty"`
	ContextUsed []string          `json:"context_used,omitempty"` // C1, ...
	AskedField  AskedField        `json:"asked,omitempty"`        // the field that it was asked for in addition
	Ranking     []string          `json:"ranking,omitempty"`      // the others' answers as it names them, best first
	Scores      []Score           `json:"scores,omitempty"`
	AllPassages bool              `json:"all_passages,omitempty"` // it is made of all passages of its turn, not of the last alone
	Notes       []string          `json:"notes,omitempty"`        // what was repaired, ignored or could not be read
	Cut         *agents.PromptCut `json:"prompt_cut,omitempty"`   // its speaker read the prompt only in part; nil: it did not
	RoleBreach  string            `json:"breaks,omitempty"`       // how it breaks its speaker's role; "" if it does not
}

// HasBlock reports whether anything of a structured part could be read.
func (s Statement) HasBlock() bool {
	return s.Position != "" || s.Confidence != nil || s.Stance != "" || s.Choice != "" || s.Estimate != nil ||
		len(s.Citations)+len(s.ContextUsed)+len(s.Ranking)+len(s.Scores) > 0
}

// FilledFrom returns the statement with those fields of another one that it does not have.
func (s Statement) FilledFrom(other Statement) Statement {
	s.Position, s.Stance, s.Choice = cmp.Or(s.Position, other.Position), cmp.Or(s.Stance, other.Stance), cmp.Or(s.Choice, other.Choice)
	s.Confidence, s.Estimate = cmp.Or(s.Confidence, other.Confidence), cmp.Or(s.Estimate, other.Estimate)
	for _, list := range []struct{ own, other *[]string }{
		{&s.Citations, &other.Citations}, {&s.ContextUsed, &other.ContextUsed}, {&s.Ranking, &other.Ranking},
	} {
		if len(*list.own) == 0 {
			*list.own = *list.other
		}
	}
	if len(s.Scores) == 0 {
		s.Scores = other.Scores
	}
	return s
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

// Score is one entry of a statement's score matrix.
type Score struct {
	Option    string  `json:"option"`
	Criterion string  `json:"criterion"`
	Score     float64 `json:"score"` // 0..10
	Reason    string  `json:"reason,omitempty"`
}

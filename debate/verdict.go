package debate

import (
	"roundtable/agents"
)

// Outcome classifies the result of a debate.
type Outcome string

// The outcomes.
const (
	OutcomeFull        Outcome = "full"         // every member in every round, and a synthesis
	OutcomeDegraded    Outcome = "degraded"     // members or their positions are missing
	OutcomeNoSynthesis Outcome = "no_synthesis" // no chair's report, computed only
	OutcomeStopped     Outcome = "stopped"      // cut short, see StopReason.Forced
)

// Verdict is the result of a debate.
type Verdict struct {
	Outcome          Outcome           `json:"outcome"`
	Stopped          StopReason        `json:"stopped,omitempty"`
	EndReason        string            `json:"ended"`              // see Session.EndReason
	Missing          []MissingResponse `json:"missing,omitempty"`  // turns without a statement
	Unstated         []agents.ID       `json:"unstated,omitempty"` // no side to compare
	Cause            string            `json:"cause,omitempty"`    // why there is no chair's report
	Chair            agents.ID         `json:"chair,omitempty"`
	ChairName        string            `json:"chair_name,omitempty"`
	ChairModel       string            `json:"chair_model,omitempty"`
	ChairIsMember    bool              `json:"chair_is_member"`
	Text             string            `json:"text"` // the report, in Markdown
	Confidence       *float64          `json:"confidence"`
	Baseline         Tally             `json:"baseline"`        // count of round 1, as without a debate
	Final            Tally             `json:"final"`           // count of the last round
	Changed          *bool             `json:"changed"`         // whether the debate changed the answer; nil without a baseline
	ExtraSpending    Spending          `json:"extra"`           // what everything but round 1 cost
	Spending         []Spending        `json:"spent"`           // by purpose, and the total last
	Moves            []Move            `json:"moves"`           // the change ledger, by seat and round
	PhasePositions   []PhasePosition   `json:"views,omitempty"` // from the last round's additional phases
	Dissent          []Dissent         `json:"dissent"`
	Sources          []SourceLine      `json:"sources"`
	Results          *Results          `json:"results,omitempty"`           // of all rounds, see Session.Results
	UnknownCitations []string          `json:"unknown_citations,omitempty"` // cited although nobody was told them
	Warnings         []string          `json:"warnings,omitempty"`
}

// MissingResponse is a seat without a statement in a round, or without a response in one
// of its other phases.
type MissingResponse struct {
	Agent agents.ID `json:"agent"`
	Name  string    `json:"name"`
	Round int       `json:"round"`
	Phase string    `json:"phase,omitempty"`
	Cause string    `json:"cause"`
}

// Tally counts stances: one vote per seat, and weighted by confidence.
type Tally struct {
	Votes    map[Stance]int     `json:"votes,omitempty"`
	Weights  map[Stance]float64 `json:"weights,omitempty"`
	Majority Stance             `json:"majority,omitempty"` // "" with None or Split
	Weighted Stance             `json:"weighted,omitempty"`
	Split    bool               `json:"split,omitempty"`
	None     bool               `json:"none,omitempty"` // fewer than half of the seats state a side
}

// Change says how a seat's position changed from one round to the next.
type Change string

// The changes.
const (
	Opening    Change = "opening" // the first statement
	Held       Change = "held"
	Revised    Change = "revised"    // citing new evidence
	Conformed  Change = "conformed"  // revised, citing none
	Wavered    Change = "wavered"    // the same side, much less sure
	Unstated   Change = "not_stated" // no side to compare
	NoResponse Change = "missing"
)

// Move is one entry of the change ledger.
type Move struct {
	Agent      agents.ID `json:"agent"`
	Round      int       `json:"round"`
	Change     Change    `json:"change"`
	Stance     Stance    `json:"stance,omitempty"`
	Confidence *float64  `json:"confidence"`
	Cites      []string  `json:"cites,omitempty"` // the new evidence
}

// Dissent is a seat on another side than the majority.
type Dissent struct {
	Agent      agents.ID `json:"agent"`
	Name       string    `json:"name"`
	Stance     Stance    `json:"stance"`
	Confidence *float64  `json:"confidence"`
	Position   string    `json:"position"`
}

// PhasePosition is what a member held in an additional phase of the last round, such as
// a cross-evaluation. Ballots and votes are results.
type PhasePosition struct {
	Agent      agents.ID `json:"agent"`
	Name       string    `json:"name"`
	Role       string    `json:"role,omitempty"`
	Phase      string    `json:"phase"`
	Stance     Stance    `json:"stance,omitempty"`
	Confidence *float64  `json:"confidence"`
	Position   string    `json:"position"`
}

// SourceLine is a released answer with who cites it.
type SourceLine struct {
	ID      string      `json:"id"`
	Text    string      `json:"text"`
	Source  string      `json:"source,omitempty"`
	CitedBy []agents.ID `json:"cited_by"`
}

package debate

import (
	"roundtable/agents"
)

// ConsensusMethod says how a consensus was measured.
type ConsensusMethod string

// The methods.
const (
	ConsensusByModel     ConsensusMethod = "model"
	ConsensusComputed    ConsensusMethod = "computed" // from stances and confidences, without a model
	ConsensusUnavailable ConsensusMethod = "unavailable"
)

// Consensus is the agreement of those who answered in a round. It is stored with the
// round and never recomputed. Its texts are written by a model.
type Consensus struct {
	Level         *float64        `json:"level"` // 0..1; nil if unknown
	Method        ConsensusMethod `json:"method"`
	Cause         string          `json:"cause,omitempty"` // why there is no level, or what it leaves out
	Model         string          `json:"model,omitempty"` // the model that was asked; "" if none was
	Answered      int             `json:"answered"`        // number of seats with a statement
	Seats         int             `json:"seats"`           // number of all seats
	Opposed       bool            `json:"opposed,omitempty"`
	Clusters      []Cluster       `json:"clusters,omitempty"`
	CommonGround  []string        `json:"common_ground,omitempty"`
	Disagreements []string        `json:"disagreements,omitempty"`
	Partial       []string        `json:"partial_agreements,omitempty"`
	Conditions    []string        `json:"conditions,omitempty"`
	Uncertainties []string        `json:"uncertainties,omitempty"`
	Warning       string          `json:"warning,omitempty"`     // of group-think
	Side          Side            `json:"side,omitempty"`        // that the level is about; "" without one
	Contradicts   string          `json:"contradicts,omitempty"` // the count that a model's level contradicts; "" if it does not
	Labels        *Grouping       `json:"labels,omitempty"`      // of all labels used so far; nil if nobody grouped them
	Results       *Results        `json:"results,omitempty"`     // of the round's ballots, votes and scores; set by the engine
}

// AllAnswered reports whether every seat answered. A level without all of them is no
// consensus.
func (c Consensus) AllAnswered() bool { return c.Answered >= c.Seats }

// Cluster is a group of seats with the same position.
type Cluster struct {
	Theme   string      `json:"theme"`
	Agents  []agents.ID `json:"agents"`
	Summary string      `json:"summary,omitempty"`
}

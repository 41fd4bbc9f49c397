package debate

import (
	"roundtable/agents"
)

// ConsensusMethod says how a consensus was found.
type ConsensusMethod string

// The methods.
const (
	ConsensusByModel     ConsensusMethod = "model"
	ConsensusComputed    ConsensusMethod = "computed" // from stances and confidences, without a model
	ConsensusUnavailable ConsensusMethod = "unavailable"
)

// Consensus is the agreement after one round, among those who answered in it. It
// is stored with the round and never computed again. Texts are a model's.
type Consensus struct {
	Level         *float64        `json:"level"` // 0..1; nil: unknown
	Method        ConsensusMethod `json:"method"`
	Cause         string          `json:"cause,omitempty"` // why there is no level, or what it leaves out
	Model         string          `json:"model,omitempty"` // that was asked; "" without one
	Answered      int             `json:"answered"`        // seats with a statement,
	Seats         int             `json:"seats"`           // of so many
	Opposed       bool            `json:"opposed,omitempty"`
	Clusters      []Cluster       `json:"clusters,omitempty"`
	CommonGround  []string        `json:"common_ground,omitempty"`
	Disagreements []string        `json:"disagreements,omitempty"`
	Partial       []string        `json:"partial_agreements,omitempty"`
	Conditions    []string        `json:"conditions,omitempty"`
	Uncertainties []string        `json:"uncertainties,omitempty"`
	Warning       string          `json:"warning,omitempty"` // of group-think
	Results       *Results        `json:"results,omitempty"` // of the round's ballots, votes and scores; the engine adds them
}

// AllAnswered reports whether every seat answered: no level of fewer is a consensus.
func (c Consensus) AllAnswered() bool { return c.Answered >= c.Seats }

// Cluster is a group of seats that hold the same.
type Cluster struct {
	Theme   string      `json:"theme"`
	Agents  []agents.ID `json:"agents"`
	Summary string      `json:"summary,omitempty"`
}

package debate

import (
	"roundtable/agents"
)

// Results are what the structured parts of a round come to, computed without a
// model. They are stored with the round and with the verdict.
type Results struct {
	Ranking *Ranking   `json:"ranking,omitempty"` // of the round's answers; nil: nobody was asked to rank
	Shift   *VoteShift `json:"shift,omitempty"`   // of the votes before and after; nil: there were none
	Matrix  *Matrix    `json:"matrix,omitempty"`  // of options by criteria; nil: nobody was asked for scores
}

// Ranking is a Borda count: of n answers that a ballot could rank, its first has
// n-1 points and its last none. What a ballot leaves out has no points of it.
type Ranking struct {
	Round   int      `json:"round"`
	Seed    string   `json:"seed"`    // of the orders in which the answers were shown
	Ballots []Ballot `json:"ballots"` // by seat
	Places  []Place  `json:"places"`  // by points
}

// Ballot is one member's ranking of the others.
type Ballot struct {
	Agent agents.ID   `json:"agent"`
	Order []agents.ID `json:"order"` // the best first
}

// Place is where an answer came in a ranking. Equal points share a place.
type Place struct {
	Agent  agents.ID `json:"agent"`
	Place  int       `json:"place"` // from 1
	Points int       `json:"points"`
	Firsts int       `json:"firsts"` // ballots that have it first
}

// VoteShift is how the votes moved between two polls of the same members.
type VoteShift struct {
	Votes  []VotePair     `json:"votes"`  // by seat
	Before map[Stance]int `json:"before"` // of those who voted both times,
	After  map[Stance]int `json:"after"`
	Shift  int            `json:"shift"`            // what yes has gained on no
	Winner Stance         `json:"winner,omitempty"` // the side that gained; "": neither
}

// VotePair is one member's vote before and after; "" where there is none.
type VotePair struct {
	Agent  agents.ID `json:"agent"`
	Before Stance    `json:"before,omitempty"`
	After  Stance    `json:"after,omitempty"`
}

// Matrix is what the members give each option by each criterion.
type Matrix struct {
	Round    int        `json:"round"`
	Options  []string   `json:"options"`
	Criteria []string   `json:"criteria"`
	Cells    []Cell     `json:"cells"`          // option by option, each criterion in turn
	Totals   []*float64 `json:"totals"`         // the mean of each option's cells; nil: it has no score
	Best     string     `json:"best,omitempty"` // the option with the highest total; "": none, or several
}

// Cell is one option by one criterion.
type Cell struct {
	Mean   *float64      `json:"mean"`             // 0..10; nil: no score
	Scores []MemberScore `json:"scores,omitempty"` // by seat
}

// MemberScore is a score with who gave it and why.
type MemberScore struct {
	Agent  agents.ID `json:"agent"`
	Score  float64   `json:"score"`
	Reason string    `json:"reason,omitempty"`
}

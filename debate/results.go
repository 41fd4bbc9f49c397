package debate

import (
	"roundtable/agents"
)

// Results are the results of a round's ballots, votes and scores, computed without a
// model. They are stored with the round and with the verdict.
type Results struct {
	Ranking *Ranking   `json:"ranking,omitempty"` // nil if nobody was asked to rank
	Shift   *VoteShift `json:"shift,omitempty"`   // of votes before and after the debate; nil if there were none
	Matrix  *Matrix    `json:"matrix,omitempty"`  // nil if nobody was asked for scores
}

// Ranking is a Borda count: of n answers that a ballot can rank, the first gets n-1
// points and the last none. Answers that a ballot leaves out get no points from it.
type Ranking struct {
	Round   int      `json:"round"`
	Seed    string   `json:"seed"`    // of the orders in which the answers were shown
	Ballots []Ballot `json:"ballots"` // by seat
	Places  []Place  `json:"places"`  // by points
}

// Ballot is a member's ranking of the others' answers.
type Ballot struct {
	Agent agents.ID   `json:"agent"`
	Order []agents.ID `json:"order"` // the best first
}

// Place is the place of an answer in a ranking. Equal points share a place.
type Place struct {
	Agent  agents.ID `json:"agent"`
	Place  int       `json:"place"` // from 1
	Points int       `json:"points"`
	Firsts int       `json:"firsts"` // ballots that have it first
}

// VoteShift says how votes moved between two polls of the same members.
type VoteShift struct {
	Votes  []VotePair     `json:"votes"`  // by seat
	Before map[Stance]int `json:"before"` // of those who voted both times; empty if fewer than half of the voters did
	After  map[Stance]int `json:"after"`
	Shift  int            `json:"shift"`            // what yes gained on no
	Winner Stance         `json:"winner,omitempty"` // the side that gained; "" if neither did
}

// VotePair is a member's vote before and after; "" if it has none.
type VotePair struct {
	Agent  agents.ID `json:"agent"`
	Before Stance    `json:"before,omitempty"`
	After  Stance    `json:"after,omitempty"`
}

// Matrix holds the members' scores of each option by each criterion.
type Matrix struct {
	Round    int        `json:"round"`
	Options  []string   `json:"options"`
	Criteria []string   `json:"criteria"`
	Cells    []Cell     `json:"cells"`             // by option, then by criterion
	Totals   []*float64 `json:"totals"`            // mean of each option's cells; nil if it has no score
	Best     string     `json:"best,omitempty"`    // option that is ahead; "" if none is
	Counted  []bool     `json:"counted,omitempty"` // criteria that count: members scored all options on them
	Missing  []string   `json:"missing,omitempty"` // cells without a score that counts, such as "Zig by cost"
}

// Cell holds the scores of one option by one criterion.
type Cell struct {
	Mean   *float64      `json:"mean"`             // 0..10; nil if there is no score
	Scores []MemberScore `json:"scores,omitempty"` // by seat
}

// MemberScore is a member's score with its reason.
type MemberScore struct {
	Agent  agents.ID `json:"agent"`
	Score  float64   `json:"score"`
	Reason string    `json:"reason,omitempty"`
}

package debate

import "roundtable/agents"

// Counted is what a debate comes to, computed from a session whenever it is read.
type Counted struct {
	Result     PanelResult  `json:"result"`
	Incomplete bool         `json:"incomplete"`     // see Caution.Missing
	Was        *PanelResult `json:"was,omitempty"`  // of the first votes, if it differs; nil without a comparison
	Same       bool         `json:"same,omitempty"` // the first votes came to the same result
	Moved      []Mover      `json:"moved,omitempty"`
	Votes      []SeatVote   `json:"votes,omitempty"` // by seat, then by round
	Cautions   []Caution    `json:"cautions,omitempty"`
	Demo       bool         `json:"demo,omitempty"` // a seat that spoke is scripted
}

// ResultKind says what a result is.
type ResultKind string

const (
	KindSide       ResultKind = "side"        // that more than half of all voting seats hold
	KindUndecided  ResultKind = "undecided"   // more than half of them are
	KindSplit      ResultKind = "split"       // two sides or more, none with a majority
	KindNoMajority ResultKind = "no_majority" // one side or number without a majority, or too few ballots
	KindNoVotes    ResultKind = "no_votes"    // there is nothing to count
	KindNone       ResultKind = "none"        // the mode has no vote
	KindEstimate   ResultKind = "estimate"    // the median of numbers that more than half of them gave
	KindRanking    ResultKind = "ranking"     // places by points
	KindFindings   ResultKind = "findings"    // of a review
	KindText       ResultKind = "text"        // of the author of a critique
)

// PanelResult is the result of the votes, ballots or findings of a panel.
type PanelResult struct {
	Kind      ResultKind     `json:"kind"`
	Side      Side           `json:"side,omitempty"`  // of KindSide
	Count     int            `json:"count"`           // seats that hold Side, gave a number, or whose ballot or list could be read
	Of        int            `json:"of"`              // voting seats, or critics
	Seat      agents.ID      `json:"seat,omitempty"`  // whose text it is; "": there is none
	Draft     bool           `json:"draft,omitempty"` // no text came after the concerns
	Sides     []SideCount    `json:"sides,omitempty"` // the most votes first
	Undecided int            `json:"undecided,omitempty"`
	Numbers   []float64      `json:"numbers,omitempty"` // of estimates, the least first
	Median    *float64       `json:"median,omitempty"`
	Least     *float64       `json:"least,omitempty"`
	Greatest  *float64       `json:"greatest,omitempty"`
	Unit      string         `json:"unit,omitempty"`
	Places    []RankedSeat   `json:"places,omitempty"`
	Ballots   int            `json:"ballots,omitempty"` // that could be read
	Due       int            `json:"due,omitempty"`
	Findings  *FindingCounts `json:"findings,omitempty"`
}

// SideCount is how many seats hold a side.
type SideCount struct {
	Side  Side `json:"side"`
	Count int  `json:"count"`
}

// RankedSeat is the place of a seat's answer in a Borda count. Equal points share a place.
type RankedSeat struct {
	Seat   agents.ID `json:"seat"`
	Place  int       `json:"place"` // from 1
	Points int       `json:"points"`
	Firsts int       `json:"firsts"` // ballots that rank it first
}

// FindingCounts counts the findings of a review by state; High counts grave ones that were not refuted.
type FindingCounts struct {
	Agreed   int `json:"agreed"`
	Disputed int `json:"disputed"`
	Single   int `json:"single"`
	Refuted  int `json:"refuted"`
	High     int `json:"high"`
}

// VoteState says what can be read of a seat's vote in a round.
type VoteState string

const (
	VoteRead       VoteState = "read"
	VoteUndecided  VoteState = "undecided"
	VoteUnreadable VoteState = "unreadable"
	VoteNone       VoteState = "none" // no statement
)

// SeatVote is what a voting seat said in a round in which votes were due.
type SeatVote struct {
	Seat       agents.ID `json:"seat"`
	Round      int       `json:"round"`
	Label      string    `json:"side,omitempty"` // as it is written
	Side       Side      `json:"-"`              // as it is counted
	Value      *float64  `json:"value,omitempty"`
	Confidence *float64  `json:"confidence"`
	State      VoteState `json:"state"`
	Stale      bool      `json:"stale,omitempty"` // votes were due in a later round, where the seat has no statement
	Arrow      Arrow     `json:"arrow,omitempty"`
	By         string    `json:"by,omitempty"` // what changed it: an id, the name of a seat or a tool; "?": cannot be checked
}

// Arrow says how a vote differs from the seat's readable vote before it.
type Arrow string

const (
	ArrowMoved Arrow = "moved"
	ArrowModel Arrow = "model" // it was another model's
)

// Mover is a seat whose newest vote differs from its first one.
type Mover struct {
	Seat agents.ID `json:"seat"`
	By   string    `json:"by,omitempty"` // see SeatVote.By
}

// CautionID names what weakens a result, see verdict.Count.
type CautionID string

// Caution is one thing that weakens a result, with all that it applies to.
type Caution struct {
	ID      CautionID
	Missing bool          // the result is incomplete by it
	Items   []CautionItem // what it applies to; empty for one that is about the panel
}

// CautionItem is what a caution applies to. What does not matter for the caution is empty.
type CautionItem struct {
	Seat    agents.ID
	Round   int
	Of      int    // planned rounds
	ID      string // of a question, or a citation
	Word    string // a reason, an author, who stopped the debate or "perhaps"
	Lines   int    // that were not shown
	Within  bool   // in the round, not after it
	Counted bool   // the result is incomplete by this item
}

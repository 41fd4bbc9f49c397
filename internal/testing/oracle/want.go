package oracle

// Want is what the page says of a panel. Seats are named by their ids.
type Want struct {
	Result     Result    `json:"result"`
	Incomplete bool      `json:"incomplete"`
	Was        *Result   `json:"was"`
	Same       bool      `json:"same"`
	Cautions   []Caution `json:"cautions"`
	Votes      []Vote    `json:"votes"`
	Demo       bool      `json:"demo"`
	Moved      []Moved   `json:"moved"` // wherever there is a comparison
	Gravest    string    `json:"-"`     // the caution in the parenthesis of the line
	More       int       `json:"-"`     // of the same sort
}

// Result is the count.
type Result struct {
	Kind      string         `json:"kind"`
	Side      string         `json:"side,omitempty"`
	Count     int            `json:"count"` // who hold the side, are undecided, gave a number, or whose findings could be read
	Of        int            `json:"of"`
	Sides     []SideCount    `json:"sides"`
	Undecided int            `json:"undecided"`
	Median    *float64       `json:"median"`
	Least     *float64       `json:"least"`
	Greatest  *float64       `json:"greatest"`
	Unit      string         `json:"unit,omitempty"`
	Places    []Place        `json:"places"`
	Ballots   int            `json:"ballots"`
	Due       int            `json:"due"`
	Findings  *FindingCounts `json:"findings"`
	Text      *Text          `json:"text"` // of a critique
}

// SideCount is a side and who hold it.
type SideCount struct {
	Side  string `json:"side"`
	Count int    `json:"count"`
}

// Place is an answer's place in a ranking.
type Place struct {
	Seat   string `json:"seat"`
	Place  int    `json:"place"`
	Points int    `json:"points"`
	Firsts int    `json:"firsts"`
}

// FindingCounts counts a review's findings by state; High is over all but the refuted.
type FindingCounts struct {
	Agreed   int `json:"agreed"`
	Disputed int `json:"disputed"`
	Single   int `json:"single"`
	Refuted  int `json:"refuted"`
	High     int `json:"high"`
}

// Text is what a critique has of its author: final, draft or none, and the critics whose concerns could be read.
type Text struct {
	Which   string `json:"which"`
	Seat    string `json:"seat"`
	Critics int    `json:"critics"`
}

// Caution is one of the closed list. Rounds and Perhaps go with Seats, one by one, where both stand.
type Caution struct {
	ID      string   `json:"id"`
	Seats   []string `json:"seats,omitempty"`
	Rounds  []int    `json:"rounds,omitempty"`
	IDs     []string `json:"ids,omitempty"`
	Perhaps []bool   `json:"perhaps,omitempty"` // of cut_prompts: only suspected
	Lines   int      `json:"lines,omitempty"`   // of unread_evidence
	Stands  bool     // one that is of no seat
	How     string   `json:"how,omitempty"` // of stopped: in, after or before
}

// Vote is a cell of the table.
type Vote struct {
	Seat       string   `json:"seat"`
	Round      int      `json:"round"`
	Side       string   `json:"side,omitempty"`
	Value      *float64 `json:"value,omitempty"`
	Confidence *float64 `json:"confidence"`
	State      string   `json:"state"` // read, undecided, unreadable or none
	Stale      bool     `json:"stale"`
	Arrow      string   `json:"arrow"` // "", moved or model
	By         string   `json:"by"`    // of the newest arrow
}

// Moved is a seat that moved, and by what.
type Moved struct {
	Seat string `json:"seat"`
	By   string `json:"by"`
}

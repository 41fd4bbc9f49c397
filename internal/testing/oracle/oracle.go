// Package oracle counts a debate a second time. It was written from the page that says what a verdict is, by somebody
// who had not read the program, and it imports nothing of it: a panel comes in, what the page says of it goes out.
// It checks data, not words.
package oracle

// Panel is a debate as it was played: who sat where, what everybody wrote, how it ended.
type Panel struct {
	Seed        uint64
	Mode        Mode
	Question    Question
	Seats       []Seat
	Planned     int       // rounds that were planned
	Given       int       // rounds that were given by hand, 0 for none
	Ends        string    // planned, agreed or settled
	Ended       string    // "", plan, agreement, settled, user, signal, budget, crash, chair or hang
	Turns       []Turn    // in the order in which they were begun
	Requests    []Request // by id
	TopicAuthor string    // "" for the person at the keyboard
	Evidence    int       // lines of the one file of evidence, F1
	Tools       []Tool    // tools of servers that were offered in round 1
	ReportCut   bool      // the chair's text was cut
}

// Mode is what a mode's file says of the count.
type Mode struct {
	Name   string
	Kind   string  // vote, ranking, review, critique or none
	Named  bool    // the mode names its voting phase, so that all who speak in it are free
	Blind  bool    // in round 1 nobody reads anybody
	Phases []Phase // of each round
}

// Phase is one step of a round.
type Phase struct {
	Name       string
	Votes      bool
	Ranks      bool
	Judges     bool   // finds in round 1 and judges in round 2
	Rounds     string // all or odd
	Sequential bool
	Seats      []int
}

// Question is what was asked.
type Question struct {
	Kind    string // yes-no, choice, estimate or open
	Options []string
	Unit    string
}

// Seat is a place at the table, as it was at the start.
type Seat struct {
	ID       string
	Name     string
	Maker    string
	Model    string // "" where an agent's is not known
	Agent    bool
	Scripted bool
	Stance   bool // the role prescribes one
	Asks     bool // could ask
}

// Turn is one seat's turn in one phase. One that was never begun is absent.
type Turn struct {
	Round       int
	Phase       string
	Seat        int
	State       string // done, failed, cancelled, cut, or running: begun and not ended when the debate was stopped
	Maker       string
	Model       string
	Reads       []Read   // statements that its prompt held
	Tools       []string // names of those it called
	Prompt      Prompt
	EvidenceCut [][2]int // first and last of lines that were not shown
	Cites       []string
	Vote        *string // as the seat wrote it, null for none
	Value       *float64
	Confidence  *float64
	Ballot      []int       // seats, best first; null if it cannot be read
	Findings    []Finding   // null if they cannot be read
	Judgements  []Judgement // null if they cannot be read
	Concerns    []string    // titles; null if they cannot be read
	Replies     []Reply
	ChangedBy   *Cause
}

// Read names a statement that was shown.
type Read struct {
	Seat  int
	Round int
}

// Prompt is what is known of a prompt's size, 0 where nothing is.
type Prompt struct {
	Server   string
	Window   int // asked of the server
	Estimate int
	Counted  int
	Cached   int  // tokens that the server says its cache held
	LeftOut  bool // the server leaves cached tokens out of its count
}

// Finding is one entry of a seat's list. Equal keys are the same defect.
type Finding struct {
	Key      string
	Severity string // high, medium or low
}

// Judgement is what a seat says of a finding that it did not report.
type Judgement struct {
	Key  string
	True string // yes, no or unsure
}

// Reply is the author's to a concern.
type Reply struct {
	Concern string // H1 for the first: by round, seat and place in the seat's list
	Does    string // accept, reject or ask
}

// Cause is what a seat says changed its vote: one of its members.
type Cause struct {
	Fact string // C1 or F1
	Seat *int
	Tool string
	Text string
}

// Request is a question to the user.
type Request struct {
	ID       string
	Round    int
	Seat     int
	Required bool
	Answers  []Answer // revisions, oldest first
}

// Answer is a revision of what a request got.
type Answer struct {
	Released int    // 0 for never
	Author   string // "" for the person at the keyboard
	Outcome  string // answered, unavailable or given_up
	Reason   string
}

// Tool is one of a server's that was offered to seats.
type Tool struct {
	Name  string
	Reads bool // says that it only reads
	Seats []int
}

// Judge returns what the page says of a panel.
func Judge(p Panel) Want {
	d := newDebate(p)
	w := Want{Result: d.result(), Votes: d.table(), Cautions: d.cautions(), Demo: d.demo()}
	w.Gravest, w.More = d.gravest(w.Cautions)
	w.Incomplete = w.Gravest != ""
	w.Was, w.Same = d.comparison()
	if w.Was != nil || w.Same {
		w.Moved = d.moved()
	}
	return w
}

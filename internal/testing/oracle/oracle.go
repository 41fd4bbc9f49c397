// Package oracle counts a debate a second time. It was written from the page that says what a verdict is, by somebody
// who had not read the program, and it imports nothing of it: a panel comes in as JSON, what the page says of it goes out.
// It checks data, not words.
package oracle

import (
	"encoding/json"
	"fmt"
)

// Panel is a debate as it was played: who sat where, what everybody wrote, how it ended.
type Panel struct {
	Seed        uint64    `json:"seed"`
	Mode        Mode      `json:"mode"`
	Question    Question  `json:"question"`
	Seats       []Seat    `json:"seats"`
	Planned     int       `json:"planned"`      // rounds that were planned
	Given       int       `json:"given"`        // rounds that were given by hand, 0 for none
	Ends        string    `json:"ends"`         // planned, agreed or settled
	Ended       string    `json:"ended"`        // "", plan, agreement, settled, user, signal, budget, crash, chair or hang
	Turns       []Turn    `json:"turns"`        // in the order in which they were begun
	Requests    []Request `json:"requests"`     // by id
	TopicAuthor string    `json:"topic_author"` // "" for the person at the keyboard
	Evidence    int       `json:"evidence"`     // lines of the one file of evidence, F1
	Tools       []Tool    `json:"offered"`      // tools of servers that were offered in round 1
	ReportCut   bool      `json:"report_cut"`   // the chair's text was cut
}

// Mode is what a mode's file says of the count.
type Mode struct {
	Name   string  `json:"name"`
	Kind   string  `json:"kind"`   // vote, ranking, review, critique or none
	Named  bool    `json:"named"`  // the mode names its voting phase, so that all who speak in it are free
	Blind  bool    `json:"blind"`  // in round 1 nobody reads anybody
	Phases []Phase `json:"phases"` // of each round
}

// Phase is one step of a round.
type Phase struct {
	Name       string `json:"name"`
	Votes      bool   `json:"votes"`
	Ranks      bool   `json:"ranks"`
	Judges     bool   `json:"judges"` // finds in round 1 and judges in round 2
	Rounds     string `json:"rounds"` // all or odd
	Sequential bool   `json:"sequential"`
	Seats      []int  `json:"seats"`
}

// Question is what was asked.
type Question struct {
	Kind    string   `json:"kind"` // yes-no, choice, estimate or open
	Options []string `json:"options"`
	Unit    string   `json:"unit"`
}

// Seat is a place at the table, as it was at the start.
type Seat struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Maker       string `json:"maker"`
	Model       string `json:"model"` // "" where an agent's is not known
	Agent       bool   `json:"agent"`
	Scripted    bool   `json:"scripted"`
	Stance      bool   `json:"stance"` // the role prescribes one
	Perspective string `json:"perspective"`
	Asks        bool   `json:"asks"` // could ask
}

// Turn is one seat's turn in one phase. One that was never begun is absent.
type Turn struct {
	Round       int         `json:"round"`
	Phase       string      `json:"phase"`
	Seat        int         `json:"seat"`
	State       string      `json:"state"` // done, failed, cancelled, cut, or running: begun and not ended when the debate was stopped
	Maker       string      `json:"maker"`
	Model       string      `json:"model"`
	Reads       []Read      `json:"reads"` // statements that its prompt held
	Tools       []string    `json:"tools"` // names of those it called
	Prompt      Prompt      `json:"prompt"`
	EvidenceCut [][2]int    `json:"evidence_cut"` // first and last of lines that were not shown
	Cites       []string    `json:"cites"`
	Vote        *string     `json:"vote"` // as the seat wrote it, null for none
	Value       *float64    `json:"value"`
	Low         *float64    `json:"low"`
	High        *float64    `json:"high"`
	Confidence  *float64    `json:"confidence"`
	Labels      []int       `json:"labels"`     // the seats whose answers this reader saw as Answer A, Answer B, ...
	Ballot      []int       `json:"ballot"`     // seats, best first; null if it cannot be read
	Findings    []Finding   `json:"findings"`   // null if they cannot be read
	Judgements  []Judgement `json:"judgements"` // null if they cannot be read
	Concerns    []string    `json:"concerns"`   // titles; null if they cannot be read
	Replies     []Reply     `json:"replies"`
	ChangedBy   *Cause      `json:"changed_by"`
}

// Read names a statement that was shown.
type Read struct {
	Seat  int `json:"seat"`
	Round int `json:"round"`
}

// Prompt is what is known of a prompt's size, 0 where nothing is.
type Prompt struct {
	Server   string `json:"server"`
	Window   int    `json:"window"` // asked of the server
	Estimate int    `json:"estimate"`
	Counted  int    `json:"counted"`
	Cached   int    `json:"cached"`   // tokens that the server says its cache held
	LeftOut  bool   `json:"left_out"` // the server leaves cached tokens out of its count
}

// Finding is one entry of a seat's list. Equal keys are the same defect.
type Finding struct {
	Key      string `json:"key"`
	Severity string `json:"severity"` // high, medium or low
}

// Judgement is what a seat says of a finding that it did not report.
type Judgement struct {
	Key  string `json:"key"`
	True string `json:"true"` // yes, no or unsure
}

// Reply is the author's to a concern.
type Reply struct {
	Concern string `json:"concern"` // H1 for the first: by round, seat and place in the seat's list
	Does    string `json:"does"`    // accept, reject or ask
}

// Cause is what a seat says changed its vote: one of its members.
type Cause struct {
	Fact string `json:"fact"` // C1 or F1
	Seat *int   `json:"seat"`
	Tool string `json:"tool"`
	Text string `json:"text"`
}

// Request is a question to the user.
type Request struct {
	ID       string   `json:"id"`
	Round    int      `json:"round"`
	Seat     int      `json:"seat"`
	Required bool     `json:"required"`
	Answers  []Answer `json:"answers"` // revisions, oldest first
}

// Answer is a revision of what a request got.
type Answer struct {
	Released int    `json:"round_released"` // 0 for never
	Author   string `json:"author"`         // "" for the person at the keyboard
	Outcome  string `json:"outcome"`        // answered, unavailable or given_up
	Reason   string `json:"reason"`
}

// Tool is one of a server's that was offered to seats.
type Tool struct {
	Name  string `json:"name"`
	Reads bool   `json:"reads"` // says that it only reads
	Seats []int  `json:"seats"`
}

// Judge reads a panel and returns what the page says of it.
func Judge(panel []byte) (Want, error) {
	var p Panel
	if err := json.Unmarshal(panel, &p); err != nil {
		return Want{}, fmt.Errorf("panel: %w", err)
	}
	d := newDebate(p)
	w := Want{Result: d.result(), Votes: d.table(), Cautions: d.cautions()}
	w.Line = d.line(w.Cautions)
	w.Incomplete = w.Line.Gravest != ""
	w.Was, w.Same = d.comparison()
	if w.Was != nil || w.Same {
		w.Line.Moved = d.moved()
	}
	return w, nil
}

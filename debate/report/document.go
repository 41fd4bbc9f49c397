package report

import (
	"bytes"
	_ "embed"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
)

// Document is the data of a session as it is exported: the JSON export, which Schema describes.
type Document struct {
	Format        string              `json:"format"` // FormatName
	Version       int                 `json:"version"`
	State         State               `json:"state"`
	Redacted      bool                `json:"redacted"` // what looked like a key was masked
	ID            string              `json:"id"`
	Title         string              `json:"title"`
	Topic         string              `json:"topic"`
	TopicBy       ledger.Author       `json:"topic_by,omitzero"`  // nothing: not stored
	Question      debate.QuestionKind `json:"question,omitempty"` // "": of a session of an earlier version
	Unit          string              `json:"unit,omitempty"`     // of an estimate; "": a bare count
	Options       []string            `json:"options,omitempty"`  // of a choice, if they were named for it
	Mode          string              `json:"mode"`
	Summary       string              `json:"mode_summary"`
	Status        debate.Status       `json:"status"`
	Demo          bool                `json:"demo"`   // every answer is scripted
	Rounds        int                 `json:"rounds"` // planned
	Created       time.Time           `json:"created"`
	Updated       time.Time           `json:"updated"`
	Stopped       debate.StopReason   `json:"stopped,omitempty"`
	Parent        string              `json:"forked_from,omitempty"`
	Fork          *int                `json:"fork_round,omitempty"` // 0: from the beginning
	ForkTook      *debate.Spending    `json:"fork_spent,omitempty"` // by the rounds that the fork was begun with; not a part of Spent
	Eval          *debate.EvalItem    `json:"evaluation,omitempty"` // the evaluation question that it played; nil in other debates
	Budget        debate.Budget       `json:"budget"`
	Agents        []Seat              `json:"agents"`
	SeatChanges   []debate.SeatChange `json:"seat_changes,omitempty"` // of models; Agents has those of the last round
	Chair         *agents.Profile     `json:"chair"`                  // null: a member is
	Light         *agents.Profile     `json:"light"`                  // null: none
	History       []Round             `json:"history"`
	Requests      []Request           `json:"requests"`
	Evidence      []Evidence          `json:"evidence,omitempty"`
	Cited         []Cited             `json:"citations,omitempty"` // of the evidence
	Interjections []Interjection      `json:"interjections"`
	Verdict       *Verdict            `json:"verdict"`
	Settlements   []debate.Settlement `json:"settlements,omitempty"` // how verdicts turned out, the oldest first
	FollowUps     []FollowUp          `json:"followups,omitempty"`   // asked after verdicts, the oldest first
	Spent         []debate.Spending   `json:"spent"`                 // by purpose, and the total last
	Notices       []debate.Notice     `json:"notices"`
}

// FormatName and Version identify the format of a document. Within a version members
// may be added, and none changes its meaning.
const (
	FormatName = "roundtable/session"
	Version    = 1
)

// State says whether a session is complete.
type State struct {
	Whole bool   `json:"whole"` // the debate has ended with a full verdict
	Text  string `json:"text"`  // the outcome in one line, or the state without one
	Word  string `json:"word"`  // as lists show it

	HeldBy *debate.Holder `json:"held_by,omitempty"` // who had the session open when this was written
}

// Seat is a member of the panel.
type Seat struct {
	Seat int `json:"seat"` // from 1
	agents.Profile
	Role  string `json:"role,omitempty"`  // in the mode
	Label string `json:"label,omitempty"` // its name for the others, in a mode that hides names
}

// Round is what was played of a round: all attempts by step, seat and attempt, and the turns that have not begun.
type Round struct {
	Round     int             `json:"round"`
	Snapshot  string          `json:"snapshot"` // hash of its manifest
	Focus     string          `json:"focus,omitempty"`
	FocusBy   ledger.Author   `json:"focus_by,omitzero"`
	Released  []string        `json:"released"` // requests whose answers were released for it
	Began     time.Time       `json:"began"`
	Ended     *time.Time      `json:"ended"` // null: not yet
	Responses []Response      `json:"responses"`
	Missing   []MissingTurn   `json:"absent"`
	Notices   []debate.Notice `json:"notices"`
}

// MissingTurn is a turn that has not begun.
type MissingTurn struct {
	Agent agents.ID `json:"agent"`
	Step  int       `json:"step"`
	Phase string    `json:"phase,omitempty"`
}

// Turn is one attempt of a turn, in a round or to answer a follow-up question.
type Turn struct {
	agents.Turn
	State   debate.TurnState    `json:"state"`
	Text    string              `json:"text"` // of the last completion; a part of one if the turn is not done
	Finish  agents.Finish       `json:"finish,omitempty"`
	Failure *debate.TurnFailure `json:"failure,omitempty"`
	Prompts int                 `json:"prompt_version,omitempty"`
	Usage   Usage               `json:"usage"`
	Began   time.Time           `json:"began"`
	Ended   *time.Time          `json:"ended"`
}

// Response is one attempt of a turn in a round.
type Response struct {
	Turn
	Model     string             `json:"model,omitempty"` // of the seat in this round; "": no seat has changed its model
	Role      string             `json:"role,omitempty"`
	Phase     string             `json:"phase,omitempty"`
	Statement debate.Statement   `json:"statement"`           // parsed from Text, if the turn is done
	Passages  []Passage          `json:"passages"`            // all completions, including the last
	Side      debate.Side        `json:"side,omitempty"`      // that the statement takes, as it is counted
	InRole    bool               `json:"in_role,omitempty"`   // the side is that of its role
	Standing  string             `json:"-"`                   // its side and confidence in words
	Fitting   *debate.ContextFit `json:"fitting,omitempty"`   // what was shortened in its prompt
	Snapshot  string             `json:"snapshot,omitempty"`  // hash of what it started from
	Saw       []string           `json:"saw,omitempty"`       // ids of the responses in its prompt
	Inherited bool               `json:"inherited,omitempty"` // a fork was begun with it
}

// Passage is one completion of a turn, with its tool calls.
type Passage struct {
	Text      string `json:"text"`
	Reasoning string `json:"reasoning,omitempty"`
	Tools     []Tool `json:"tools"`
}

// Tool is one tool call.
type Tool struct {
	Call      string             `json:"call"`
	Tool      string             `json:"tool"`
	Own       bool               `json:"own,omitempty"` // a tool that the agent has of its own and ran itself
	Arguments string             `json:"arguments"`
	State     debate.ToolState   `json:"state"`
	Result    *agents.ToolResult `json:"result"` // null: not yet
	Began     *time.Time         `json:"began,omitempty"`
	Duration  int64              `json:"duration_ms"`
}

// Usage is what a request, a turn or a session took.
type Usage struct {
	Requests int `json:"requests"` // including retries
	agents.Usage
	Cost *float64 `json:"cost"` // USD; null: unknown
}

// Request is a question to the user, with everything that was asked and answered.
type Request struct {
	Request    string          `json:"request"`
	Agents     []agents.ID     `json:"agents"` // who asked
	Query      string          `json:"query"`
	Reason     string          `json:"reason"` // of the first agent that still asks
	Priority   ledger.Priority `json:"priority"`
	State      ledger.State    `json:"state"`
	Round      int             `json:"round"` // of the first Ask
	Asked      time.Time       `json:"asked"`
	FollowUpOf string          `json:"follow_up_of,omitempty"`
	JoinedTo   string          `json:"joined_to,omitempty"`
	Asks       []Ask           `json:"asks"`
	Answers    []Answer        `json:"answers"`  // all revisions, the oldest first
	Released   []Release       `json:"released"` // which revision was released for which round
}

// Ask is one agent's call that made or joined a request.
type Ask struct {
	agents.Turn
	Query     string          `json:"query"`
	Reason    string          `json:"reason"`
	Priority  ledger.Priority `json:"priority"`
	Withdrawn bool            `json:"withdrawn"`
	At        time.Time       `json:"at"`
}

// Answer is one revision of an answer of the user.
type Answer struct {
	Revision   int            `json:"revision"`
	Outcome    ledger.Outcome `json:"outcome"`
	Content    string         `json:"content"` // the answer, or the reason why there is none
	Source     string         `json:"source,omitempty"`
	By         ledger.Author  `json:"by,omitzero"` // who answered for the user, and by which door; nothing: not stored
	Correction bool           `json:"correction"`
	At         time.Time      `json:"at"`
}

// Release says that a revision was released for a round.
type Release struct {
	Revision int `json:"revision"`
	Round    int `json:"round"`
}

// Interjection is a message of the user between rounds.
type Interjection struct {
	debate.Interjection
	Rounds []int `json:"rounds"` // that started with it
}

// Verdict is what a session comes to, and what a chair wrote of it.
type Verdict struct {
	Headline string `json:"headline"`
	debate.Counted
	Cautions []Caution              `json:"cautions"`
	Findings []debate.ReviewFinding `json:"findings,omitempty"` // of a review
	Concerns []debate.Concern       `json:"concerns,omitempty"` // of a critique
	Pick     *debate.Pick           `json:"pick,omitempty"`     // the strongest single answer
	Spent    debate.Spending        `json:"spent"`
	After    debate.Spending        `json:"spent_after_first_votes"`
	Report   debate.Verdict         `json:"report"`
}

// Caution is what weakens a result.
type Caution struct {
	ID     debate.CautionID `json:"id"`
	Seats  []agents.ID      `json:"seats,omitempty"`
	Rounds []int            `json:"rounds,omitempty"`
	IDs    []string         `json:"ids,omitempty"` // of questions, and citations
	Text   string           `json:"text"`
}

//go:embed session.schema.json
var schema []byte

// Schema returns the JSON schema of a document.
func Schema() []byte { return bytes.Clone(schema) }

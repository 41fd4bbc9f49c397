package report

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
)

// Document is a session as it is exported. Its JSON is the export in that
// format, which Schema describes; the others are written from it too, so that
// all of them tell the same.
type Document struct {
	Format        string            `json:"format"` // FormatName
	Version       int               `json:"version"`
	State         State             `json:"state"`
	Redacted      bool              `json:"redacted"` // what looked like a key was masked
	ID            string            `json:"id"`
	Title         string            `json:"title"`
	Topic         string            `json:"topic"`
	Mode          string            `json:"mode"`
	Summary       string            `json:"mode_summary"`
	Status        debate.Status     `json:"status"`
	Demo          bool              `json:"demo"`   // scripted answers, no model
	Rounds        int               `json:"rounds"` // planned
	Created       time.Time         `json:"created"`
	Updated       time.Time         `json:"updated"`
	Stopped       debate.StopReason `json:"stopped,omitempty"`
	Parent        string            `json:"forked_from,omitempty"`
	Fork          *int              `json:"fork_round,omitempty"` // 0: it starts over
	ForkTook      *debate.Spent     `json:"fork_spent,omitempty"` // by the rounds it was begun with; a part of Spent
	Budget        debate.Budget     `json:"budget"`
	Agents        []Seat            `json:"agents"`
	Chair         *agents.Profile   `json:"chair"` // nil: a member
	Light         *agents.Profile   `json:"light"` // nil: none
	History       []Round           `json:"history"`
	Requests      []Request         `json:"requests"`
	Sources       []Source          `json:"sources"`
	Interjections []Interjection    `json:"interjections"`
	Verdict       *Verdict          `json:"verdict"`
	Spent         []debate.Spent    `json:"spent"` // by purpose, and the total last
	Notices       []debate.Notice   `json:"notices"`
}

// FormatName is the format that a document names, and Version the version of it.
// Members may be added within a version; none changes its meaning.
const (
	FormatName = "roundtable/session"
	Version    = 1
)

// State says how whole a document is.
type State struct {
	Whole bool   `json:"whole"` // the debate has ended with a full verdict
	Text  string `json:"text"`  // one line: the outcome, or why there is none
}

// Seat is a member of the panel.
type Seat struct {
	Seat int `json:"seat"` // from 1
	agents.Profile
	Role  string `json:"role,omitempty"`  // that the mode gives it
	Label string `json:"label,omitempty"` // that the others knew it by, in a mode that hides names
}

// Round is one round as far as it came. Responses holds all attempts, by step,
// seat and attempt; Absent the turns of it that have not begun.
type Round struct {
	Round     int               `json:"round"`
	Snapshot  string            `json:"snapshot"` // hash of what it started from
	Focus     string            `json:"focus,omitempty"`
	Released  []string          `json:"released"` // requests whose answers were handed over for it
	Began     time.Time         `json:"began"`
	Ended     *time.Time        `json:"ended"` // nil: it has not
	Responses []Response        `json:"responses"`
	Missing   []MissingTurn     `json:"absent"`
	Consensus *debate.Consensus `json:"consensus"`
	Notices   []debate.Notice   `json:"notices"`
}

// Absence is a turn that has not begun.
type MissingTurn struct {
	Agent agents.ID `json:"agent"`
	Step  int       `json:"step"`
	Phase string    `json:"phase,omitempty"`
}

// Response is one attempt of a turn.
type Response struct {
	Turn
	State        debate.TurnState   `json:"state"`
	Role         string             `json:"role,omitempty"`
	Phase        string             `json:"phase,omitempty"`
	Text         string             `json:"text"`                    // of the last completion: the statement of a turn that is done, a part of one otherwise
	Statement    debate.Statement   `json:"statement"`               // what was read from it; of a turn that is done
	NotAddressed []string           `json:"not_addressed,omitempty"` // what it had asked for, was answered, and does not mention
	Passages     []Passage          `json:"passages"`                // the completions, the last included
	Finish       agents.Finish      `json:"finish,omitempty"`
	Failure      *debate.Failed     `json:"failure,omitempty"`
	Fitting      *debate.ContextFit `json:"fitting,omitempty"` // what of its prompt was shortened
	Usage        Usage              `json:"usage"`
	Began        time.Time          `json:"began"`
	Ended        *time.Time         `json:"ended"`
}

// Turn identifies one attempt of an agent.
type Turn struct {
	Agent   agents.ID `json:"agent"`
	Round   int       `json:"round"`
	Step    int       `json:"step"`
	Attempt int       `json:"attempt"`
}

// Passage is one completion of a turn, and the tools that it called.
type Passage struct {
	Text      string `json:"text"`
	Reasoning string `json:"reasoning,omitempty"`
	Tools     []Tool `json:"tools"`
}

// Tool is one tool call.
type Tool struct {
	Call      string             `json:"call"`
	Tool      string             `json:"tool"`
	Arguments string             `json:"arguments"`
	State     debate.ToolState   `json:"state"`
	Result    *agents.ToolResult `json:"result"` // nil: it has not ended
	Duration  int64              `json:"duration_ms"`
}

// Usage is what the completions of a turn took.
type Usage struct {
	Requests int `json:"requests"` // sent, retries included
	agents.Usage
	Cost *float64 `json:"cost"` // USD; nil: unknown
}

// Request is a question to the user, with all that was asked and answered.
type Request struct {
	Request    string          `json:"request"`
	Agents     []agents.ID     `json:"agents"` // who asked
	Query      string          `json:"query"`
	Priority   ledger.Priority `json:"priority"`
	State      ledger.State    `json:"state"`
	Round      int             `json:"round"` // of the first ask
	Asked      time.Time       `json:"asked"`
	FollowUpOf string          `json:"follow_up_of,omitempty"`
	Asks       []Ask           `json:"asks"`
	Answers    []Answer        `json:"answers"`  // revisions, the oldest first
	Released   []Release       `json:"released"` // which of them was handed over for which round
}

// Ask is one agent's wish to know.
type Ask struct {
	Turn
	Query     string          `json:"query"`
	Reason    string          `json:"reason"`
	Priority  ledger.Priority `json:"priority"`
	Withdrawn bool            `json:"withdrawn"`
	At        time.Time       `json:"at"`
}

// Answer is one revision of what the user said.
type Answer struct {
	Revision   int            `json:"revision"`
	Outcome    ledger.Outcome `json:"outcome"`
	Content    string         `json:"content"` // the answer, or the reason why there is none
	Source     string         `json:"source,omitempty"`
	Author     string         `json:"author"`
	Correction bool           `json:"correction"`
	At         time.Time      `json:"at"`
}

// Release says that a revision was handed to the agents for a round.
type Release struct {
	Revision int `json:"revision"`
	Round    int `json:"round"`
}

// Source is what statements cite, and who cites it.
type Source struct {
	Ref     string     `json:"ref"`            // C1, or as it was cited
	Request bool       `json:"request"`        // an answer of the user
	Told    bool       `json:"told"`           // of a request: its answer was handed over before it was cited
	Text    string     `json:"text,omitempty"` // of the answer
	Source  string     `json:"source,omitempty"`
	CitedBy []Citation `json:"cited_by"`
}

// Cite says who cites something, and in which rounds.
type Citation struct {
	Agent  agents.ID `json:"agent"`
	Rounds []int     `json:"rounds"`
}

// Told is something that the user told agents in between.
type Interjection struct {
	debate.Interjection
	Rounds []int `json:"rounds"` // that were given it
}

// Verdict is the end of the debate, with its outcome in words.
type Verdict struct {
	Header string `json:"header"`
	Moved  string `json:"moved"` // how many revised without evidence
	debate.Verdict
}

//go:embed session.schema.json
var schema []byte

// Schema returns the JSON schema of a document.
func Schema() []byte { return bytes.Clone(schema) }

// JSON returns the document as indented JSON.
func (d Document) JSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(d); err != nil {
		return nil, fmt.Errorf("export session %s: %w", d.ID, err)
	}
	return b.Bytes(), nil
}

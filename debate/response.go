package debate

import (
	"fmt"
	"strings"
	"time"

	"roundtable/agents"
)

// TurnState is where a turn's attempt stands.
type TurnState string

// The states. Running is only true of a turn whose process lives.
const (
	TurnRunning     TurnState = "running"
	TurnDone        TurnState = "done"
	TurnFailed      TurnState = "failed"
	TurnCancelled   TurnState = "cancelled"
	TurnInterrupted TurnState = "interrupted"
)

// Response is one attempt of a turn: what the speaker said, did and cost.
type Response struct {
	Turn           agents.Turn
	State          TurnState
	Role           string // in the mode, such as "opponent"; may be empty
	Phase          string // of the step
	Passages       []Passage
	Statement      Statement     // of a turn that is done
	Finish         agents.Finish // of the last completion
	Usage          agents.Usage  // of all completions
	Cost           *float64      // USD; nil: unknown
	Calls          int           // requests: completions with their retries
	Failure        *TurnFailure
	SnapshotHash   string      // hash of what it started from
	SeenResponses  []string    // ids of the responses in its prompt
	ContextFit     *ContextFit // how they were fitted; nil: all as they stand
	EstimatedInput int         // tokens that its completions were estimated to read; 0: the server did not say what they read
	Began          time.Time
	Ended          time.Time
}

// Passage is one completion of a turn: its text and then its tool calls. The
// text of a passage that has calls is working text: shown, passed to nobody.
type Passage struct {
	Text      string
	Reasoning string
	Tools     []ToolRecord
}

// ToolRecord is one tool call, owned by the agent of the turn.
type ToolRecord struct {
	ID     string // see agents.Turn.ToolCall
	Name   string
	Args   string
	State  ToolState
	Result agents.ToolResult // once done
	Began  time.Time
	Took   time.Duration
}

// ToolState is where a tool call stands.
type ToolState string

// The states of a tool call.
const (
	ToolPending ToolState = "pending"
	ToolRunning ToolState = "running"
	ToolDone    ToolState = "done" // see the result's status
)

// TurnFailure says why a turn has no statement.
type TurnFailure struct {
	Kind      agents.Kind `json:"kind"`
	Cause     string      `json:"cause"`
	Remedy    string      `json:"remedy,omitempty"`
	Retryable bool        `json:"retryable"`
	Tries     int         `json:"tries,omitempty"`
}

// TurnID is the id of a response.
func TurnID(t agents.Turn) string {
	return fmt.Sprintf("r%d.s%d.%s.a%d", t.Round, t.Step, t.Agent, t.Attempt)
}

// ID identifies the response within its session.
func (r Response) ID() string { return TurnID(r.Turn) }

// Finished reports whether the attempt has ended for good: what is interrupted starts again.
func (r Response) Finished() bool {
	return r.State == TurnDone || r.State == TurnFailed || r.State == TurnCancelled
}

// PromptTooLong reports whether the attempt failed because the model refused its
// prompt as too long.
func (r Response) PromptTooLong() bool {
	return r.Failure != nil && r.Failure.Kind == agents.KindTooLong
}

// HasStatement reports whether the attempt came to something that can be handed on.
func (r Response) HasStatement() bool {
	s := r.Statement
	return r.State == TurnDone && (s.Body != "" || s.Position != "" || len(s.Ranking)+len(s.Scores) > 0)
}

// Text returns the text of the last passage: the statement of a turn that is
// done, a part of one otherwise.
func (r Response) Text() string {
	if len(r.Passages) == 0 {
		return ""
	}
	return r.Passages[len(r.Passages)-1].Text
}

// ShortCause is a failure's cause as it stands beside others in one line: a refusal by
// the budget without its figures, which are of one call alone.
func ShortCause(kind agents.Kind, cause string) string {
	if kind == agents.KindBudget {
		cause, _, _ = strings.Cut(cause, ": ")
	}
	return cause
}

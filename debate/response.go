package debate

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"roundtable/agents"
)

// WithResponse returns the session with an attempt in its place of the round's order.
func (s Session) WithResponse(x Response) Session {
	s.History = slices.Clone(s.History)
	r := &s.History[x.Turn.Round-1]
	r.Responses = slices.Clone(r.Responses)
	i := slices.IndexFunc(r.Responses, func(y Response) bool { return y.Turn == x.Turn })
	if i >= 0 {
		r.Responses[i] = x
		return s
	}
	r.Responses = append(r.Responses, x)
	slices.SortStableFunc(r.Responses, func(a, b Response) int {
		_, na := s.Seat(a.Turn.Agent)
		_, nb := s.Seat(b.Turn.Agent)
		return cmp.Or(a.Turn.Step-b.Turn.Step, na-nb, a.Turn.Attempt-b.Turn.Attempt)
	})
	return s
}

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
	Turn      agents.Turn
	State     TurnState
	Role      string // in the mode, such as "opponent"; may be empty
	Phase     string // of the step
	Passages  []Passage
	Statement Statement     // of a turn that is done
	Finish    agents.Finish // of the last completion
	Usage     agents.Usage  // of all completions
	Cost      *float64      // USD; nil: unknown
	Sent      int           // requests: completions with their retries
	Failure   *Failed
	Snapshot  string      // hash of what it started from
	Saw       []string    // ids of the responses in its prompt
	Fitting   *ContextFit // how they were fitted; nil: all as they stand
	Estimate  int         // tokens that its completions were estimated to read; 0: the server did not say what they read
	Began     time.Time
	Ended     time.Time
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

// Failed says why a turn has no statement.
type Failed struct {
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

// Settled reports whether the attempt has ended for good: what is interrupted starts again.
func (r Response) Settled() bool {
	return r.State == TurnDone || r.State == TurnFailed || r.State == TurnCancelled
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

// Latest returns the newest attempt of every turn of the round, by step and seat.
func (r Round) Latest() []Response {
	var out []Response
	for _, x := range r.Responses {
		if n := len(out); n > 0 && sameTurn(out[n-1].Turn, x.Turn) {
			out[n-1] = x
			continue
		}
		out = append(out, x)
	}
	return out
}

// Statements returns what the seats said in the round, one of each, in the order
// in which they came to it: its statement, and of a seat that makes none what it
// said last in another phase.
func (r Round) Statements() []Response {
	var out []Response
	for _, x := range r.Latest() {
		if !x.HasStatement() {
			continue
		}
		i := slices.IndexFunc(out, func(y Response) bool { return y.Turn.Agent == x.Turn.Agent })
		switch {
		case i < 0:
			out = append(out, x)
		case out[i].Phase != "" || x.Phase == "":
			out = append(slices.Delete(out, i, i+1), x)
		}
	}
	return out
}

func sameTurn(a, b agents.Turn) bool {
	a.Attempt, b.Attempt = 0, 0
	return a == b
}

// Of returns the attempts of one seat in the round, in order.
func (r Round) Of(id agents.ID) []Response {
	var out []Response
	for _, x := range r.Responses {
		if x.Turn.Agent == id {
			out = append(out, x)
		}
	}
	return out
}

// Statement is the structured part of what a speaker said. What the model did
// not state is absent, never invented.
type Statement struct {
	Body        string   `json:"body"` // the prose, without the structured block
	Position    string   `json:"position,omitempty"`
	Confidence  *float64 `json:"confidence,omitempty"` // 0..1
	Stance      Stance   `json:"stance,omitempty"`
	Citations   []string `json:"citations,omitempty"`
	ContextUsed []string `json:"context_used,omitempty"` // C1, ...
	Asked       Block    `json:"asked,omitempty"`        // what it was asked for besides
	Ranking     []string `json:"ranking,omitempty"`      // as it names the others' answers, best first
	Scores      []Score  `json:"scores,omitempty"`
	Notes       []string `json:"notes,omitempty"`  // what was clamped or could not be read
	Breaks      string   `json:"breaks,omitempty"` // how it breaks its speaker's role; "": it does not
}

// Stance is a side on a yes-or-no question.
type Stance string

// The stances; "" means not stated.
const (
	Yes     Stance = "yes"
	No      Stance = "no"
	Neutral Stance = "neutral"
)

// NoStance is the stance of a role that takes no side.
const NoStance Stance = "none"

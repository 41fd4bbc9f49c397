// Package agents is the vocabulary of one speaker: who it is, what it sends
// and receives, the tools it may call, and the loop that plays one turn.
//
// It imports the standard library only. It knows no session, no database and
// no screen: a turn is described by values, and whoever plays one passes in
// what it needs.
package agents

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"
	"time"
)

// ID names a speaker within a session, in lower case ("ada").
type ID string

// Turn says whose call it is: one speaker's part in one step of one round.
// It is built once, by the engine, and keys every row and every event.
type Turn struct {
	Session string `json:"session"`
	Round   int    `json:"round"`   // from 1
	Step    int    `json:"step"`    // from 0
	Attempt int    `json:"attempt"` // from 1
	Agent   ID     `json:"agent"`
}

// ToolCall returns the id of the n-th tool call of the turn, from 1. It is made
// of the turn alone, so that nothing a model sends becomes part of a key.
func (t Turn) ToolCall(n int) string {
	return fmt.Sprintf("r%d.s%d.%s.a%d.t%d", t.Round, t.Step, t.Agent, t.Attempt, n)
}

// Profile is who a speaker is: all of it that is stored with a session.
type Profile struct {
	ID            ID       `json:"id"`
	Name          string   `json:"name"`
	Provider      string   `json:"provider"` // its name in the configuration
	Model         string   `json:"model"`
	Persona       string   `json:"persona,omitempty"`
	Temperature   *float64 `json:"temperature,omitempty"`
	MaxTokens     int      `json:"max_tokens,omitempty"`     // of one completion; 0: the server's own limit
	ContextWindow int      `json:"context_window,omitempty"` // tokens; 0: unknown
	PriceIn       *float64 `json:"price_in,omitempty"`       // USD per million input tokens; nil: unknown
	PriceOut      *float64 `json:"price_out,omitempty"`      // USD per million output tokens; nil: unknown
}

// Cost returns what usage costs in USD, or nil where a price is unknown.
func (p Profile) Cost(u Usage) *float64 {
	if p.PriceIn == nil || p.PriceOut == nil {
		return nil
	}
	c := (float64(u.Input)**p.PriceIn + float64(u.Output)**p.PriceOut) / 1e6
	return &c
}

// Agent is a speaker that can speak. It is a value and keeps nothing between turns.
type Agent struct {
	Profile
	Client Provider
	Schema json.RawMessage // of the JSON that its answers are to be; nil: text
}

// Role is the author of a message as the chat-completions protocol has it.
type Role string

// The roles of the protocol.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
	ToolRole  Role = "tool"
)

// Message is one message of a completion request.
type Message struct {
	Role   Role            `json:"role"`
	Text   string          `json:"content"`
	Calls  []ToolCall      `json:"tool_calls,omitempty"`   // of an assistant message
	CallID string          `json:"tool_call_id,omitempty"` // of a tool message: the call it answers
	Extra  json.RawMessage `json:"extra,omitempty"`        // what the provider must have back with this message, opaque
	Parts  []Part          `json:"-"`                      // what Text was joined from, see JoinParts; nil: not known
}

// Part is a titled part of a message's text. Titles are for people and are not sent.
type Part struct {
	Title string
	Text  string
}

// Tokens estimates the size of a part.
func (p Part) Tokens() int { return Tokens(p.Text) }

// JoinParts returns the text of a message that is made of parts.
func JoinParts(parts []Part) string {
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.Text
	}
	return strings.Join(texts, "\n\n")
}

// ToolSpec describes a tool to a model. Schema is a JSON schema of the arguments.
type ToolSpec struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"parameters"`
}

// ToolCall is one call a model made. Args is what the model wrote, valid or not.
type ToolCall struct {
	ID    string          `json:"id"` // of the wire, unique within the turn
	Name  string          `json:"name"`
	Args  string          `json:"arguments"`
	Extra json.RawMessage `json:"extra,omitempty"` // what the provider must have back with this call, opaque
}

// ToolStatus is how a tool call ended.
type ToolStatus string

// The ways a tool call can end.
const (
	ToolOK      ToolStatus = "ok"
	ToolError   ToolStatus = "error"
	ToolAborted ToolStatus = "aborted"
	ToolDenied  ToolStatus = "denied"
)

// ToolResult is what the model is told about a call, and what the user is shown.
type ToolResult struct {
	Status  ToolStatus `json:"status"`
	Text    string     `json:"text"`    // for the model
	Summary string     `json:"summary"` // for the user, one line
}

// Toolkit is what an agent may call while it speaks. Execute never fails: what
// goes wrong is a result for the model. It is safe for concurrent use. Call is
// the id made by Turn.ToolCall.
type Toolkit interface {
	Specs() []ToolSpec
	Execute(ctx context.Context, turn Turn, id string, call ToolCall) ToolResult
}

// Usage counts the tokens of one or more completions.
type Usage struct {
	Input     int  `json:"input"`
	Output    int  `json:"output"`    // reasoning included
	Reasoning int  `json:"reasoning"` // part of Output
	Estimated bool `json:"estimated"` // counted by us, since the server did not say
}

// Add returns the sum; it is estimated if a part of it is.
func (u Usage) Add(v Usage) Usage {
	return Usage{u.Input + v.Input, u.Output + v.Output, u.Reasoning + v.Reasoning, u.Estimated || v.Estimated}
}

// Request is one completion to ask a provider for.
type Request struct {
	Model       string          `json:"model"`
	Messages    []Message       `json:"messages"`
	Tools       []ToolSpec      `json:"tools,omitempty"`
	Temperature *float64        `json:"temperature,omitempty"`
	MaxTokens   int             `json:"max_tokens,omitempty"`
	Schema      json.RawMessage `json:"schema,omitempty"` // of the wanted JSON answer; a request to the server, never a promise by it
}

// Finish is why a completion ended, as the server said it.
type Finish string

// The finish reasons that are treated apart; any other is a server's own word for stop.
const (
	FinishStop      Finish = "stop"
	FinishLength    Finish = "length"
	FinishToolCalls Finish = "tool_calls"
	FinishFilter    Finish = "content_filter"
	FinishError     Finish = "error"
)

// Note says in a sentence how an answer ended that did not simply end; "" for
// one that did.
func (f Finish) Note() string {
	switch f {
	case "", FinishStop:
		return ""
	case FinishLength:
		return "Cut at the token limit: its end is missing. A higher max_tokens lets it go on."
	case FinishToolCalls, FinishFilter, FinishError:
	}
	return fmt.Sprintf("The server ended it with %q.", string(f))
}

// Chunk is one increment of a streamed completion. Exactly one chunk, the last
// one, has a Finish; Calls, Usage, Extra, Tries and Patched come with it.
type Chunk struct {
	Text      string
	Reasoning string
	Queued    bool   // the server is alive but has sent nothing yet
	Retry     *Retry // the provider is about to try again; what came before of this completion is void
	Finish    Finish
	Calls     []ToolCall      // complete calls
	Usage     *Usage          // nil: the server did not say
	Extra     json.RawMessage // see Message.Extra
	Tries     int             // how often it was sent; 0 counts as 1
	Patched   []string        // what was sent otherwise than the request says; nil: the provider does not tell
}

// Retry says that a completion is asked for once more, and when.
type Retry struct {
	Cause  string
	Try    int // the retry that is to come, from 1
	Of     int
	In     time.Duration
	Until  time.Time // set when In is long enough to count as paused
	Void   bool      // visible text was sent before: it is kept, and not part of the answer
	Failed *Failure  // what the try before it came to; nil where there was none
}

// Provider streams completions. The sequence ends after the chunk that has a
// Finish, or after yielding a non-nil error (a *Failure where the cause is
// known). An end without either is ErrTruncated.
type Provider interface {
	Stream(ctx context.Context, req Request) iter.Seq2[Chunk, error]
}

// Package agents defines one speaker: its profile, its messages, the tools it may
// call, its provider, and the loop that runs one of its turns.
//
// It imports the standard library only. It knows no session, no database and no
// screen. A turn is described by values, and the caller passes in what it needs.
package agents

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ID names a speaker within a session, in lower case ("ada").
type ID string

// Turn identifies one speaker's part in one step of one round. Rows and events are keyed by it.
type Turn struct {
	Session string `json:"session,omitempty"`
	Round   int    `json:"round"`   // from 1
	Step    int    `json:"step"`    // from 0
	Attempt int    `json:"attempt"` // from 1
	Agent   ID     `json:"agent"`
}

// ToolCall returns the id of the n-th tool call of the turn, from 1. No model has a say in it.
func (t Turn) ToolCall(n int) string {
	return fmt.Sprintf("r%d.s%d.%s.a%d.t%d", t.Round, t.Step, t.Agent, t.Attempt, n)
}

// Profile describes a speaker. It is stored with a session.
type Profile struct {
	ID            ID       `json:"id" toml:"id"`
	Name          string   `json:"name" toml:"name"`
	Provider      string   `json:"provider" toml:"provider"` // the name in the configuration
	Model         string   `json:"model" toml:"model"`
	Persona       string   `json:"persona,omitempty" toml:"persona,omitempty"`
	Temperature   *float64 `json:"temperature,omitempty" toml:"temperature,omitempty"`
	MaxTokens     int      `json:"max_tokens,omitempty" toml:"max_tokens,omitempty"`           // of one completion; 0: the server's limit
	ContextWindow int      `json:"context_window,omitempty" toml:"context_window,omitempty"`   // tokens; 0: unknown
	PriceIn       *float64 `json:"price_in,omitempty" toml:"price_in,omitempty"`               // USD a million input tokens; nil: unknown
	PriceCachedIn *float64 `json:"price_cached_in,omitempty" toml:"price_cached_in,omitempty"` // of those from a cache; nil: as PriceIn
	PriceOut      *float64 `json:"price_out,omitempty" toml:"price_out,omitempty"`             // USD a million output tokens; nil: unknown

	Later      []Prices `json:"later,omitempty" toml:"-"`                     // that hold in place of these from a day on, oldest first
	Included   bool     `json:"included,omitempty" toml:"included,omitempty"` // in a subscription: its tokens are not billed
	Loop       bool     `json:"loop,omitempty" toml:"-"`                      // a program with tools of its own, see LoopProvider
	ToolPrefix string   `json:"tool_prefix,omitempty" toml:"-"`               // before the names of our tools, as its model sees them

	ReasoningEffort string `json:"reasoning_effort,omitempty" toml:"reasoning_effort,omitempty"` // as the server calls it; "": its default
	// ExtraBody is an object of fields, none of them ours, that each request gets.
	ExtraBody json.RawMessage `json:"extra,omitempty" toml:"-"`
}

// DefaultModel is the name of the model that an agent's own settings choose.
const DefaultModel = "default"

// ModelName returns what sits in the seat, in words: the model, or the agent that chooses it.
func (p Profile) ModelName() string {
	if p.Loop && p.Model == DefaultModel {
		return strings.TrimSuffix(p.Provider, "-acp")
	}
	return p.Model
}

// Prices are in USD per million tokens, as in a Profile.
type Prices struct {
	From     time.Time `json:"from"` // the first day, in UTC
	In       float64   `json:"in"`
	CachedIn *float64  `json:"cached_in,omitempty"`
	Out      float64   `json:"out"`
}

// PricedOn returns the profile with the prices that hold at a time.
func (p Profile) PricedOn(now time.Time) Profile {
	for _, l := range p.Later {
		if !now.Before(l.From) {
			p.PriceIn, p.PriceCachedIn, p.PriceOut = &l.In, l.CachedIn, &l.Out
		}
	}
	return p
}

// Priced reports whether it is known what the speaker's tokens cost.
func (p Profile) Priced() bool { return p.Included || p.PriceIn != nil && p.PriceOut != nil }

// Cost returns what usage costs in USD, or nil if a price is unknown.
func (p Profile) Cost(u Usage) *float64 {
	switch {
	case p.Included:
		return new(0.0)
	case !p.Priced():
		return nil
	}
	cached := *cmp.Or(p.PriceCachedIn, p.PriceIn)
	return new(math.Round(1e6*(float64(u.Input-u.Cached)**p.PriceIn+float64(u.Cached)*cached+float64(u.Output)**p.PriceOut)) / 1e12)
}

// CostText adds to the text of a cost that tokens included in a subscription are not part of it,
// if one of the speakers has one.
func CostText(words string, cost *float64, speakers ...Profile) string {
	switch {
	case cost == nil || !slices.ContainsFunc(speakers, func(p Profile) bool { return p.Included }):
		return words
	case *cost == 0:
		return "included"
	default:
		return words + " + included"
	}
}

// Agent is a speaker with its provider. It keeps nothing between turns.
type Agent struct {
	Profile
	Client  Provider
	Schema  json.RawMessage // of the JSON to answer with; nil: text
	NoCalls bool            // tools are offered, and none may be called
}

// Role is the author of a message in the chat-completions protocol.
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
	CallID string          `json:"tool_call_id,omitempty"` // of a tool message: the id of the call
	Extra  json.RawMessage `json:"extra,omitempty"`        // opaque; goes back to the provider with this message
	Parts  []Part          `json:"-"`                      // what Text was joined from, see JoinParts; nil: not known
}

// Part is a titled part of a message's text. Titles are for people and are not sent.
type Part struct {
	Title string
	Text  string
}

// JoinParts returns the text of a message that is made of parts.
func JoinParts(parts []Part) string {
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.Text
	}
	return strings.Join(texts, "\n\n")
}

// Names of tools that events and transcripts name too.
const (
	RequestContextName = "request_context" // asks the user for a fact
	RunCommandName     = "run_command"
	ReadFileName       = "read_file"     // of the workspace; lines that it returned can be cited
	ReadEvidenceName   = "read_evidence" // and statements that a prompt does not have in full
)

// WrittenAsText ends the summary of a call that a model wrote into its text.
const WrittenAsText = "written as text"

// StatementID returns the id of the statement that the arguments of a call of
// ReadEvidenceName name, such as "R1:Bob"; "" if they name none.
func StatementID(args string) string {
	var in struct {
		ID string `json:"id"`
	}
	if json.Unmarshal([]byte(args), &in) != nil {
		return ""
	}
	round, speaker, _ := strings.Cut(strings.ToUpper(strings.Trim(in.ID, "[] ")), ":")
	if n, err := strconv.Atoi(strings.TrimPrefix(round, "R")); err != nil || round != fmt.Sprintf("R%d", n) || speaker == "" {
		return ""
	}
	return strings.Trim(in.ID, "[] ")
}

// ToolSpec describes a tool to a model. Schema is the JSON schema of its arguments.
type ToolSpec struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"parameters"`
}

// ToolCall is a call that a model made. Args is what it wrote, valid or not.
type ToolCall struct {
	ID    string          `json:"id"` // as sent to the provider; unique within the turn
	Name  string          `json:"name"`
	Args  string          `json:"arguments"`
	Extra json.RawMessage `json:"extra,omitempty"` // opaque; goes back to the provider with this call
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

// ToolResult is the result of a call, for the model and for the user.
type ToolResult struct {
	Status  ToolStatus `json:"status"`
	Text    string     `json:"text"`    // for the model
	Summary string     `json:"summary"` // for the user, one line

	Waited time.Duration `json:"-"` // for the user, which is no part of the time that the call took
}

// Toolkit is the tools that an agent may call, and for one that runs a loop of its own where
// it works and what it may do there. Execute never fails: an error is a result for the model.
// The id is the one made by Turn.ToolCall. A Toolkit is safe for concurrent use.
type Toolkit interface {
	Specs() []ToolSpec
	Execute(ctx context.Context, turn Turn, id string, call ToolCall) ToolResult
	// Folder returns the folder that the agent works in; the zero Folder if it has none.
	Folder(ctx context.Context, turn Turn) (Folder, error)
	// Approve asks the user whether the agent may run a call of its own, which argv shows
	// as a command. It waits for the user; once ctx is done the answer is no.
	Approve(ctx context.Context, turn Turn, call OwnCall, argv []string) (allowed bool, reason string)
}

// Usage counts the tokens of one or more completions.
type Usage struct {
	Input     int  `json:"input"`
	Output    int  `json:"output"`           // reasoning included
	Reasoning int  `json:"reasoning"`        // part of Output
	Estimated bool `json:"estimated"`        // not counted by the server
	Cached    int  `json:"cached,omitempty"` // part of Input that the server took from its cache
}

// Add returns the sum. It is estimated if a part of it is.
func (u Usage) Add(v Usage) Usage {
	return Usage{u.Input + v.Input, u.Output + v.Output, u.Reasoning + v.Reasoning, u.Estimated || v.Estimated, u.Cached + v.Cached}
}

// Total returns the tokens read and written.
func (u Usage) Total() int { return u.Input + u.Output }

// Request is a request for one completion.
type Request struct {
	Model       string          `json:"model"`
	Messages    []Message       `json:"messages"`
	Tools       []ToolSpec      `json:"tools,omitempty"`
	ToolChoice  ToolChoice      `json:"tool_choice,omitempty"`
	Temperature *float64        `json:"temperature,omitempty"`
	MaxTokens   int             `json:"max_tokens,omitempty"`
	Schema      json.RawMessage `json:"schema,omitempty"` // of the JSON to answer with; servers may ignore it

	ReasoningEffort string          `json:"reasoning_effort,omitempty"`
	ExtraBody       json.RawMessage `json:"extra,omitempty"` // see Profile.ExtraBody

	tokens int // 0: not counted yet
}

// ToolChoice says whether a model may call the tools that a request offers.
type ToolChoice string

// ToolChoiceNone forbids calls. Tools are still offered, since some servers
// refuse a conversation with calls in it that offers none. Without a choice the
// model decides.
const ToolChoiceNone ToolChoice = "none"

// Finish is the reason why a completion ended, in the words of the server.
type Finish string

// The finish reasons that are treated specially. Any other means the same as stop.
const (
	FinishStop      Finish = "stop"
	FinishLength    Finish = "length"
	FinishToolCalls Finish = "tool_calls"
	FinishFilter    Finish = "content_filter"
	FinishError     Finish = "error"
)

// Note returns a sentence about an answer that did not end normally, or "".
func (f Finish) Note() string {
	if f == "" || f == FinishStop {
		return ""
	}
	if f == FinishLength {
		return "Cut off at the token limit. A higher max_tokens allows a longer answer."
	}
	return fmt.Sprintf("The server ended the answer with %q.", string(f))
}

// Chunk is an increment of a streamed completion; an empty one says that the server is alive. Exactly
// one chunk, the last one, has a Finish. Calls, Usage, Extra, Patched, Cut and ToolsUnread come with it.
type Chunk struct {
	Text      string
	Reasoning string
	Event     Progress // Queued, Alive or Retry; nil: none
	Finish    Finish
	Calls     []ToolCall      // complete calls
	Usage     *Usage          // nil: the server did not count
	Extra     json.RawMessage // see Message.Extra
	Patched   []string        // what was sent differently from the request; nil: unknown
	Cut       *PromptCut      // the server read the prompt only in part; nil: it did not, or it is not known
	// ToolsUnread reports that an agent that was offered tools never read their list.
	ToolsUnread bool
	Own         *OwnCall // progress of a call that the agent runs itself, see LoopProvider
}

// Retry reports that the provider is about to send a request again, of which no text came. Queued
// without Waits, Alive or Text report that it does.
type Retry struct {
	Cause  string
	Try    int           // of the retry, from 1
	Of     int           // how many retries there may be
	In     time.Duration // the wait before it
	Until  time.Time     // set if In is long
	Failed *Failure      // of the try before it; nil: it did not fail
	Loads  bool          // the server loads the model until then
	Adapts bool          // the server refused a setting, and the retry goes without it
}

// Provider streams completions. The sequence ends after the chunk with a Finish or
// after a non-nil error, which is a *Failure if the cause is known. A sequence
// that ends without either is no answer.
type Provider interface {
	Stream(ctx context.Context, req Request) iter.Seq2[Chunk, error]
}

// Hash returns the SHA-256 of the request's JSON in hex.
func (r Request) Hash() string {
	raw, err := json.Marshal(r)
	if err != nil { // the only cause is a schema that is not JSON
		panic(fmt.Errorf("hash a request: %w", err))
	}
	return fmt.Sprintf("%x", sha256.Sum256(raw))
}

// ModelInfo is what a provider says of a model that it offers.
type ModelInfo struct {
	Name     string   `json:"name"`
	Window   int      `json:"context_window,omitempty"` // tokens; 0: it does not say
	PriceIn  *float64 `json:"price_in,omitempty"`       // USD per million input tokens; nil: it does not say
	PriceOut *float64 `json:"price_out,omitempty"`      // USD per million output tokens; nil: it does not say

	PriceCachedIn *float64  `json:"price_cached_in,omitempty"` // of input that the server had in its cache; nil: it does not say
	Later         []Prices  `json:"-"`                         // see Profile
	Retires       time.Time `json:"retires,omitzero"`          // the last day on which it is offered, in UTC; zero: it does not say
	Deprecated    bool      `json:"deprecated,omitempty"`      // it is to be replaced by another one
	Note          string    `json:"note,omitempty"`            // words of the program on it, such as "retires in 7 days (30 Nov)"
}

// ModelLister is implemented by providers that can be asked for their models.
type ModelLister interface {
	Models(ctx context.Context) ([]ModelInfo, error)
}

// IsLoopback reports whether a host is this machine, without looking it up.
func IsLoopback(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}

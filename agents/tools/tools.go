// Package tools holds the tools that agents can call and the executor that
// runs them.
//
// It imports agents only and knows neither sessions nor stores nor screens.
// What a tool needs from above comes through the narrow interfaces owned here,
// in a Context that the executor builds anew for every call: whose call it is
// is an argument all the way, never something a tool or a model can set.
package tools

import (
	"context"
	"encoding/json"

	"roundtable/agents"
)

// Context is what a tool may know of its call. It is passed by value.
type Context struct {
	Turn     agents.Turn
	CallID   string // see agents.Turn.ToolCall
	Requests Requester
	Evidence EvidenceReader // nil: there is none
}

// Tool is one thing an agent can do besides speaking.
type Tool interface {
	// Spec describes the tool. Its schema is also what arguments are validated against.
	Spec() agents.ToolSpec
	// Run does it, and returns soon after ctx has ended. An error is a result for
	// the model, in words that help it to go on.
	Run(ctx context.Context, tc Context, args json.RawMessage) (Output, error)
}

// Output is what a tool brings: text for the model, and one line for the user.
type Output struct {
	Text    string
	Summary string
}

// Question is what an agent wants to know of the user.
type Question struct {
	Query    string `json:"query"`
	Reason   string `json:"reason"`
	Priority string `json:"priority"`
	Refresh  bool   `json:"refresh"`
}

// Requester takes questions to the user. It returns at once, with what the
// agent is to read; no tool waits for a person.
type Requester interface {
	Request(ctx context.Context, turn agents.Turn, call string, q Question) (Output, error)
}

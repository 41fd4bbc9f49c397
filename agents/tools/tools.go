// Package tools has the tools that agents can call and the executor that runs them.
//
// It imports agents and internal/text, and knows neither sessions nor stores nor
// screens. What a tool needs from them comes through interfaces of this package, in a
// Context that the executor makes for every call. The caller's identity is an argument
// all the way; neither a tool nor a model can set it.
package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"roundtable/agents"
)

// Context is what a tool may know about its call. Only an Executor makes one. It is
// passed by value.
type Context struct {
	Turn      agents.Turn
	CallID    string    // see agents.Turn.ToolCall
	Workspace Workspace // of the calling agent; nil for tools that do not need one
	TempDir   string    // of the call alone; "" without a workspace
	Home      string    // of all calls of the agent; "" without a workspace
	Env       []string  // of programs that the tool starts; never the environment of this process
	Approver  Approver  // nil: no command is approved

	from Sources
}

// Work waits for a place among the calls that use a processor, and returns what gives it
// back. A tool takes it for milliseconds of work and never while it waits.
func (c Context) Work() (done func()) {
	if c.from.Work == nil {
		return func() {}
	}
	return c.from.Work()
}

// Foreign returns text that others wrote, such as a file or a server, marked as data for
// the model and cut to MaxResult. The label names its source.
func (c Context) Foreign(label, text string) string {
	const note = 1 << 10 // room for what a tool says of its own cut
	if text = capped(text, MaxResult+note); c.from.Fence == nil {
		return text
	}
	return c.from.Fence(label, text)
}

// Tool is a tool that agents can call.
type Tool struct {
	Spec agents.ToolSpec // arguments are validated against its schema
	// Run runs the tool. It returns soon after ctx is done. An error is a result for
	// the model, so it should help the model to continue. An output that comes with
	// an error is what the model gets in place of its words.
	Run func(ctx context.Context, tc Context, args json.RawMessage) (Output, error)

	Limit          time.Duration // of a call; 0: Timeout
	NeedsWorkspace bool          // it is offered only if there is a workspace, which its Context has
	Remote         bool          // a server validates the arguments
	Shared         bool          // it may change what other seats find by it
}

// WithArguments returns a Run that decodes the arguments.
func WithArguments[A any](
	run func(context.Context, Context, A) (Output, error),
) func(context.Context, Context, json.RawMessage) (Output, error) {
	return func(ctx context.Context, tc Context, raw json.RawMessage) (Output, error) {
		var args A
		if err := json.Unmarshal(raw, &args); err != nil {
			return Output{}, fmt.Errorf("read the arguments: %w", err)
		}
		return run(ctx, tc, args)
	}
}

// Output is the result of a tool: a text for the model and one line for the user.
type Output struct {
	Text    string
	Summary string
}

// Question is what an agent wants to know from the user.
type Question struct {
	Query    string `json:"query"`
	Reason   string `json:"reason"`
	Priority string `json:"priority"` // "" if the model left it out
	Refresh  bool   `json:"refresh"`
}

// Requester queues questions for the user. It returns at once with a text for
// the agent; the answer comes with a later round.
type Requester interface {
	Request(ctx context.Context, turn agents.Turn, call string, q Question) (Output, error)
}

// StatementReader returns the statements that the turn may see and that its prompt does not
// have in full, oldest first.
type StatementReader interface {
	Shortened(turn agents.Turn) []Statement
}

// Evidence is a file, a diff or a folder that the user brought to the debate.
type Evidence struct {
	ID   string // as it is cited, such as "F1"
	Name string
	Kind string
	Text string // lines end with \n
}

// EvidenceReader returns the evidence that the turn may see, in the order of ids.
type EvidenceReader interface {
	Evidence(turn agents.Turn) []Evidence
}

// RequestContext asks the user for a fact. The question is queued, and the answer
// comes with a later round.
func RequestContext() Tool {
	return Tool{Spec: agents.ToolSpec{
		Name: agents.RequestContextName,
		Description: "Ask the user for a fact that the debate needs and that neither you nor the other members can know, " +
			"such as a figure, a constraint or a decision of theirs. " +
			"It is queued: the answer comes with a later round, so go on with what you know. " +
			"One question a call; ask for facts, not for opinions.",
		Schema: json.RawMessage(`{"type":"object","properties":{` +
			`"query":{"type":"string","minLength":1,"maxLength":1000,` +
			`"description":"The question, complete in itself; or the id of an open question, to join it."},` +
			`"reason":{"type":"string","minLength":1,"maxLength":500,"description":"What depends on the answer."},` +
			`"priority":{"type":"string","enum":["required","optional"],` +
			`"description":"required, as without one: I cannot answer soundly without it; optional: it would help."},` +
			`"refresh":{"type":"boolean",` +
			`"description":"Ask again although the user has answered this; say in reason what has changed."}},` +
			`"required":["query","reason"]}`),
	}, Run: WithArguments(func(ctx context.Context, tc Context, q Question) (Output, error) {
		return tc.from.Requests.Request(ctx, tc.Turn, tc.CallID, q)
	})}
}

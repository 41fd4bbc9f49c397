package acp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	sdk "github.com/coder/acp-go-sdk"

	"roundtable/agents"
	"roundtable/internal/text"
)

// Limits of what is kept of a call of the agent's own, in bytes.
const (
	maxInput  = 16 << 10
	maxOutput = 64 << 10
	maxTitle  = 1000
	maxOwn    = 1000 // calls
)

// ownCalls are the calls of a turn that the agent told of.
type ownCalls struct {
	mu     sync.Mutex
	known  map[sdk.ToolCallId]*ownCall
	hidden map[string]int // calls of our tools, by name: we have a record of our own
}

// ownCall is what the agent told of a call.
type ownCall struct {
	kind      sdk.ToolKind
	title     string
	locations []sdk.ToolCallLocation
	input     any
	output    any
	content   []sdk.ToolCallContent
	status    sdk.ToolCallStatus
	began     time.Time
	ended     bool
}

// chunk returns an update as a chunk.
func (t *turn) chunk(u sdk.SessionUpdate) (agents.Chunk, error) {
	var c agents.Chunk
	switch {
	case u.AgentMessageChunk != nil:
		c.Text = sayings(u.AgentMessageChunk.Content)
		if id := u.AgentMessageChunk.MessageId; id != nil && c.Text != "" {
			if t.message != "" && t.message != *id {
				c.Text = "\n\n" + c.Text
			}
			t.message = *id
		}
	case u.AgentThoughtChunk != nil:
		c.Reasoning = sayings(u.AgentThoughtChunk.Content)
	case u.ToolCall != nil:
		n := u.ToolCall
		c.Own = t.observe(sdk.ToolCallUpdate{
			ToolCallId: n.ToolCallId, Kind: &n.Kind, Title: &n.Title, Status: &n.Status, Locations: n.Locations,
			RawInput: n.RawInput, RawOutput: n.RawOutput, Content: n.Content,
		})
	case u.ToolCallUpdate != nil:
		n := u.ToolCallUpdate
		c.Own = t.observe(sdk.ToolCallUpdate{
			ToolCallId: n.ToolCallId, Kind: n.Kind, Title: n.Title, Status: n.Status, Locations: n.Locations,
			RawInput: n.RawInput, RawOutput: n.RawOutput, Content: n.Content,
		})
	}
	if t.size += len(c.Text) + len(c.Reasoning); t.size > maxAnswer {
		return c, &agents.Failure{
			Kind: agents.KindLimit, Retryable: true,
			Cause: fmt.Sprintf("%s sent more than %d MB of text and was stopped.", t.agent.seat.provider.name, maxAnswer>>20),
		}
	}
	c.Alive = c.Text == "" && c.Reasoning == "" && c.Own == nil
	return c, nil
}

// sayings returns the words of a content.
func sayings(c sdk.ContentBlock) string {
	switch {
	case c.Text != nil:
		return c.Text.Text
	case c.ResourceLink != nil:
		return fmt.Sprintf("[%s](%s)", c.ResourceLink.Name, c.ResourceLink.Uri)
	case c.Image != nil:
		return "[an image: not passed on]"
	case c.Audio != nil:
		return "[a sound: not passed on]"
	}
	return ""
}

// observe adds news of a call to what is known of it. It returns what to record; nil if
// there is nothing yet.
func (t *turn) observe(n sdk.ToolCallUpdate) *agents.OwnCall {
	o := &t.calls
	o.mu.Lock()
	defer o.mu.Unlock()
	c := o.call(n)
	if c == nil || c.ended {
		return nil
	}
	c.ended = c.status == sdk.ToolCallStatusCompleted || c.status == sdk.ToolCallStatusFailed
	if tool := t.ours(c); tool != "" { // it is told at its end, unless our server has it
		if !c.ended || t.isRecorded(tool) {
			return nil
		}
	}
	if c.status != sdk.ToolCallStatusInProgress && !c.ended && c.input == nil {
		return nil // more is told before it runs
	}
	own := c.record(string(n.ToolCallId))
	return &own
}

// isRecorded reports whether our server has a record of a call of one of our tools that
// has ended. The lock is held.
func (t *turn) isRecorded(tool string) bool {
	if t.tools == nil || t.calls.hidden[tool] >= t.tools.count(tool) {
		return false
	}
	t.calls.hidden[tool]++
	return true
}

// call merges news into a call; nil if there are too many calls.
func (o *ownCalls) call(n sdk.ToolCallUpdate) *ownCall {
	c := o.known[n.ToolCallId]
	if c == nil {
		if len(o.known) >= maxOwn {
			return nil
		}
		if o.known == nil {
			o.known, o.hidden = map[sdk.ToolCallId]*ownCall{}, map[string]int{}
		}
		c = &ownCall{began: time.Now()}
		o.known[n.ToolCallId] = c
	}
	if n.Kind != nil && *n.Kind != "" {
		c.kind = *n.Kind
	}
	if n.Title != nil && *n.Title != "" {
		c.title = text.Head(*n.Title, maxTitle)
	}
	if n.Status != nil && *n.Status != "" {
		c.status = *n.Status
	}
	if len(n.Locations) > 0 {
		c.locations = n.Locations[:min(len(n.Locations), 20)]
	}
	if hasContent(n.RawInput) {
		c.input = n.RawInput
	}
	if n.RawOutput != nil {
		c.output = n.RawOutput
	}
	if len(n.Content) > 0 {
		c.content = n.Content
	}
	return c
}

// hasContent reports whether an input says anything.
func hasContent(input any) bool {
	if m, ok := input.(map[string]any); ok {
		return len(m) > 0
	}
	return input != nil
}

// kindOf returns the kind of a call, or other if the protocol does not know it.
func (c *ownCall) kindOf() sdk.ToolKind {
	switch c.kind {
	case sdk.ToolKindRead, sdk.ToolKindEdit, sdk.ToolKindDelete, sdk.ToolKindMove, sdk.ToolKindSearch, sdk.ToolKindExecute,
		sdk.ToolKindThink, sdk.ToolKindFetch, sdk.ToolKindSwitchMode:
		return c.kind
	default:
		return sdk.ToolKindOther
	}
}

// record returns the call as it is recorded. No tool of ours has a name of two words.
func (c *ownCall) record(id string) agents.OwnCall {
	own := agents.OwnCall{ID: id, Name: "own " + string(c.kindOf()), Args: c.args(), Done: c.ended}
	if !c.ended {
		return own
	}
	own.Took = time.Since(c.began)
	own.Result = agents.ToolResult{Status: agents.ToolOK, Text: c.result()}
	if c.status == sdk.ToolCallStatusFailed {
		own.Result.Status = agents.ToolError
	}
	own.Result.Summary = text.Clip(text.Line(text.Head(own.Result.Text, maxTitle)), 100)
	return own
}

// args returns title, locations and input as JSON.
func (c *ownCall) args() string {
	args := struct {
		Title     string   `json:"title,omitempty"`
		Locations []string `json:"locations,omitempty"`
		Input     any      `json:"input,omitempty"`
	}{Title: c.title, Input: c.input}
	for _, l := range c.locations {
		place := text.Head(l.Path, maxTitle)
		if l.Line != nil {
			place = fmt.Sprintf("%s:%d", place, *l.Line)
		}
		args.Locations = append(args.Locations, place)
	}
	raw := encoded(args)
	if len(raw) > maxInput {
		args.Input = fmt.Sprintf("[%d bytes: not kept]", len(raw))
		raw = encoded(args)
	}
	return raw
}

// encoded returns a value as JSON as it is read by people.
func encoded(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil { // it was JSON before
		return "{}"
	}
	return strings.TrimSpace(b.String())
}

// result returns what came of the call.
func (c *ownCall) result() string {
	var parts []string
	for _, part := range c.content {
		switch {
		case part.Content != nil:
			parts = append(parts, sayings(part.Content.Content))
		case part.Diff != nil:
			parts = append(parts, fmt.Sprintf("[a change of %s]", part.Diff.Path))
		}
	}
	out := strings.Join(parts, "\n")
	if words, ok := c.output.(string); out == "" && ok {
		out = words
	} else if out == "" && c.output != nil {
		out = encoded(c.output)
	}
	if len(out) > maxOutput {
		out = fmt.Sprintf("%s\n[Cut here: %d bytes in all.]", strings.ToValidUTF8(out[:maxOutput], ""), len(out))
	}
	return out
}

// ours returns the name of the tool if a call is one of our tools, which the agent calls
// through our server; "" otherwise. What the title may say without being another tool is
// known exactly, since a model can choose the titles of other kinds of calls.
func (t *turn) ours(c *ownCall) string {
	if t.kit == nil || c.kindOf() != sdk.ToolKindOther {
		return ""
	}
	for _, spec := range t.kit.Specs() {
		for _, form := range []string{
			"%[1]s_%[2]s", "%[1]s.%[2]s", "%[1]s/%[2]s", "%[1]s__%[2]s", "mcp__%[1]s__%[2]s", "mcp_%[1]s_%[2]s", "mcp.%[1]s.%[2]s",
			"Tool: %[1]s/%[2]s", "Tool: %[1]s.%[2]s", "%[2]s (%[1]s MCP Server)",
		} {
			if c.title == fmt.Sprintf(form, serverName, spec.Name) {
				return spec.Name
			}
		}
	}
	return ""
}

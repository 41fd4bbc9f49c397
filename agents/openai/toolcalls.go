package openai

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	goopenai "github.com/sashabaranov/go-openai"

	"roundtable/agents"
)

const (
	// elementSize is what a tool call, or an element of reasoning_details, counts
	// against the limit of an answer beside its text, so that empty ones are
	// bounded too.
	elementSize = 2 << 10
	// maxCompleteCheck bounds how large arguments may be for the O(n) check
	// whether they are complete JSON, which is made for every piece of them.
	maxCompleteCheck = 64 << 10
)

// toolCalls assembles tool calls from their deltas.
type toolCalls struct {
	list []*toolCall
	last *toolCall // the one that the latest delta belonged to
}

// toolCall is a call as far as it has come.
type toolCall struct {
	index *int // nil: the server does not number its calls
	id    string
	name  string
	args  []byte
	whole bool // the arguments came as JSON, not as text
	echo  echo
	event int // the event that touched it last
}

// add takes in the deltas of one event and returns how much they count against
// the limit of an answer.
func (c *toolCalls) add(event int, deltas []toolCallDelta) (size int) {
	for _, d := range deltas {
		if d.ID == "" && d.Function == (goopenai.FunctionCall{}) && d.Index == nil {
			continue
		}
		known := len(c.list)
		c.last = c.find(event, d)
		c.last.event = event
		size += c.last.add(d) + elementSize*(len(c.list)-known)
	}
	return size
}

// find returns the call that a delta belongs to: the one with its id, else the
// one with its index, else the last. A new id begins a new call, and so does a
// name that comes when the arguments so far are complete.
func (c *toolCalls) find(event int, d toolCallDelta) *toolCall {
	candidate := c.candidate(d)
	if candidate == nil || candidate.endsBefore(event, d) {
		candidate = &toolCall{index: d.Index, id: d.ID}
		c.list = append(c.list, candidate)
	}
	return candidate
}

func (c *toolCalls) candidate(d toolCallDelta) *toolCall {
	for i := len(c.list) - 1; i >= 0; i-- {
		k := c.list[i]
		sameIndex := d.Index != nil && k.index != nil && *d.Index == *k.index
		switch {
		case d.ID != "" && k.id != "":
			if d.ID == k.id && (sameIndex || d.Index == nil || k.index == nil) {
				return k
			}
		case d.Index != nil:
			if sameIndex {
				return k
			}
		case d.ID == "" && k == c.last:
			return k
		}
	}
	return nil
}

// endsBefore reports whether a delta that could continue the call begins
// another one instead.
func (k *toolCall) endsBefore(event int, d toolCallDelta) bool {
	if d.Function.Name == "" || k.name == "" {
		return false
	}
	if d.ID != "" && k.id == "" { // a call's id comes with its first delta
		return true
	}
	if d.ID == "" && d.Index == nil && (k.event == event || d.Function.Name != k.name) {
		return true
	}
	return strings.TrimSpace(d.Function.Arguments) != "" && len(k.args) <= maxCompleteCheck && isObject(k.args)
}

// add takes in a delta of the call and returns its size.
func (k *toolCall) add(d toolCallDelta) (size int) {
	if k.id == "" {
		k.id = d.ID
	}
	k.addName(strings.TrimSpace(d.Function.Name))
	switch {
	case d.WholeArguments:
		k.args, k.whole = []byte(d.Function.Arguments), true
	case !k.whole:
		k.args = append(k.args, d.Function.Arguments...)
	}
	return len(d.ID) + len(d.Function.Name) + len(d.Function.Arguments) + k.echo.add(d.Echo)
}

// addName joins the pieces of a name. Some servers send the whole name with
// every delta.
func (k *toolCall) addName(name string) {
	switch {
	case name == "" || name == k.name:
	case strings.HasPrefix(name, k.name):
		k.name = name
	case len(k.args) == 0:
		k.name += name
	}
}

// finish returns the calls. An id that is missing or taken is replaced, since
// ids tell calls apart within a turn. Of an answer that was cut, only the
// complete calls are returned.
func (c *toolCalls) finish(taken map[string]bool, cut bool) []agents.ToolCall {
	var out []agents.ToolCall
	next := len(taken)
	for _, k := range c.list {
		if cut && !isObject(k.args) {
			continue
		}
		id := k.id
		for id == "" || taken[id] {
			next++
			id = fmt.Sprintf("call%05d", next) // nine letters and digits: the only form that all servers take
		}
		taken[id] = true
		args := string(bytes.TrimSpace(k.args))
		if args == "" {
			args = "{}"
		}
		out = append(out, agents.ToolCall{ID: id, Name: k.name, Args: args, Extra: k.echo.json()})
	}
	return out
}

// takenIDs returns the ids of the calls that a conversation already has.
func takenIDs(messages []agents.Message) map[string]bool {
	taken := map[string]bool{}
	for _, m := range messages {
		for _, c := range m.Calls {
			taken[c.ID] = true
		}
	}
	return taken
}

// isObject reports whether b is one JSON object.
func isObject(b []byte) bool {
	b = bytes.TrimSpace(b)
	return len(b) > 0 && b[0] == '{' && b[len(b)-1] == '}' && json.Valid(b)
}

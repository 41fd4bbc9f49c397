package openai

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"roundtable/agents"
)


const (
	// partSize is what a call, or a piece of reasoning, counts against the limit
	// of an answer beside its text, so that empty ones are bounded too.
	partSize = 2 << 10
	// smallArgs is up to where arguments are asked whether they are whole;
	// asking a long text at each piece of it takes square time.
	smallArgs = 64 << 10
)

// calls puts tool calls together from their fragments.
type calls struct {
	list []*call
	last *call // the one that the latest fragment belonged to
}

type call struct {
	index count
	id    string
	name  string
	args  []byte
	whole bool // the arguments came as JSON, not as text
	extra extra
	round int // the delta that touched it last
}

// add takes the fragments of one delta in and returns their size.
func (c *calls) add(round int, fs fragments) (size int) {
	for _, f := range fs {
		if f.ID == "" && f.Function == (function{}) && !f.Index.given {
			continue
		}
		known := len(c.list)
		c.last = c.find(round, f)
		c.last.round = round
		c.last.take(f)
		size += partSize*(len(c.list)-known) + len(f.ID) + len(f.Function.Name) + len(f.Function.Arguments.text) +
			len(f.ExtraContent) + len(f.ThoughtSignature)
	}
	return size
}

// find returns the call a fragment belongs to: the one with its id, else the
// one with its index, else the last. A new id is a new call, and so is a name
// that comes when the call so far is whole.
func (c *calls) find(round int, f fragment) *call {
	candidate := c.candidate(f)
	if candidate == nil || candidate.startsAnew(round, f) {
		candidate = &call{index: f.Index, id: string(f.ID)}
		c.list = append(c.list, candidate)
	}
	return candidate
}

func (c *calls) candidate(f fragment) *call {
	for i := len(c.list) - 1; i >= 0; i-- {
		k := c.list[i]
		sameIndex := f.Index == k.index
		switch {
		case f.ID != "" && k.id != "":
			if string(f.ID) == k.id && (sameIndex || !f.Index.given || !k.index.given) {
				return k
			}
		case f.Index.given:
			if sameIndex {
				return k
			}
		case f.ID == "" && k == c.last:
			return k
		}
	}
	return nil
}

// startsAnew says whether a fragment that could go on with the call begins
// another one instead.
func (k *call) startsAnew(round int, f fragment) bool {
	if f.Function.Name == "" || k.name == "" {
		return false
	}
	if f.ID != "" && k.id == "" { // the id of a call comes with its first fragment
		return true
	}
	if f.ID == "" && !f.Index.given && (k.round == round || string(f.Function.Name) != k.name) {
		return true
	}
	return strings.TrimSpace(f.Function.Arguments.text) != "" && len(k.args) <= smallArgs && isObject(k.args)
}

func (k *call) take(f fragment) {
	if k.id == "" {
		k.id = string(f.ID)
	}
	k.takeName(strings.TrimSpace(string(f.Function.Name)))
	switch a := f.Function.Arguments; {
	case a.whole:
		k.args, k.whole = []byte(a.text), true
	case !k.whole:
		k.args = append(k.args, a.text...)
	}
	k.extra.set(fieldContent, f.ExtraContent)
	k.extra.set(fieldSignature, f.ThoughtSignature)
}

// takeName joins the pieces of a name. Some servers send the whole name with
// every fragment.
func (k *call) takeName(name string) {
	switch {
	case name == "" || name == k.name:
	case strings.HasPrefix(name, k.name):
		k.name = name
	case len(k.args) == 0:
		k.name += name
	}
}

// done returns the calls. Ids that are missing or taken are replaced: they
// must tell calls apart within a turn. A cut answer keeps its whole calls.
func (c *calls) done(taken map[string]bool, cut bool) []agents.ToolCall {
	var out []agents.ToolCall
	next := len(taken)
	for _, k := range c.list {
		if cut && !isObject(k.args) {
			continue
		}
		id := k.id
		for id == "" || taken[id] {
			next++
			id = fmt.Sprintf("call%05d", next) // nine letters and digits: the one form that all servers take
		}
		taken[id] = true
		args := string(bytes.TrimSpace(k.args))
		if args == "" {
			args = "{}"
		}
		out = append(out, agents.ToolCall{ID: id, Name: k.name, Args: args, Extra: k.extra.json()})
	}
	return out
}

// takenIDs returns the ids of the calls that a conversation holds already.
func takenIDs(messages []agents.Message) map[string]bool {
	taken := map[string]bool{}
	for _, m := range messages {
		for _, c := range m.Calls {
			taken[c.ID] = true
		}
	}
	return taken
}

func isObject(b []byte) bool {
	b = bytes.TrimSpace(b)
	return len(b) > 0 && b[0] == '{' && b[len(b)-1] == '}' && json.Valid(b)
}

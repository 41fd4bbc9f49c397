package openai

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
)


// patched says, a phrase each, what of a request is sent otherwise than it says:
// it follows patch, and is kept with the request so that a user can read it.
func patched(req agents.Request, q Quirks, h habits) []string {
	out := []string{}
	stream := !h.Whole || len(req.Tools) == 0
	switch {
	case !stream:
		out = append(out, "sent without stream, since this model takes no tools with one")
	case q.NoStreamOptions || slices.Contains(h.Without, paramStreamOptions):
		out = append(out, "stream added")
	default:
		out = append(out, "stream and "+paramStreamOptions+" added")
	}
	if limit := limitName(q, h); req.MaxTokens > 0 && limit != paramMaxTokens && !slices.Contains(h.Without, limit) {
		out = append(out, paramMaxTokens+" sent as "+limit)
	}
	for _, name := range h.Without {
		if name != paramStreamOptions {
			out = append(out, name+" left out")
		}
	}
	for _, m := range req.Messages {
		out = append(out, handedBack(m.Extra, "a message")...)
		for _, c := range m.Calls {
			if !isObject([]byte(c.Args)) {
				out = append(out, "arguments of call "+c.ID+" replaced by {}, since they are no JSON object")
			}
			out = append(out, handedBack(c.Extra, "call "+c.ID)...)
		}
	}
	return out
}

// handedBack names the fields that a provider gets back as it sent them.
func handedBack(extra json.RawMessage, with string) []string {
	var fields object
	if len(extra) == 0 || json.Unmarshal(extra, &fields) != nil {
		return nil
	}
	var names []string
	for _, name := range echoed {
		if fields[name] != nil {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s given back with %s", strings.Join(names, ", "), with)}
}

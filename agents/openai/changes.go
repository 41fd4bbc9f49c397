package openai

import (
	"fmt"
	"strings"

	"roundtable/agents"
)

// changes returns, a phrase each, what is sent differently from what a request
// says. It follows newRequest, and is stored with the request for the user to
// read.
func changes(req agents.Request, q Quirks) []string {
	var out []string
	switch {
	case q.Unstreamed:
		out = append(out, "sent without streaming, since the server refuses it for this model")
	case !q.streams(req):
		out = append(out, "sent without streaming, since this model does not support tools while streaming")
	case q.omits(paramStreamOptions):
		out = append(out, "stream added")
	default:
		out = append(out, "stream and "+paramStreamOptions+" added")
	}
	if q.NoSystem {
		out = append(out, "system message sent at the beginning of the user's first message")
	}
	if limit := q.limitName(); req.MaxTokens > 0 && limit != paramMaxTokens && !q.omits(limit) {
		out = append(out, paramMaxTokens+" sent as "+limit)
	}
	for _, name := range q.Omit {
		switch {
		case name == paramStreamOptions:
		case name != paramToolChoice:
			out = append(out, name+" omitted")
		case req.ToolChoice != "":
			out = append(out, "tools and "+name+" omitted")
		}
	}
	for _, m := range req.Messages {
		out = appendEchoed(out, m.Extra, "a message")
		for _, c := range m.Calls {
			if !isObject([]byte(c.Args)) {
				out = append(out, "arguments of call "+c.ID+" replaced by {}, since they are not a JSON object")
			}
			out = appendEchoed(out, c.Extra, "call "+c.ID)
		}
	}
	return out
}

// appendEchoed names the fields that the provider gets back as it sent them.
func appendEchoed(out []string, extra []byte, with string) []string {
	if names := readEcho(extra).names(); names != nil {
		out = append(out, fmt.Sprintf("%s returned with %s", strings.Join(names, ", "), with))
	}
	return out
}

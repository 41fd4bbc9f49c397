package openai

import (
	"encoding/json"
	"strings"
)

// echoFields are the fields that a provider wants back with a message or a tool
// call: Gemini's signatures, DeepSeek's and Kimi's reasoning, and OpenRouter's.
// They are stored as an Extra; nothing else of an Extra reaches a request. They
// are in alphabetical order, so that an Extra is the same bytes every time.
type echoFields struct {
	ExtraContent     json.RawMessage `json:"extra_content,omitempty"`
	ReasoningContent json.RawMessage `json:"reasoning_content,omitempty"`
	ReasoningDetails json.RawMessage `json:"reasoning_details,omitempty"`
	ThoughtSignature json.RawMessage `json:"thought_signature,omitempty"`
}

// readEcho returns the fields that an Extra holds.
func readEcho(extra json.RawMessage) echoFields {
	var e echoFields
	if len(extra) == 0 || json.Unmarshal(extra, &e) != nil {
		return echoFields{}
	}
	return e
}

// names returns the names of the fields that are set.
func (e echoFields) names() []string {
	var names []string
	for _, f := range []struct {
		name  string
		value json.RawMessage
	}{
		{"reasoning_details", e.ReasoningDetails},
		{"reasoning_content", e.ReasoningContent},
		{"extra_content", e.ExtraContent},
		{"thought_signature", e.ThoughtSignature},
	} {
		if f.value != nil {
			names = append(names, f.name)
		}
	}
	return names
}

// echo gathers the fields of one message or tool call from its chunks.
type echo struct {
	fields  echoFields
	details []reasoningDetail
}

// reasoningDetail is an element of OpenRouter's reasoning_details. Its text or
// summary arrives in pieces that must go back as one.
type reasoningDetail struct {
	fields map[string]json.RawMessage
	pieces map[string]*strings.Builder // of text and summary
}

// add takes in the fields of a chunk and returns how much they count against
// the limit of an answer. The latest value of a field wins.
func (e *echo) add(from echoFields) (size int) {
	if present(from.ExtraContent) {
		e.fields.ExtraContent = from.ExtraContent
	}
	if present(from.ThoughtSignature) {
		e.fields.ThoughtSignature = from.ThoughtSignature
	}
	return len(from.ExtraContent) + len(from.ThoughtSignature) + e.addDetails(from.ReasoningDetails)
}

func (e *echo) addDetails(raw json.RawMessage) (size int) {
	if !present(raw) {
		return 0
	}
	var details []map[string]json.RawMessage
	if json.Unmarshal(raw, &details) != nil {
		return 0
	}
	before := len(e.details)
	for _, fields := range details {
		if n := len(e.details); n == 0 || !e.details[n-1].continuedBy(fields) {
			e.details = append(e.details, reasoningDetail{map[string]json.RawMessage{}, map[string]*strings.Builder{}})
		}
		e.details[len(e.details)-1].add(fields)
	}
	return len(raw) + elementSize*(len(e.details)-before)
}

func (d reasoningDetail) continuedBy(fields map[string]json.RawMessage) bool {
	kind := string(fields["type"])
	return (kind == `"reasoning.text"` || kind == `"reasoning.summary"`) &&
		kind == string(d.fields["type"]) && string(fields["index"]) == string(d.fields["index"])
}

func (d reasoningDetail) add(fields map[string]json.RawMessage) {
	for name, value := range fields { // the order does not matter
		switch {
		case (name == "text" || name == "summary") && value[0] == '"':
			if d.pieces[name] == nil {
				d.pieces[name] = &strings.Builder{}
			}
			d.pieces[name].WriteString(unquote(value))
		case present(value) || d.fields[name] == nil:
			d.fields[name] = value
		}
	}
}

// json returns the fields as an Extra, or nil if there are none.
func (e *echo) json() json.RawMessage {
	if len(e.details) > 0 {
		list := make([]map[string]json.RawMessage, len(e.details))
		for i, d := range e.details {
			for name, text := range d.pieces {
				d.fields[name] = encode(text.String())
			}
			list[i] = d.fields
		}
		e.fields.ReasoningDetails = encode(list)
	}
	if e.fields.names() == nil {
		return nil
	}
	return encode(e.fields)
}

// encode returns v as JSON. It is given strings and JSON that was decoded
// before, which always encode.
func encode(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return b
}

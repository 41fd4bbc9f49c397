package openai

import (
	"encoding/json"
	"strings"
)

// echoed are the fields that are sent back with a message or a call:
// OpenRouter's reasoning, DeepSeek's and Kimi's, and Gemini's signatures.
// Nothing else that is stored as an Extra reaches a request.
var echoed = []string{fieldDetails, fieldThought, fieldContent, fieldSignature}

const (
	fieldDetails   = "reasoning_details"
	fieldThought   = "reasoning_content"
	fieldContent   = "extra_content"
	fieldSignature = "thought_signature"
)

// extra gathers what a provider wants back with a message or a call.
type extra struct {
	fields  map[string]json.RawMessage
	details []detail
}

// detail is a piece of reasoning. Its text or summary arrives in parts that
// must go back as one.
type detail struct {
	fields map[string]json.RawMessage
	parts  map[string]*strings.Builder // text and summary
}

// set keeps the latest value of a field.
func (e *extra) set(name string, raw json.RawMessage) {
	if !given(raw) && name != fieldThought {
		return
	}
	if e.fields == nil {
		e.fields = map[string]json.RawMessage{}
	}
	e.fields[name] = raw
}

// reason takes a list of pieces of reasoning in and returns what they weigh.
func (e *extra) reason(raw json.RawMessage) (size int) {
	if !given(raw) {
		return 0
	}
	var pieces []map[string]json.RawMessage
	if json.Unmarshal(raw, &pieces) != nil {
		return 0
	}
	before := len(e.details)
	for _, fields := range pieces {
		if n := len(e.details); n == 0 || !e.details[n-1].goesOn(fields) {
			e.details = append(e.details, detail{map[string]json.RawMessage{}, map[string]*strings.Builder{}})
		}
		e.details[len(e.details)-1].take(fields)
	}
	return len(raw) + partSize*(len(e.details)-before)
}

func (d detail) goesOn(fields map[string]json.RawMessage) bool {
	kind := string(fields["type"])
	return (kind == `"reasoning.text"` || kind == `"reasoning.summary"`) &&
		kind == string(d.fields["type"]) && string(fields["index"]) == string(d.fields["index"])
}

func (d detail) take(fields map[string]json.RawMessage) {
	for name, value := range fields { // the order does not matter
		switch {
		case (name == "text" || name == "summary") && value[0] == '"':
			if d.parts[name] == nil {
				d.parts[name] = &strings.Builder{}
			}
			d.parts[name].WriteString(unquote(value))
		case given(value) || d.fields[name] == nil:
			d.fields[name] = value
		}
	}
}

// json returns the fields as one object, or nil when there are none.
func (e *extra) json() json.RawMessage {
	for _, d := range e.details {
		for name, part := range d.parts {
			d.fields[name] = quote(part.String())
		}
	}
	if len(e.details) > 0 {
		list := make([]map[string]json.RawMessage, len(e.details))
		for i, d := range e.details {
			list[i] = d.fields
		}
		if b, err := json.Marshal(list); err == nil { // nothing came in that was not JSON
			e.set(fieldDetails, b)
		}
	}
	if len(e.fields) == 0 {
		return nil
	}
	b, err := json.Marshal(e.fields)
	if err != nil { // as above
		return nil
	}
	return b
}

// quote returns s as a JSON string.
func quote(s string) json.RawMessage {
	b, err := json.Marshal(s)
	if err != nil { // a string always has a form
		return json.RawMessage(`""`)
	}
	return b
}

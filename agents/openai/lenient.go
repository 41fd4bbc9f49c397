package openai

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// lenientString is a JSON value that should be a string. A number or a boolean is
// taken as it is written; null, a list and an object are empty.
type lenientString string

// UnmarshalJSON never fails on valid JSON.
func (t *lenientString) UnmarshalJSON(b []byte) error {
	switch b[0] {
	case '"':
		*t = lenientString(unquote(b))
	case 'n', '[', '{':
		*t = ""
	default:
		*t = lenientString(b)
	}
	return nil
}

// unquote returns the value of a valid JSON string.
func unquote(b []byte) string {
	plain := b[1 : len(b)-1]
	if bytes.IndexByte(plain, '\\') < 0 && utf8.Valid(plain) {
		return string(plain)
	}
	var s string
	if json.Unmarshal(b, &s) != nil {
		return ""
	}
	return s
}

// lenientContent is the content of a message: a string, or a list of parts, some
// of which may be reasoning.
type lenientContent struct{ text, thought string }

// UnmarshalJSON never fails on valid JSON.
func (c *lenientContent) UnmarshalJSON(b []byte) error {
	*c = lenientContent{}
	switch b[0] {
	case '[':
		c.parts(b)
	default:
		var t lenientString
		if err := t.UnmarshalJSON(b); err != nil {
			return err
		}
		c.text = string(t)
	}
	return nil
}

func (c *lenientContent) parts(b []byte) {
	var parts []json.RawMessage
	if json.Unmarshal(b, &parts) != nil {
		return
	}
	for _, raw := range parts {
		if raw[0] == '"' {
			c.text += unquote(raw)
			continue
		}
		var part struct {
			Text     lenientString  `json:"text"`
			Refusal  lenientString  `json:"refusal"`
			Thinking lenientContent `json:"thinking"`
		}
		if json.Unmarshal(raw, &part) != nil {
			continue
		}
		c.text += string(part.Text)
		c.thought += part.Thinking.text
	}
}

// lenientCount is a JSON value that should be a number of things.
type lenientCount struct {
	n     int
	valid bool
}

// UnmarshalJSON takes integers, floats and strings of them; anything else is not
// valid. It never fails on valid JSON.
func (c *lenientCount) UnmarshalJSON(b []byte) error {
	f, err := strconv.ParseFloat(strings.Trim(string(b), `" `), 64)
	*c = lenientCount{}
	if err == nil && f >= 0 && f < 1e12 { // NaN fails both
		*c = lenientCount{int(math.Round(f)), true}
	}
	return nil
}

// lenientObject is a JSON value that should be an object. Anything else is an empty one.
type lenientObject[T any] struct{ of T }

// UnmarshalJSON never fails on valid JSON.
func (o *lenientObject[T]) UnmarshalJSON(b []byte) error {
	_ = json.Unmarshal(b, &o.of) // what is not an object says nothing
	return nil
}

// lenientArguments is a piece of the text of a call's arguments, or all of them if
// a server sends the JSON itself.
type lenientArguments struct {
	text  string
	whole bool
}

// UnmarshalJSON never fails on valid JSON.
func (a *lenientArguments) UnmarshalJSON(b []byte) error {
	*a = lenientArguments{}
	switch b[0] {
	case '"':
		a.text = unquote(b)
	case 'n':
	default:
		*a = lenientArguments{string(b), true}
	}
	return nil
}

// present reports whether a field has a value other than zero.
func present(raw json.RawMessage) bool {
	switch string(bytes.TrimSpace(raw)) {
	case "", "null", `""`, "{}", "[]", "false", "0":
		return false
	}
	return true
}

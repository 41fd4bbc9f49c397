package openai

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// text is a JSON value that should be a string. A number or a truth value is
// taken as it is written; null and what has parts are empty.
type text string

// UnmarshalJSON never fails on valid JSON.
func (t *text) UnmarshalJSON(b []byte) error {
	switch b[0] {
	case '"':
		*t = text(unquote(b))
	case 'n', '[', '{':
		*t = ""
	default:
		*t = text(b)
	}
	return nil
}

// unquote returns the value of a JSON string that is known to be valid.
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

// content is the content of a message: a string, or parts, of which some may
// be thoughts.
type content struct{ text, thought string }

// UnmarshalJSON never fails on valid JSON.
func (c *content) UnmarshalJSON(b []byte) error {
	*c = content{}
	switch b[0] {
	case '[':
		c.parts(b)
	default:
		var t text
		if err := t.UnmarshalJSON(b); err != nil {
			return err
		}
		c.text = string(t)
	}
	return nil
}

func (c *content) parts(b []byte) {
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
			Text     text    `json:"text"`
			Refusal  text    `json:"refusal"`
			Thinking content `json:"thinking"`
		}
		if json.Unmarshal(raw, &part) != nil {
			continue
		}
		c.text += string(part.Text)
		c.thought += part.Thinking.text
	}
}

// count is a JSON value that should be a number of things.
type count struct {
	n     int
	given bool
}

// UnmarshalJSON takes integers, floats and strings of them; all else is not
// given. It never fails on valid JSON.
func (c *count) UnmarshalJSON(b []byte) error {
	f, err := strconv.ParseFloat(strings.Trim(string(b), `" `), 64)
	*c = count{}
	if err == nil && f >= 0 && f < 1e12 { // NaN fails both
		*c = count{int(math.Round(f)), true}
	}
	return nil
}

// arguments is what a fragment of a call says of its arguments: a piece of
// text, or the whole of them where a server sends JSON itself.
type arguments struct {
	text  string
	whole bool
}

// UnmarshalJSON never fails on valid JSON.
func (a *arguments) UnmarshalJSON(b []byte) error {
	*a = arguments{}
	switch b[0] {
	case '"':
		a.text = unquote(b)
	case 'n':
	default:
		*a = arguments{string(b), true}
	}
	return nil
}

// given says whether a raw field holds anything.
func given(raw json.RawMessage) bool {
	switch string(bytes.TrimSpace(raw)) {
	case "", "null", `""`, "{}", "[]", "false", "0":
		return false
	}
	return true
}

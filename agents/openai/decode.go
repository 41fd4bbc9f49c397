package openai

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"roundtable/agents"
)

// rawChunk is the JSON of a chunk. Every field that servers disagree about has a
// type that takes all forms of it.
type rawChunk struct {
	Choices []rawChoice     `json:"choices"`
	Usage   json.RawMessage `json:"usage"`
	Error   json.RawMessage `json:"error"`
	Type    lenientString   `json:"type"`
	Object  lenientString   `json:"object"`
	Message lenientString   `json:"message"`
	Detail  json.RawMessage `json:"detail"`
}

type rawChoice struct {
	Index   lenientCount  `json:"index"`
	Delta   *rawDelta     `json:"delta"`
	Message *rawDelta     `json:"message"` // of an answer that is not streamed
	Finish  lenientString `json:"finish_reason"`
}

type rawDelta struct {
	Content          lenientContent `json:"content"`
	Reasoning        lenientString  `json:"reasoning"`
	ReasoningContent *lenientString `json:"reasoning_content"`
	Refusal          lenientString  `json:"refusal"`
	ToolCalls        rawToolCalls   `json:"tool_calls"`
	echoFields
}

type rawToolCall struct {
	Index    lenientCount  `json:"index"`
	ID       lenientString `json:"id"`
	Function rawFunction   `json:"function"`
	echoFields
}

type rawFunction struct {
	Name      lenientString    `json:"name"`
	Arguments lenientArguments `json:"arguments"`
}

type rawToolCalls []rawToolCall

// UnmarshalJSON takes a list or an object.
func (c *rawToolCalls) UnmarshalJSON(b []byte) error {
	switch b[0] {
	case '[':
		return json.Unmarshal(b, (*[]rawToolCall)(c))
	case '{':
		*c = make([]rawToolCall, 1)
		return json.Unmarshal(b, &(*c)[0])
	}
	*c = nil
	return nil
}

func (r *rawChunk) isError() bool {
	switch {
	case present(r.Error), r.Type == "error", r.Object == "error":
		return true
	case r.Choices != nil:
		return false
	}
	return len(r.Error) > 0 && string(r.Error) != "null" || r.Message != "" || present(r.Detail)
}

// delta returns what the choice adds. All reasoning to be shown is in Reasoning.
func (r *rawChoice) delta() rawDelta {
	var d rawDelta
	if from := cmp.Or(r.Delta, r.Message); from != nil {
		d = *from
	}
	if d.ReasoningContent != nil && *d.ReasoningContent != "" { // a server that uses both names sends the same under both
		d.Reasoning = *d.ReasoningContent
	}
	d.Reasoning += lenientString(d.Content.thought)
	return d
}

// decodeUsage returns the count of tokens, in either of its two spellings, or nil if the
// server counted nothing.
func decodeUsage(raw json.RawMessage) *agents.Usage {
	if !present(raw) {
		return nil
	}
	var u struct {
		Prompt     lenientCount `json:"prompt_tokens"`
		Completion lenientCount `json:"completion_tokens"`
		Input      lenientCount `json:"input_tokens"`
		Output     lenientCount `json:"output_tokens"`
		Total      lenientCount `json:"total_tokens"`
		Details    struct {
			Reasoning lenientCount `json:"reasoning_tokens"`
		} `json:"completion_tokens_details"`
		PromptDetails struct {
			Cached lenientCount `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
		CacheHit  lenientCount `json:"prompt_cache_hit_tokens"` // DeepSeek's name
		CacheRead lenientCount `json:"cache_read_input_tokens"` // Anthropic's, who leave them out of input_tokens
	}
	if json.Unmarshal(raw, &u) != nil {
		return nil
	}
	out := agents.Usage{
		Input: max(u.Prompt.n, u.Input.n), Output: max(u.Completion.n, u.Output.n),
		Cached: max(u.PromptDetails.Cached.n, u.CacheHit.n, u.CacheRead.n),
	}
	if out.Input+out.Output == 0 {
		return nil
	}
	if out.Cached > out.Input { // the server leaves them out of its count
		out.Input += out.Cached
	}
	out.Output = max(out.Output, u.Total.n-out.Input) // xAI leaves reasoning out of completion_tokens
	out.Reasoning = min(u.Details.Reasoning.n, out.Output)
	return &out
}

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
	if b[0] != '[' {
		return (*lenientString)(&c.text).UnmarshalJSON(b)
	}
	var parts []json.RawMessage
	_ = json.Unmarshal(b, &parts) // it is a list
	for _, raw := range parts {
		var part struct {
			Text     lenientString  `json:"text"`
			Thinking lenientContent `json:"thinking"`
		}
		if raw[0] == '"' {
			part.Text = lenientString(unquote(raw))
		} else if json.Unmarshal(raw, &part) != nil {
			continue
		}
		c.text += string(part.Text)
		c.thought += part.Thinking.text
	}
	return nil
}

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

package openai

import "encoding/json"

// chunk is one event of a stream, or a whole answer. What servers disagree
// about has a type that takes every form of it.
type chunk struct {
	Choices []choice        `json:"choices"`
	Usage   json.RawMessage `json:"usage"`
	Error   json.RawMessage `json:"error"`
	Type    text            `json:"type"`
	Object  text            `json:"object"`
	Message text            `json:"message"`
	Detail  json.RawMessage `json:"detail"`
}

type choice struct {
	Index   count  `json:"index"`
	Delta   *delta `json:"delta"`
	Message *delta `json:"message"`
	Finish  text   `json:"finish_reason"`
	Text    text   `json:"text"`
}

type delta struct {
	Content          content         `json:"content"`
	Reasoning        text            `json:"reasoning"`
	ReasoningContent *text           `json:"reasoning_content"`
	ReasoningDetails json.RawMessage `json:"reasoning_details"`
	Refusal          text            `json:"refusal"`
	Calls            fragments       `json:"tool_calls"`
	FunctionCall     *function       `json:"function_call"`
	ExtraContent     json.RawMessage `json:"extra_content"`
	ThoughtSignature json.RawMessage `json:"thought_signature"`
}

// fragment is a piece of a tool call.
type fragment struct {
	Index            count           `json:"index"`
	ID               text            `json:"id"`
	Function         function        `json:"function"`
	ExtraContent     json.RawMessage `json:"extra_content"`
	ThoughtSignature json.RawMessage `json:"thought_signature"`
}

type function struct {
	Name      text      `json:"name"`
	Arguments arguments `json:"arguments"`
}

// fragments is a list of fragments, or a single one.
type fragments []fragment

// UnmarshalJSON takes a list or an object.
func (f *fragments) UnmarshalJSON(b []byte) error {
	switch b[0] {
	case '[':
		return json.Unmarshal(b, (*[]fragment)(f))
	case '{':
		*f = make([]fragment, 1)
		return json.Unmarshal(b, &(*f)[0])
	}
	*f = nil
	return nil
}

// usage is the count of tokens in its two spellings.
type usage struct {
	Prompt     count `json:"prompt_tokens"`
	Completion count `json:"completion_tokens"`
	Input      count `json:"input_tokens"`
	Output     count `json:"output_tokens"`
	Details    struct {
		Reasoning count `json:"reasoning_tokens"`
	} `json:"completion_tokens_details"`
}

// isError says whether an event is an error, in any of the forms in use.
func (c *chunk) isError() bool {
	switch {
	case given(c.Error), c.Type == "error", c.Object == "error":
		return true
	case c.Choices != nil:
		return false
	}
	return len(c.Error) > 0 && string(c.Error) != "null" || c.Message != "" || given(c.Detail)
}

// first returns the choice we asked for; servers may send others.
func (c *chunk) first() *choice {
	for i := range c.Choices {
		if c.Choices[i].Index.n == 0 {
			return &c.Choices[i]
		}
	}
	return nil
}

// delta returns what the choice adds, in whichever field it stands.
func (c *choice) delta() delta {
	d := delta{}
	switch {
	case c.Delta != nil:
		d = *c.Delta
	case c.Message != nil:
		d = *c.Message
	}
	d.Content.text += string(c.Text)
	if d.FunctionCall != nil {
		d.Calls = append(d.Calls, fragment{Index: count{0, true}, Function: *d.FunctionCall})
	}
	return d
}

// thought returns the reasoning of a delta. Servers that send it under two
// names send it twice.
func (d *delta) thought() string {
	switch {
	case d.ReasoningContent != nil && *d.ReasoningContent != "":
		return string(*d.ReasoningContent) + d.Content.thought
	case d.Reasoning != "":
		return string(d.Reasoning) + d.Content.thought
	}
	return d.Content.thought
}

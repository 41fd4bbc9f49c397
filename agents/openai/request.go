package openai

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	goopenai "github.com/sashabaranov/go-openai"
	"roundtable/agents"
)

// The parameters that are left out for a server that does not know them.
const (
	paramTemperature      = "temperature"
	paramMaxTokens        = "max_tokens"
	paramCompletionTokens = "max_completion_tokens"
	paramStream           = "stream"
	paramStreamOptions    = "stream_options"
	paramTools            = "tools"
	paramToolChoice       = "tool_choice" // left out together with the tools
	paramFormat           = "response_format"
	paramReasoningEffort  = "reasoning_effort"
)

// OwnFields returns the fields of a request's body that the client sets itself, so
// that nothing else may set them.
func OwnFields() []string {
	return []string{
		"model", "messages", paramStream, paramStreamOptions, paramTools, paramToolChoice, paramTemperature, paramMaxTokens,
		paramCompletionTokens, paramReasoningEffort, paramFormat,
	}
}

// request is go-openai's request. It overrides the fields of which go-openai
// omits a value that servers need, and adds those that it does not know.
type request struct {
	goopenai.ChatCompletionRequest
	Messages       []requestMessage `json:"messages"`
	MaxTokens      int              `json:"max_tokens,omitempty"`  // deprecated in go-openai, but the only name most servers know
	Temperature    *float64         `json:"temperature,omitempty"` // go-openai omits 0
	Tools          []requestTool    `json:"tools,omitempty"`
	ResponseFormat map[string]any   `json:"response_format,omitempty"` // go-openai always says strict
}

// requestMessage always has a content, since servers refuse a message without
// one. go-openai's own MarshalJSON leaves an empty one out.
type requestMessage struct {
	Role       agents.Role       `json:"role"`
	Content    *string           `json:"content"` // null in a message that only calls tools
	ToolCalls  []requestToolCall `json:"tool_calls,omitempty"`
	ToolCallID string            `json:"tool_call_id,omitempty"`
	echoFields
}

type requestToolCall struct {
	goopenai.ToolCall
	Function requestFunctionCall `json:"function"`
	echoFields
}

type requestFunctionCall struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// requestTool always has a description: llama.cpp answers 500 without one.
type requestTool struct {
	Type     goopenai.ToolType `json:"type"`
	Function agents.ToolSpec   `json:"function"`
}

func newRequest(req agents.Request, q quirkSet) request {
	messages := req.Messages
	if q.has(noSystem) {
		messages = withoutSystem(messages)
	}
	out := request{Messages: make([]requestMessage, len(messages))}
	out.Model = req.Model
	out.Stream = q.streams(req)
	for i, m := range messages {
		out.Messages[i] = newMessage(m)
	}
	if out.Stream && !q.omits(paramStreamOptions) {
		out.StreamOptions = &goopenai.StreamOptions{IncludeUsage: true}
	}
	if q.offersTools(req) {
		out.Tools = newTools(q.tools(req))
	}
	if len(out.Tools) > 0 && req.ToolChoice != "" {
		out.ToolChoice = req.ToolChoice
	}
	if !q.omits(paramTemperature) {
		out.Temperature = req.Temperature
	}
	if !q.omits(paramReasoningEffort) {
		out.ReasoningEffort = req.ReasoningEffort
	}
	if q.limitName() == paramMaxTokens {
		out.MaxTokens = req.MaxTokens
	} else {
		out.MaxCompletionTokens = req.MaxTokens
	}
	if len(req.Schema) > 0 && !q.omits(paramFormat) {
		out.ResponseFormat = map[string]any{
			"type": "json_schema", "json_schema": map[string]any{"name": "answer", "schema": req.Schema},
		}
	}
	return out
}

// withoutSystem returns the messages with the system message at the beginning of the
// user's first one.
func withoutSystem(messages []agents.Message) []agents.Message {
	if len(messages) < 2 || messages[0].Role != agents.System || messages[1].Role != agents.User {
		return messages
	}
	out := slices.Clone(messages[1:])
	out[0].Text = messages[0].Text + "\n\n" + out[0].Text
	return out
}

func newMessage(m agents.Message) requestMessage {
	out := requestMessage{Role: m.Role, ToolCallID: m.CallID, echoFields: readEcho(m.Extra)}
	if m.Text != "" || len(m.Calls) == 0 {
		out.Content = &m.Text
	}
	for _, c := range m.Calls {
		args := c.Args
		if !isObject([]byte(args)) { // servers refuse a conversation with broken arguments in it
			args = "{}"
		}
		call := requestToolCall{Function: requestFunctionCall{c.Name, args}, echoFields: readEcho(c.Extra)}
		call.ID, call.Type = c.ID, goopenai.ToolTypeFunction
		out.ToolCalls = append(out.ToolCalls, call)
	}
	return out
}

func newTools(specs []agents.ToolSpec) []requestTool {
	var out []requestTool
	for _, s := range specs {
		if trimmed := bytes.TrimSpace(s.Schema); len(trimmed) == 0 || string(trimmed) == "null" {
			s.Schema = json.RawMessage(`{"type":"object","properties":{}}`)
		}
		out = append(out, requestTool{goopenai.ToolTypeFunction, s})
	}
	return out
}

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

func readEcho(extra json.RawMessage) echoFields {
	var e echoFields
	if len(extra) == 0 || json.Unmarshal(extra, &e) != nil {
		return echoFields{}
	}
	return e
}

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

// add merges the fields of a chunk and returns how much they count against
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
	if out := encode(e.fields); string(out) != "{}" {
		return out
	}
	return nil
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

// changes returns, a phrase each, what is sent differently from what a request
// says. It follows newRequest, and is stored with the request for the user to
// read.
func changes(req agents.Request, q quirkSet) []string {
	var out []string
	switch {
	case !q.streams(req):
		out = append(out, "sent without streaming, which the server refuses")
	case q.omits(paramStreamOptions):
		out = append(out, "stream added")
	default:
		out = append(out, "stream and "+paramStreamOptions+" added")
	}
	if limit := q.limitName(); req.MaxTokens > 0 && limit != paramMaxTokens {
		out = append(out, paramMaxTokens+" sent as "+limit)
	}
	for _, tool := range req.Tools {
		if slices.Contains(q.omitTools, tool.Name) {
			out = append(out, "the tool "+tool.Name+" omitted")
		}
	}
	for _, name := range q.names {
		switch param, isOmitted := strings.CutPrefix(name, noPrefix); {
		case name == noSystem:
			out = append(out, "system message sent at the beginning of the first user message")
		case !isOmitted, param == paramStreamOptions:
		case param != paramToolChoice:
			out = append(out, param+" omitted")
		case req.ToolChoice != "":
			out = append(out, "tools and "+param+" omitted")
		}
	}
	echoed := false
	for _, m := range req.Messages {
		echoed = echoed || len(m.Extra) > 0
		for _, c := range m.Calls {
			echoed = echoed || len(c.Extra) > 0
			if !isObject([]byte(c.Args)) {
				out = append(out, "arguments of call "+c.ID+" replaced by {}, since they are not a JSON object")
			}
		}
	}
	if echoed {
		out = append(out, "fields of the server's own returned with its messages and calls")
	}
	return out
}

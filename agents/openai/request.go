package openai

import (
	"bytes"
	"encoding/json"
	"slices"

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
	ResponseFormat *responseFormat  `json:"response_format,omitempty"`
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

type requestTool struct {
	Type     goopenai.ToolType `json:"type"`
	Function requestFunction   `json:"function"`
}

// requestFunction always has a description: llama.cpp answers 500 without one.
type requestFunction struct {
	goopenai.FunctionDefinition
	Description string `json:"description"`
}

// responseFormat does not say strict, which go-openai always does.
type responseFormat struct {
	Type       goopenai.ChatCompletionResponseFormatType `json:"type"`
	JSONSchema jsonSchema                                `json:"json_schema"`
}

type jsonSchema struct {
	Name   string          `json:"name"`
	Schema json.RawMessage `json:"schema"`
}

// newRequest returns the body of a completion request for a server with the
// given quirks.
func newRequest(req agents.Request, q Quirks) request {
	messages := req.Messages
	if q.NoSystem {
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
		out.Tools = newTools(req.Tools)
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
	switch name := q.limitName(); {
	case req.MaxTokens <= 0 || q.omits(name):
	case name == paramCompletionTokens:
		out.MaxCompletionTokens = req.MaxTokens
	default:
		out.MaxTokens = req.MaxTokens
	}
	if len(req.Schema) > 0 && !q.omits(paramFormat) {
		out.ResponseFormat = &responseFormat{goopenai.ChatCompletionResponseFormatTypeJSONSchema, jsonSchema{"answer", req.Schema}}
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
		schema := s.Schema
		if trimmed := bytes.TrimSpace(schema); len(trimmed) == 0 || string(trimmed) == "null" {
			schema = json.RawMessage(`{"type":"object","properties":{}}`)
		}
		f := requestFunction{Description: s.Description}
		f.Name, f.Parameters = s.Name, schema
		out = append(out, requestTool{goopenai.ToolTypeFunction, f})
	}
	return out
}

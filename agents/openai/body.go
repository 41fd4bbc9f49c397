package openai

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	goopenai "github.com/sashabaranov/go-openai"

	"roundtable/agents"
)


// The parameters that may be left out when a server does not know them.
const (
	paramTemperature      = "temperature"
	paramMaxTokens        = "max_tokens"
	paramCompletionTokens = "max_completion_tokens"
	paramStreamOptions    = "stream_options"
	paramTools            = "tools"
	paramFormat           = "response_format"
)

// neutralModel stands in the request while go-openai has it: that library
// refuses parameters by what a model's name begins with, even where the
// server is not OpenAI's. The patch puts the true name in.
const neutralModel = "model"

// build returns the request as go-openai knows it.
func build(req agents.Request) goopenai.ChatCompletionRequest {
	out := goopenai.ChatCompletionRequest{Model: neutralModel, Messages: []goopenai.ChatCompletionMessage{}}
	for _, m := range req.Messages {
		msg := goopenai.ChatCompletionMessage{Role: string(m.Role), Content: m.Text, ToolCallID: m.CallID}
		for _, c := range m.Calls {
			msg.ToolCalls = append(msg.ToolCalls, goopenai.ToolCall{
				ID: c.ID, Type: goopenai.ToolTypeFunction,
				Function: goopenai.FunctionCall{Name: c.Name, Arguments: c.Args},
			})
		}
		out.Messages = append(out.Messages, msg)
	}
	for _, t := range req.Tools {
		out.Tools = append(out.Tools, goopenai.Tool{
			Type:     goopenai.ToolTypeFunction,
			Function: &goopenai.FunctionDefinition{Name: t.Name, Description: t.Description},
		})
	}
	return out
}

// object is JSON whose fields are not looked into.
type object map[string]json.RawMessage

// patch makes of the body that go-openai built what servers need: all that it
// leaves out when it is empty or zero, the model's name, what a provider wants
// back, and without what this model's server does not take.
func patch(built []byte, req agents.Request, q Quirks, h habits) ([]byte, error) {
	var body object
	if err := json.Unmarshal(built, &body); err != nil {
		return nil, fmt.Errorf("read the built request: %w", err)
	}
	var messages []object
	if err := json.Unmarshal(body["messages"], &messages); err != nil {
		return nil, fmt.Errorf("read the built messages: %w", err)
	}
	for i := range messages {
		if err := patchMessage(messages[i], req.Messages[i]); err != nil {
			return nil, err
		}
	}
	body["messages"] = raw(messages)
	body["model"] = quote(req.Model)
	stream := !h.Whole || len(req.Tools) == 0
	body["stream"] = raw(stream)
	if stream && !q.NoStreamOptions {
		body[paramStreamOptions] = json.RawMessage(`{"include_usage":true}`)
	}
	if len(req.Tools) > 0 {
		body[paramTools] = patchTools(req.Tools)
	}
	if req.Temperature != nil {
		body[paramTemperature] = raw(*req.Temperature)
	}
	if req.MaxTokens > 0 {
		body[limitName(q, h)] = raw(req.MaxTokens)
	}
	if len(req.Schema) > 0 {
		body[paramFormat] = raw(map[string]any{"type": "json_schema", "json_schema": object{
			"name": quote("answer"), "schema": req.Schema,
		}})
	}
	for _, name := range h.Without {
		delete(body, name)
	}
	return json.Marshal(body)
}

// limitName is what the limit of tokens is called: OpenAI's newer models know
// one name, most other servers the other.
func limitName(q Quirks, h habits) string {
	if q.CompletionTokens != h.Renamed {
		return paramCompletionTokens
	}
	return paramMaxTokens
}

func patchMessage(m object, from agents.Message) error {
	if m["content"] == nil {
		m["content"] = quote("")
		if len(from.Calls) > 0 {
			m["content"] = json.RawMessage("null")
		}
	}
	echo(m, from.Extra)
	if len(from.Calls) == 0 {
		return nil
	}
	var calls []object
	if err := json.Unmarshal(m["tool_calls"], &calls); err != nil {
		return fmt.Errorf("read the built tool calls: %w", err)
	}
	for i, c := range calls {
		args := from.Calls[i].Args
		if !isObject([]byte(args)) { // servers refuse a conversation with broken arguments in it
			args = "{}"
		}
		c["function"] = raw(object{"name": quote(from.Calls[i].Name), "arguments": quote(args)})
		echo(c, from.Calls[i].Extra)
	}
	m["tool_calls"] = raw(calls)
	return nil
}

// echo adds what the provider wants back.
func echo(to object, extra json.RawMessage) {
	var fields object
	if len(extra) == 0 || json.Unmarshal(extra, &fields) != nil {
		return
	}
	for name, value := range fields {
		if slices.Contains(echoed, name) {
			to[name] = value
		}
	}
}

// patchTools writes every tool with a description and parameters: some
// servers fail on a tool that lacks one.
func patchTools(tools []agents.ToolSpec) json.RawMessage {
	list := make([]object, len(tools))
	for i, t := range tools {
		schema := t.Schema
		if trimmed := bytes.TrimSpace(schema); len(trimmed) == 0 || string(trimmed) == "null" {
			schema = json.RawMessage(`{"type":"object","properties":{}}`)
		}
		list[i] = object{"type": quote("function"), "function": raw(object{
			"name": quote(t.Name), "description": quote(t.Description), "parameters": schema,
		})}
	}
	return raw(list)
}

// raw returns v as JSON. What it is given always has a form, but for a schema
// that is no JSON: that is left for the server to refuse, as null.
func raw(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return b
}

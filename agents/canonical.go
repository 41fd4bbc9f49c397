package agents

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Hash returns the SHA-256 of the request's JSON in hex.
func (r Request) Hash() string {
	raw, err := json.Marshal(r)
	if err != nil { // the only cause is a schema that is not JSON
		panic(fmt.Errorf("hash a request: %w", err))
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// Canonical returns the request in the chat-completions protocol, without what a
// provider adds for its server. Equal requests have equal bytes.
func (r Request) Canonical() ([]byte, error) {
	out := canonicalRequest{
		Model: r.Model, Messages: make([]canonicalMessage, len(r.Messages)),
		ToolChoice: r.ToolChoice, Temperature: r.Temperature, MaxTokens: r.MaxTokens, ReasoningEffort: r.ReasoningEffort, Format: r.Schema,
	}
	for i, m := range r.Messages {
		w := canonicalMessage{Role: m.Role, Content: &m.Text, CallID: m.CallID}
		if m.Text == "" && len(m.Calls) > 0 {
			w.Content = nil
		}
		for _, c := range m.Calls {
			w.Calls = append(w.Calls, canonicalCall{ID: c.ID, Type: "function", Function: canonicalFunction{c.Name, c.Args}})
		}
		out.Messages[i] = w
	}
	for _, t := range r.Tools {
		out.Tools = append(out.Tools, canonicalTool{Type: "function", Function: t})
	}
	raw, err := json.Marshal(out)
	if err != nil {
		return nil, err
	}
	return r.AppendExtra(raw)
}

// AppendExtra returns the JSON object of a request with the fields of ExtraBody,
// sorted, at its end. A field that the object has already is left out.
func (r Request) AppendExtra(object []byte) ([]byte, error) {
	if len(r.ExtraBody) == 0 {
		return object, nil
	}
	var own, extra map[string]json.RawMessage
	if err := errors.Join(json.Unmarshal(object, &own), json.Unmarshal(r.ExtraBody, &extra)); err != nil {
		return nil, fmt.Errorf("add extra fields to a request: %w", err)
	}
	maps.DeleteFunc(extra, func(name string, _ json.RawMessage) bool { return own[name] != nil })
	if len(extra) == 0 || len(own) == 0 {
		return object, nil
	}
	fields, err := json.Marshal(extra)
	if err != nil {
		return nil, fmt.Errorf("add extra fields to a request: %w", err)
	}
	return slices.Concat(object[:len(object)-1], []byte(","), fields[1:]), nil
}

type canonicalRequest struct {
	Model       string             `json:"model"`
	Messages    []canonicalMessage `json:"messages"`
	Tools       []canonicalTool    `json:"tools,omitempty"`
	ToolChoice  ToolChoice         `json:"tool_choice,omitempty"`
	Temperature *float64           `json:"temperature,omitempty"`
	MaxTokens   int                `json:"max_tokens,omitempty"`
	Format      json.RawMessage    `json:"response_format,omitempty"`

	ReasoningEffort string `json:"reasoning_effort,omitempty"`
}

type canonicalMessage struct {
	Role    Role            `json:"role"`
	Content *string         `json:"content"` // null if the message only calls tools
	Calls   []canonicalCall `json:"tool_calls,omitempty"`
	CallID  string          `json:"tool_call_id,omitempty"`
}

type canonicalCall struct {
	ID       string            `json:"id"`
	Type     string            `json:"type"`
	Function canonicalFunction `json:"function"`
}

type canonicalFunction struct {
	Name string `json:"name"`
	Args string `json:"arguments"`
}

type canonicalTool struct {
	Type     string   `json:"type"`
	Function ToolSpec `json:"function"`
}

package agents

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
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
		Temperature: r.Temperature, MaxTokens: r.MaxTokens, Format: r.Schema,
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
	return json.Marshal(out)
}

type canonicalRequest struct {
	Model       string             `json:"model"`
	Messages    []canonicalMessage `json:"messages"`
	Tools       []canonicalTool    `json:"tools,omitempty"`
	Temperature *float64           `json:"temperature,omitempty"`
	MaxTokens   int                `json:"max_tokens,omitempty"`
	Format      json.RawMessage    `json:"response_format,omitempty"`
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

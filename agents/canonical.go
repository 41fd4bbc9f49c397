package agents

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Hash identifies the request: the SHA-256 of its JSON, in hex.
func (r Request) Hash() string {
	raw, err := json.Marshal(r)
	if err != nil { // only a schema that is no JSON does not encode
		panic(fmt.Errorf("hash a request: %w", err))
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// Canonical returns the request as the chat-completions protocol writes it, with
// nothing in it that a provider adds for its server: the same request is the same
// bytes.
func (r Request) Canonical() ([]byte, error) {
	out := wireRequest{Model: r.Model, Messages: make([]wireMessage, len(r.Messages)), Temperature: r.Temperature, MaxTokens: r.MaxTokens, Format: r.Schema}
	for i, m := range r.Messages {
		w := wireMessage{Role: m.Role, Content: &m.Text, CallID: m.CallID}
		if m.Text == "" && len(m.Calls) > 0 {
			w.Content = nil
		}
		for _, c := range m.Calls {
			w.Calls = append(w.Calls, wireCall{ID: c.ID, Type: "function", Function: wireArgs{c.Name, c.Args}})
		}
		out.Messages[i] = w
	}
	for _, t := range r.Tools {
		out.Tools = append(out.Tools, wireTool{Type: "function", Function: t})
	}
	return json.Marshal(out)
}

type wireRequest struct {
	Model       string          `json:"model"`
	Messages    []wireMessage   `json:"messages"`
	Tools       []wireTool      `json:"tools,omitempty"`
	Temperature *float64        `json:"temperature,omitempty"`
	MaxTokens   int             `json:"max_tokens,omitempty"`
	Format      json.RawMessage `json:"response_format,omitempty"`
}

type wireMessage struct {
	Role    Role       `json:"role"`
	Content *string    `json:"content"` // null where only tools are called
	Calls   []wireCall `json:"tool_calls,omitempty"`
	CallID  string     `json:"tool_call_id,omitempty"`
}

type wireCall struct {
	ID       string   `json:"id"`
	Type     string   `json:"type"`
	Function wireArgs `json:"function"`
}

type wireArgs struct {
	Name string `json:"name"`
	Args string `json:"arguments"`
}

type wireTool struct {
	Type     string   `json:"type"`
	Function ToolSpec `json:"function"`
}

package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"
)

// LocalModel is a model of an Ollama server, as the server describes it.
type LocalModel struct {
	Name   string
	Size   int64 // of its file, in bytes
	Loaded bool  // it is in memory
	Window int   // tokens: what it was loaded with, else the most that it takes; 0: unknown
	Tools  bool  // it can call tools
	Chat   bool  // it can answer, or the server does not say
}

// maxDescribed is how many models of a server are asked what they can.
const maxDescribed = 16

// LocalModels asks an Ollama server for its models, which of them are loaded, and what
// they can. What it does not say of a model is left out. The order is the server's.
func (c *Client) LocalModels(ctx context.Context) ([]LocalModel, error) {
	var tags, running struct {
		Models []struct {
			Name   string `json:"name"`
			Size   int64  `json:"size"`
			Window int    `json:"context_length"`
		} `json:"models"`
	}
	if err := c.askOllama(ctx, "/api/tags", nil, &tags); err != nil {
		return nil, err
	}
	if err := c.askOllama(ctx, "/api/ps", nil, &running); err != nil {
		running.Models = nil // servers of before do not say what is loaded
	}
	var out []LocalModel
	for i, m := range tags.Models {
		x := LocalModel{Name: clean(c.mask.inAnswer(m.Name), maxQuote), Size: m.Size, Chat: !strings.Contains(m.Name, "embed")}
		if i < maxDescribed {
			c.describe(ctx, m.Name, &x)
		}
		for _, l := range running.Models {
			if l.Name == m.Name {
				x.Loaded = true
				x.Window = max(l.Window, 0)
			}
		}
		out = append(out, x)
	}
	return out, nil
}

// describe adds what a model can, if the server says so.
func (c *Client) describe(ctx context.Context, name string, x *LocalModel) {
	var shown struct {
		Capabilities []string                   `json:"capabilities"`
		Info         map[string]json.RawMessage `json:"model_info"`
	}
	if err := c.askOllama(ctx, "/api/show", map[string]string{"model": name}, &shown); err != nil {
		return
	}
	if len(shown.Capabilities) > 0 {
		x.Chat, x.Tools = slices.Contains(shown.Capabilities, "completion"), slices.Contains(shown.Capabilities, "tools")
	}
	for _, key := range sortedKeys(shown.Info) {
		var n int
		if strings.HasSuffix(key, ".context_length") && json.Unmarshal(shown.Info[key], &n) == nil {
			x.Window = max(n, 0)
		}
	}
}

// askOllama sends a request of Ollama's own interface and decodes the answer.
func (c *Client) askOllama(ctx context.Context, path string, body, answer any) error {
	timeouts := c.settings.timeouts
	timeouts.FirstPayload, timeouts.Idle, timeouts.Total = Duration(time.Second), Duration(time.Second), Duration(2*time.Second)
	x := c.newExchange(ctx, timeouts)
	defer x.close()
	method, sent := http.MethodGet, []byte(nil)
	if body != nil {
		var err error
		if sent, err = json.Marshal(body); err != nil {
			return err
		}
		method = http.MethodPost
	}
	address := strings.TrimSuffix(c.settings.base.String(), "/v1") + path
	req, err := http.NewRequestWithContext(x.ctx, method, address, bytes.NewReader(sent))
	if err != nil {
		return err
	}
	doer := &modelsDoer{exchange: x}
	resp, err := doer.Do(req)
	if err != nil {
		return err
	}
	resp.Body.Close() //nolint:errcheck // it was read
	return json.Unmarshal(doer.body, answer)
}

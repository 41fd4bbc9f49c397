package openai

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"roundtable/agents"
	"roundtable/internal/text"
)

// windowTimeout bounds how long a server may take to name a window.
const windowTimeout = 3 * time.Second

const ollamaPort = "11434"

// windowCache is what is known about the windows of the provider's models.
type windowCache struct {
	server atomic.Pointer[string] // what the latest response named as its server; nil: no response came

	mu     sync.Mutex
	models map[string]*modelWindow
}

// modelWindow is what is known about the window of one model.
type modelWindow struct {
	tokens   int  // 0: unknown
	final    bool // asking again would not help
	told     bool // that it is unclear how much of a prompt was read
	readings agents.Readings
}

// change calls do with what is known about a model, for do to read or change.
func (w *windowCache) change(model string, do func(*modelWindow)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.models[model] == nil {
		w.models[model] = &modelWindow{}
	}
	do(w.models[model])
}

// Window returns the context window in force for a model, as its server says, in
// tokens. It is 0 if the server does not say. The server is asked once.
func (c *Client) Window(ctx context.Context, model string) int {
	var known modelWindow
	c.windows.change(model, func(m *modelWindow) { known = *m })
	if known.tokens > 0 || known.final {
		return known.tokens
	}
	return c.askWindow(ctx, model)
}

// askWindow asks the server for the window of a model, and keeps the answer.
func (c *Client) askWindow(ctx context.Context, model string) int {
	var tokens int
	final := false
	switch c.serverKind() {
	case "ollama":
		tokens, final = c.ollamaWindow(ctx, model)
	case "llamacpp":
		tokens, final = c.llamaCppWindow(ctx)
	case "lmstudio":
		tokens, final = c.lmStudioWindow(ctx, model)
	case "vllm", "openrouter":
		tokens, final = c.listedWindow(ctx, model)
	}
	if ctx.Err() != nil {
		return 0
	}
	c.windows.change(model, func(m *modelWindow) {
		m.final = final
		if tokens > 0 {
			m.tokens = tokens
		}
		tokens = m.tokens
	})
	return tokens
}

// serverKind returns the preset whose requests the server understands, also if the
// configuration names none; "" if it is not known.
func (c *Client) serverKind() string {
	if name := c.settings.preset.Name; name != "" {
		return name
	}
	if c.settings.base.Port() == ollamaPort {
		return "ollama"
	}
	if server := c.windows.server.Load(); server != nil && strings.Contains(*server, "llama.cpp") {
		return "llamacpp"
	}
	return ""
}

// ollamaWindow returns the window with which Ollama has loaded a model, or else the one
// that its Modelfile sets. Without either, the window is known once the model is loaded.
func (c *Client) ollamaWindow(ctx context.Context, model string) (tokens int, final bool) {
	var running struct {
		Models []struct {
			Name    lenientString `json:"name"`
			Model   lenientString `json:"model"`
			Context lenientCount  `json:"context_length"`
		} `json:"models"`
	}
	if !c.getJSON(ctx, http.MethodGet, "/api/ps", nil, &running) {
		return 0, true
	}
	for _, m := range running.Models {
		if m.Context.n > 0 && (withTag(string(m.Name)) == withTag(model) || withTag(string(m.Model)) == withTag(model)) {
			return m.Context.n, true
		}
	}
	var shown struct {
		Parameters lenientString `json:"parameters"`
	}
	c.getJSON(ctx, http.MethodPost, "/api/show", map[string]string{"model": model}, &shown)
	for line := range strings.Lines(string(shown.Parameters)) {
		if f := strings.Fields(line); len(f) == 2 && f[0] == "num_ctx" {
			tokens, _ = strconv.Atoi(f[1])
		}
	}
	return max(tokens, 0), false
}

// withTag returns the name of a model of Ollama with its tag.
func withTag(name string) string {
	if strings.Contains(name[strings.LastIndexByte(name, '/')+1:], ":") {
		return name
	}
	return name + ":latest"
}

// llamaCppWindow returns the window of a slot. The list of models has the one that all
// slots share.
func (c *Client) llamaCppWindow(ctx context.Context) (tokens int, final bool) {
	var props struct {
		Settings struct {
			Context lenientCount `json:"n_ctx"`
		} `json:"default_generation_settings"`
	}
	ok := c.getJSON(ctx, http.MethodGet, "/props", nil, &props)
	return props.Settings.Context.n, !ok || props.Settings.Context.n > 0
}

// listedWindow returns the window that the list of models has.
func (c *Client) listedWindow(ctx context.Context, model string) (tokens int, final bool) {
	var list struct {
		Data []listedModel `json:"data"`
	}
	c.getJSON(ctx, http.MethodGet, "/v1/models", nil, &list)
	for _, m := range list.Data {
		if string(m.ID) == model {
			return m.window(), true
		}
	}
	return 0, true
}

// lmStudioWindow returns the window with which LM Studio has loaded a model.
func (c *Client) lmStudioWindow(ctx context.Context, model string) (tokens int, final bool) {
	var list struct {
		Data []struct {
			ID     lenientString `json:"id"`
			Loaded lenientCount  `json:"loaded_context_length"`
		} `json:"data"`
	}
	if !c.getJSON(ctx, http.MethodGet, "/api/v0/models", nil, &list) {
		return 0, true
	}
	for _, m := range list.Data {
		if string(m.ID) == model {
			return m.Loaded.n, m.Loaded.n > 0
		}
	}
	return 0, false
}

// getJSON asks the server for a document beside its OpenAI-compatible part. It reports
// whether the document came and could be read.
func (c *Client) getJSON(ctx context.Context, method, path string, body, into any) bool {
	t := c.settings.timeouts
	t.FirstPayload, t.Idle, t.Total = Duration(windowTimeout), Duration(windowTimeout), Duration(windowTimeout)
	x := c.newExchange(ctx, t)
	defer x.close()
	var content []byte
	if body != nil {
		content, _ = json.Marshal(body) //nolint:errchkjson // a map of strings
	}
	url := strings.TrimSuffix(c.settings.base.String(), "/v1") + path
	req, err := http.NewRequestWithContext(x.ctx, method, url, bytes.NewReader(content))
	if err != nil {
		return false
	}
	req.Header.Set("Content-Type", "application/json")
	c.authorize(req)
	resp, err := x.send(req)
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(timedReader{resp.Body, x.watchdog}, int64(c.settings.limits.Event)))
	return err == nil && json.Unmarshal(answer, into) == nil
}

// cutter is a kind of server that cuts a prompt which exceeds the window. The others
// refuse it.
type cutter struct {
	name   string
	remedy string
}

func (c *Client) cutter() (cutter, bool) {
	switch c.serverKind() {
	case "ollama":
		return cutter{"Ollama", "Raise OLLAMA_CONTEXT_LENGTH, or the num_ctx of the model."}, true
	case "llamacpp":
		return llamaCpp(), true
	case "lmstudio":
		return cutter{"LM Studio", "Load the model with a larger context length."}, true
	}
	return cutter{cmp.Or(c.name, "The server"), "Give the model a larger context window."}, false
}

func llamaCpp() cutter {
	return cutter{"llama.cpp", "Start the server with a larger --ctx-size, or with fewer slots."}
}

// cutOf returns how the server cut the prompt of a completion, nil if it did not. Window
// is what the server named with its answer. What is unclear becomes a notice, once for
// each model.
func (c *Client) cutOf(ctx context.Context, req agents.Request, usage *agents.Usage, window int) *agents.PromptCut {
	r := agents.Reading{Estimate: req.Tokens(), Window: window}
	if window > 0 {
		c.windows.change(req.Model, func(m *modelWindow) { m.tokens, m.final = window, true })
	}
	if usage != nil {
		r.Counted, r.Cached = usage.Input, usage.Cached
	}
	if r.Estimate < agents.MinWindow {
		return nil
	}
	by, cuts := c.cutter()
	switch {
	case window > 0 && !cuts: // no other server names its window so
		by = llamaCpp()
	case window == 0 && cuts:
		r.Window = c.Window(ctx, req.Model)
		if r.LowCount() && r.Window >= r.Estimate { // the model may have been loaded anew
			r.Window = c.askWindow(ctx, req.Model)
		}
	}
	var extent agents.Extent
	tell := false
	c.windows.change(req.Model, func(m *modelWindow) {
		extent = m.readings.Add(r)
		tell = extent == agents.ReadUnclear && !m.told
		m.told = m.told || tell
	})
	if tell {
		c.quirks.tell(fmt.Sprintf("%s/%s counted %s tokens in a prompt of about %s. It may have cut the beginning. %s",
			c.name, c.mask.quote(req.Model), text.Number(r.Counted), text.Number(r.Estimate), by.remedy))
	}
	if extent != agents.ReadPart {
		return nil
	}
	return &agents.PromptCut{Server: by.name, Read: r.Read(), Estimate: r.Estimate, Remedy: by.remedy}
}

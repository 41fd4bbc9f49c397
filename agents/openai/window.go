package openai

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"roundtable/agents"
	"roundtable/internal/text"
)

const windowTimeout = 3 * time.Second

const ollamaPort = "11434"

// server is what differs between kinds of servers in how they treat their context window.
type server struct {
	title  string // "": as it is configured
	cuts   bool   // it cuts a prompt that exceeds the window; the others refuse it
	remedy string // how the window is enlarged

	path string // that tells the windows; "" if none does
}

const (
	runningModels = "/api/ps"        // of Ollama
	loadedModels  = "/api/v0/models" // of LM Studio
	allModels     = "/v1/models"
)

// servers are known by the names of their presets.
var servers = map[string]server{
	"ollama":     {"Ollama", true, "Raise OLLAMA_CONTEXT_LENGTH, or the num_ctx of the model.", runningModels},
	"llamacpp":   {"llama.cpp", true, "Start the server with a larger --ctx-size, or with fewer slots.", "/props"},
	"lmstudio":   {"LM Studio", true, "Load the model with a larger context length.", loadedModels},
	"vllm":       {remedy: enlargeWindow, path: allModels},
	"openrouter": {remedy: enlargeWindow, path: allModels},
}

const enlargeWindow = "Give the model a larger context window."

func (c *Client) server() server {
	if s, ok := servers[c.serverKind()]; ok {
		return s
	}
	return server{remedy: enlargeWindow}
}

type windowCache struct {
	mu     sync.Mutex
	models map[string]*modelWindow
}

type modelWindow struct {
	tokens   int  // 0: unknown
	final    bool // asking again would not help
	told     bool // that it is unclear how much of a prompt was read
	readings agents.Readings
}

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

func (c *Client) askWindow(ctx context.Context, model string) int {
	tokens, final := 0, false
	if path := c.server().path; path != "" {
		tokens, final = c.toldWindow(ctx, path, model)
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
	return ""
}

// toldWindow returns the context window of a model as its server reports it. Ollama and LM Studio
// report the window they loaded the model with, llama.cpp that of a slot, the others that of
// their list of models. Final means that asking again would not help.
func (c *Client) toldWindow(ctx context.Context, path, model string) (tokens int, final bool) {
	var told struct {
		Settings struct {
			Context lenientCount `json:"n_ctx"`
		} `json:"default_generation_settings"`
		Models []listedModel `json:"models"`
		Data   []listedModel `json:"data"`
	}
	if c.askServer(ctx, windowTimeout, path, nil, &told) != nil {
		return 0, true
	}
	tokens = told.Settings.Context.n
	for _, m := range told.Models {
		if m.Context.n > 0 && (withTag(string(m.Name)) == withTag(model) || withTag(string(m.Model)) == withTag(model)) {
			return m.Context.n, true
		}
	}
	for _, m := range told.Data {
		if string(m.ID) == model {
			tokens = m.window()
			if path == loadedModels {
				tokens = m.Loaded.n
			}
		}
	}
	if path == runningModels {
		return c.modelfileWindow(ctx, model), false
	}
	return tokens, tokens > 0 || path == allModels
}

// modelfileWindow returns the window that a Modelfile of Ollama sets. Without one, the window
// is known once the model is loaded.
func (c *Client) modelfileWindow(ctx context.Context, model string) (tokens int) {
	var shown struct {
		Parameters lenientString `json:"parameters"`
	}
	// A server that does not answer sets no window.
	_ = c.askServer(ctx, windowTimeout, "/api/show", map[string]string{"model": model}, &shown)
	for line := range strings.Lines(string(shown.Parameters)) {
		if f := strings.Fields(line); len(f) == 2 && f[0] == "num_ctx" {
			tokens, _ = strconv.Atoi(f[1])
		}
	}
	return max(tokens, 0)
}

func withTag(name string) string {
	if strings.Contains(name[strings.LastIndexByte(name, '/')+1:], ":") {
		return name
	}
	return name + ":latest"
}

// cutOf returns how the server cut the prompt of a completion, nil if it did not. What is
// unclear becomes a notice, once for each model.
func (c *Client) cutOf(ctx context.Context, req agents.Request, usage *agents.Usage) *agents.PromptCut {
	r := agents.Reading{Estimate: req.Tokens()}
	if usage != nil {
		r.Counted, r.Cached = usage.Input, usage.Cached
	}
	if r.Estimate < agents.MinWindow {
		return nil
	}
	by := c.server()
	if by.cuts {
		r.Window = c.Window(ctx, req.Model)
		if r.LowCount() && r.Window >= r.Estimate { // the model may have been reloaded
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
		c.quirks.addNotice(fmt.Sprintf("%s/%s counted %s tokens in a prompt of about %s. It may have cut the beginning. %s",
			c.name, c.mask.quote(req.Model), text.Number(r.Counted), text.Number(r.Estimate), by.remedy))
	}
	if extent != agents.ReadPart {
		return nil
	}
	return &agents.PromptCut{Server: cmp.Or(by.title, c.name, "The server"), Read: r.Read(), Estimate: r.Estimate, Remedy: by.remedy}
}

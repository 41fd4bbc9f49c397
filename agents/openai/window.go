package openai

import (
	"context"
	"strings"
	"sync"
	"time"

	"roundtable/agents"
)

const windowTimeout = 3 * time.Second

const ollamaPort = "11434"

// server is what differs between kinds of servers in how they treat their context window.
type server struct {
	title  string
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
	"vllm":       {path: allModels},
	"openrouter": {path: allModels},
}

func (c *Client) server() server { return servers[c.serverKind()] }

type windowCache struct {
	mu     sync.Mutex
	models map[string]int // tokens; -1: asking again would not help
}

// Window returns the context window in force for a model, as its server says, in
// tokens. It is 0 if the server does not say. The server is asked once.
func (c *Client) Window(ctx context.Context, model string) int {
	c.windows.mu.Lock()
	known := c.windows.models[model]
	c.windows.mu.Unlock()
	if known != 0 {
		return max(known, 0)
	}
	return c.askWindow(ctx, model)
}

func (c *Client) askWindow(ctx context.Context, model string) int {
	told := -1
	if path := c.server().path; path != "" {
		told = c.toldWindow(ctx, path, model)
	}
	if ctx.Err() != nil {
		return 0
	}
	c.windows.mu.Lock()
	defer c.windows.mu.Unlock()
	if c.windows.models[model] <= 0 || told > 0 {
		c.windows.models[model] = told
	}
	return max(c.windows.models[model], 0)
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
// their list of models. It is -1 if asking again would not help.
func (c *Client) toldWindow(ctx context.Context, path, model string) int {
	var told struct {
		Settings struct {
			Context lenientCount `json:"n_ctx"`
		} `json:"default_generation_settings"`
		Models []listedModel `json:"models"`
		Data   []listedModel `json:"data"`
	}
	if c.askServer(ctx, windowTimeout, path, &told) != nil {
		return -1
	}
	tokens := told.Settings.Context.n
	for _, m := range told.Models {
		if m.Context.n > 0 && (withTag(string(m.Name)) == withTag(model) || withTag(string(m.Model)) == withTag(model)) {
			return m.Context.n
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
	if tokens == 0 && path == allModels {
		return -1
	}
	return tokens
}

func withTag(name string) string {
	if strings.Contains(name[strings.LastIndexByte(name, '/')+1:], ":") {
		return name
	}
	return name + ":latest"
}

// cutOf returns how the server cut the prompt of a completion, nil if it did not. It was cut if
// it is longer than the window that the server tells.
func (c *Client) cutOf(ctx context.Context, req agents.Request, usage *agents.Usage) *agents.PromptCut {
	by, estimate, counted, cached := c.server(), req.Tokens(), 0, 0
	if usage != nil {
		counted, cached = usage.Input, usage.Cached
	}
	if !by.cuts || estimate < agents.MinWindow {
		return nil
	}
	window := c.Window(ctx, req.Model)
	if agents.LowCount(estimate, counted, cached) && window >= estimate {
		window = c.askWindow(ctx, req.Model) // the model may have been reloaded
	}
	if window == 0 || counted > window || counted < window && estimate <= window {
		return nil
	}
	if counted < window/2 { // the cached part is not in the count
		counted = window
	}
	return &agents.PromptCut{Server: by.title, Read: counted, Estimate: estimate, Remedy: by.remedy}
}

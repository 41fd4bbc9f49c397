package openai

import (
	"cmp"
	"context"
	"fmt"

	"roundtable/agents"
	"roundtable/internal/text"
)

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

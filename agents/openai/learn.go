package openai

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"roundtable/agents"
)


// memory is what was learnt about models while the program runs.
type memory struct {
	mu     sync.Mutex
	models map[string]habits
	said   []string
}

// habits is what is done differently for one model.
type habits struct {
	Whole   bool     // tools are sent without stream
	Without []string // parameters left out, sorted
	Renamed bool     // the limit of tokens goes by its other name
}

func (h habits) equal(o habits) bool {
	return h.Whole == o.Whole && h.Renamed == o.Renamed && slices.Equal(h.Without, o.Without)
}

func newMemory() *memory { return &memory{models: map[string]habits{}} }

func (m *memory) of(model string) habits {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.models[model]
}

// learn stores what change makes of the model's habits, and the notice of it.
func (m *memory) learn(model, notice string, change func(*habits)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	h := m.models[model]
	h.Without = slices.Clone(h.Without)
	change(&h)
	slices.Sort(h.Without)
	h.Without = slices.Compact(h.Without)
	m.models[model] = h
	if !slices.Contains(m.said, notice) {
		m.said = append(m.said, notice)
	}
}

func (m *memory) notes() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.said)
}

// adapt learns from a refusal: that a model takes tools unstreamed only, that
// its limit of tokens goes by the other name, or that it does not know a
// parameter. Sent is what the request was made by. It returns what is done
// about it, and false if there is nothing to learn or that was tried already.
func (c *Client) adapt(req agents.Request, sent habits, t teller, f *fault) (string, bool) {
	switch f.Kind {
	case agents.KindRequest, agents.KindBusy, agents.KindModel, agents.KindConfig:
	default:
		return "", false
	}
	if f.Status != 0 && (f.Status < http.StatusBadRequest || f.Status == http.StatusTooManyRequests) {
		return "", false
	}
	if !f.said.hasAny(refusals...) {
		return "", false
	}
	if !c.memory.of(req.Model).equal(sent) {
		return t.who() + " is asked as another call has learnt meanwhile.", true
	}
	why, change := sent.lesson(req, c.set.preset.Quirks, f.said)
	if change == nil {
		return "", false
	}
	why = t.who() + " " + why
	c.memory.learn(req.Model, why, change)
	return why, true
}

// refusals are the words by which servers say that they do not know or do not
// take something, in lower case.
var refusals = []string{
	"unsupported", "not support", "n't support", "not_supported", "unknown", "unrecognized", "unrecognised", "unexpected",
	"extra_forbidden", "extra inputs", "not permitted", "not allowed", "unavailable", "cannot use", "can't use", "not accept", "not available", "no endpoints found",
}

// lesson finds the habit that a server's words ask for.
func (h habits) lesson(req agents.Request, q Quirks, s said) (string, func(*habits)) {
	if len(req.Tools) > 0 && !h.Whole && s.hasAny("stream") && s.hasAny("tool", "function") && !s.hasAny(paramStreamOptions) {
		return "takes no tools with a stream: asked unstreamed.", func(h *habits) { h.Whole = true }
	}
	name := h.named(req, q, s)
	switch {
	case name == "":
		return "", nil
	case name == limitName(q, h) && !h.Renamed:
		return fmt.Sprintf("does not know %s: sent by its other name.", name), func(h *habits) { h.Renamed = true }
	}
	return fmt.Sprintf("does not take %s: asked without it.", name), func(h *habits) { h.Without = append(h.Without, name) }
}

// named returns the parameter of ours that a server's words name.
func (h habits) named(req agents.Request, q Quirks, s said) string {
	limit := limitName(q, h)
	sent := []struct {
		name  string
		sent  bool
		words []string
	}{
		{paramStreamOptions, !q.NoStreamOptions, []string{paramStreamOptions, "include_usage"}},
		{paramFormat, len(req.Schema) > 0, []string{paramFormat, "json_schema", "structured output"}},
		{limit, req.MaxTokens > 0, []string{limit}},
		{paramTemperature, req.Temperature != nil, []string{paramTemperature}},
		{paramTools, len(req.Tools) > 0, []string{paramTools, "tool use", "tool calling", "tool choice", "function call"}},
	}
	for _, p := range sent {
		if !p.sent || slices.Contains(h.Without, p.name) {
			continue
		}
		if s.Param == p.name || strings.HasPrefix(s.Param, p.name+".") || s.Param == "" && s.hasAny(p.words...) {
			return p.name
		}
	}
	return ""
}

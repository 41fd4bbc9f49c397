package openai

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"roundtable/agents"
)

const modelsTimeout = 15 * time.Second

// modelList takes the place of the model in sentences about the list of models.
const modelList = "its models"

// Models returns the models that the server offers, sorted by name, with what it says
// of them.
func (c *Client) Models(ctx context.Context) ([]agents.ModelInfo, error) {
	t := c.errorFormatter(modelList)
	t.expected = "a list of models"
	x := c.newExchange(ctx, c.within(modelsTimeout))
	defer x.close()
	models, err := x.models()
	if err != nil {
		return nil, t.fault(ctx, x, err).Failure
	}
	for i, m := range models {
		models[i].Name = c.mask.name(strings.TrimPrefix(m.Name, "models/"))
	}
	slices.SortStableFunc(models, func(a, b agents.ModelInfo) int { return strings.Compare(a.Name, b.Name) })
	return slices.CompactFunc(models, func(a, b agents.ModelInfo) bool { return a.Name == b.Name }), nil
}

// within returns the timeouts of a request that has so much time in all.
func (c *Client) within(most time.Duration) Timeouts {
	t := c.settings.timeouts
	t.FirstPayload, t.Idle, t.Total = Duration(most), Duration(most), Duration(most)
	return t
}

// KeyUnchecked reports whether the server lists its models without a key too, so that a
// list does not show that the key is good. It is false without a key.
func (c *Client) KeyUnchecked(ctx context.Context) bool {
	if c.key.value() == "" {
		return false
	}
	x := c.newExchange(ctx, c.within(modelsTimeout))
	defer x.close()
	_, err := x.ask(c.settings.base.String()+"/models", func(*http.Request) {})
	return err == nil
}

func (x *exchange) models() ([]agents.ModelInfo, error) {
	body, err := x.ask(x.client.settings.base.String()+"/models", func(req *http.Request) {
		x.client.authorize(req)
		if h := x.client.settings.preset.ModelsKeyHeader; h != "" {
			req.Header.Del("Authorization")
			req.Header.Set(h, x.client.key.value())
			req.Header.Set("Anthropic-Version", "2023-06-01")
		}
	})
	if err != nil {
		return nil, err
	}
	return parseModels(body)
}

// ask sends a request that authorize has given the key, and returns the body of the answer.
func (x *exchange) ask(address string, authorize func(*http.Request)) ([]byte, error) {
	req, err := http.NewRequestWithContext(x.ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", userAgent)
	authorize(req)
	resp, err := x.send(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close() //nolint:errcheck // it was read
	return readAll(timedReader{resp.Body, x.watchdog}, x.client.settings.limits.Event)
}

// listedModel is a model in the list of any server that was seen. Prices are texts or
// numbers.
type listedModel struct {
	ID       lenientString `json:"id"`
	Name     lenientString `json:"name"`  // of Ollama
	Model    lenientString `json:"model"` // of Ollama
	Loaded   lenientCount  `json:"loaded_context_length"`
	Context  lenientCount  `json:"context_length"`     // of OpenRouter and Together
	Window   lenientCount  `json:"context_window"`     // of Groq
	MaxLen   lenientCount  `json:"max_model_len"`      // of vLLM
	Most     lenientCount  `json:"max_context_length"` // of Mistral and LM Studio
	Provider lenientObject[struct {
		Context lenientCount `json:"context_length"`
	}] `json:"top_provider"` // of OpenRouter: the window in force
	Pricing lenientObject[struct {
		Prompt     lenientString `json:"prompt"`
		Completion lenientString `json:"completion"`
		CacheRead  lenientString `json:"input_cache_read"`
	}] `json:"pricing"` // of OpenRouter: USD per token
	Shutdown   lenientString `json:"shutdown_date"`
	Expires    lenientString `json:"expiration_date"` // of OpenRouter
	Deprecated lenientString `json:"deprecated"`
}

func (m listedModel) window() int {
	return cmp.Or(m.Provider.of.Context.n, m.Context.n, m.Window.n, m.MaxLen.n, m.Most.n)
}

func (m listedModel) info(name string) agents.ModelInfo {
	retires := dayOf(string(m.Shutdown))
	if retires.IsZero() {
		retires = dayOf(string(m.Expires))
	}
	deprecated := string(m.Deprecated)
	return agents.ModelInfo{
		Name: name, Window: m.window(), PriceIn: perMillion(m.Pricing.of.Prompt), PriceOut: perMillion(m.Pricing.of.Completion),
		PriceCachedIn: perMillion(m.Pricing.of.CacheRead), Retires: retires,
		Deprecated: deprecated != "" && deprecated != "false" && deprecated != "0",
	}
}

// dayOf returns the day of a date, of a time such as 2026-11-30T12:00:00Z, or of seconds
// since 1970. It is zero for anything else.
func dayOf(date string) time.Time {
	day, err := time.Parse(time.DateOnly, date[:min(len(date), len(time.DateOnly))])
	if err != nil {
		seconds, err := strconv.ParseInt(date, 10, 64)
		if err != nil {
			return time.Time{}
		}
		day = time.Unix(seconds, 0).UTC().Truncate(24 * time.Hour)
	}
	if day.Year() < 2000 || day.Year() > 2200 {
		return time.Time{}
	}
	return day
}

func perMillion(perToken lenientString) *float64 {
	v, err := strconv.ParseFloat(string(perToken), 64)
	if err != nil || v < 0 || math.IsInf(v, 0) || math.IsNaN(v) { // OpenRouter says -1 where the price varies
		return nil
	}
	return new(v * 1e6)
}

// parseModels reads a list of models: one called "data", as OpenAI has it, "models", as
// Ollama does, or one alone, as of Together.
func parseModels(body []byte) ([]agents.ModelInfo, error) {
	var list struct {
		Data   []listedModel   `json:"data"`
		Models []listedModel   `json:"models"`
		Error  json.RawMessage `json:"error"`
	}
	into := any(&list)
	if body = bytes.TrimPrefix(body, []byte("\ufeff")); bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")) {
		into = &list.Data
	}
	if json.Unmarshal(body, into) != nil {
		return nil, noStream(string(body))
	}
	if present(list.Error) {
		return nil, &wireError{said: parseAPIError(body)}
	}
	models := list.Data
	if len(models) == 0 {
		models = list.Models
	}
	infos := []agents.ModelInfo{}
	for _, m := range models {
		if name := cmp.Or(string(m.ID), string(m.Name)); name != "" {
			infos = append(infos, m.info(name))
		}
	}
	return infos, nil
}

// LocalModel is a model of an Ollama server, as the server describes it.
type LocalModel struct {
	Name   string
	Size   int64 // of its file, in bytes
	Loaded bool  // it is in memory
	Window int   `json:"context_length"` // tokens that it was loaded with; 0: it is not, or the server does not say
	Chat   bool  // its name is not that of a model that only embeds
}

// embedders are in the names of models that answer nothing.
var embedders = regexp.MustCompile(`(?i)embed|minilm|\bbge-|rerank`)

// LocalModels asks an Ollama server for its models, and which of them are loaded.
func (c *Client) LocalModels(ctx context.Context) ([]LocalModel, error) {
	var tags, running struct {
		Models []LocalModel `json:"models"`
	}
	if err := c.askServer(ctx, ollamaTimeout, "/api/tags", &tags); err != nil {
		return nil, err
	}
	if err := c.askServer(ctx, ollamaTimeout, runningModels, &running); err != nil {
		running.Models = nil // older servers do not have it
	}
	var out []LocalModel
	for _, m := range tags.Models {
		x := LocalModel{Name: c.mask.name(m.Name), Size: m.Size, Chat: !embedders.MatchString(m.Name)}
		for _, l := range running.Models {
			if l.Name == m.Name {
				x.Loaded, x.Window = true, max(l.Window, 0)
			}
		}
		out = append(out, x)
	}
	return out, nil
}

const ollamaTimeout = 2 * time.Second

// askServer asks for something beside the protocol.
func (c *Client) askServer(ctx context.Context, timeout time.Duration, path string, answer any) error {
	x := c.newExchange(ctx, c.within(timeout))
	defer x.close()
	said, err := x.ask(strings.TrimSuffix(c.settings.base.String(), "/v1")+path, c.authorize)
	if err != nil {
		return err
	}
	return json.Unmarshal(said, answer)
}

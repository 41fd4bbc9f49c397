package config

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/agents/openai"
	"roundtable/internal/catalog"
	"roundtable/internal/text"
)

type openAIProvider struct{ openai.Config }

func (p openAIProvider) silence() (first, between time.Duration) { return p.Silence() }

func (p openAIProvider) open(ctx context.Context, name string, o ClientOptions) (agents.Provider, error) {
	p.Config = p.WithEnvironment(o.Env)
	key, err := p.key(ctx, o)
	if err != nil {
		return nil, err
	}
	client, err := openai.New(name, p.Config, openai.Options{
		Key: key, Logger: o.Log, Gone: func(model string) string { return o.gone(name, model) },
	})
	if err != nil {
		return nil, err
	}
	return client, nil
}

// key returns the provider's key. Equal commands are run once.
func (p openAIProvider) key(ctx context.Context, o ClientOptions) (string, error) {
	ask := func() (string, error) { return p.Key(ctx, o.Env, o.CommandEnv) }
	if len(p.APIKeyCommand) == 0 {
		return ask()
	}
	return o.keys.do(strings.Join(p.APIKeyCommand, "\x00"), ask)
}

func (p openAIProvider) missing(env func(string) (string, bool)) string {
	c := p.WithEnvironment(env)
	if key := c.KeyVariable(); c.NeedsKey() && !isSet(env, key) {
		return "set " + key
	}
	return ""
}

func (p openAIProvider) recipient(env func(string) (string, bool)) (name string, local bool) {
	preset, _ := openai.PresetNamed(p.Preset)
	address := cmp.Or(p.WithEnvironment(env).BaseURL, preset.BaseURL)
	return recipientOf(preset, address), agents.IsLoopback(hostOf(address))
}

func isSet(env func(string) (string, bool), name string) bool {
	value, ok := env(name)
	return ok && strings.TrimSpace(value) != ""
}

func hostOf(address string) string { return parsed(address).Hostname() }

// parsed parses an address, whose scheme may be missing. It is empty if that fails.
func parsed(address string) *url.URL {
	if !strings.Contains(address, "://") {
		address = "http://" + address
	}
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return &url.URL{}
	}
	return u
}

func hostPortOf(address string) string {
	return cmp.Or(text.Line(parsed(address).Host), "a faulty address")
}

// recipientOf names the company if the address is the preset's own, else the host.
func recipientOf(preset openai.Preset, address string) string {
	host := hostOf(address)
	if preset.Company != "" && hostOf(preset.BaseURL) == host {
		return preset.Company
	}
	return host
}

const ollama = "ollama"

const openRouter = "openrouter"

const maxLocalModels = 3

func (d Discovery) lookForServers(ctx context.Context, found *Found) {
	var unset []string
	keys := 0
	for _, p := range openai.Presets() {
		server := openai.Config{Preset: p.Name}.WithEnvironment(d.Env)
		offers := d.offersOf(p.Name)
		switch {
		case d.OnlyLocal && !agents.IsLoopback(hostOf(cmp.Or(server.BaseURL, p.BaseURL))):
		case p.Name != ollama && server.BaseURLVariable != "" && !isSet(d.Env, p.KeyEnv) && d.Models != nil:
			d.addServer(ctx, found, p, server)
		case p.KeyEnv == "":
		case isSet(d.Env, p.KeyEnv) && len(offers) == 0:
			found.Findings = append(found.Findings, Finding{What: p.KeyEnv, Result: "no model of its server can be proposed"})
		case isSet(d.Env, p.KeyEnv):
			keys++
			found.offers = append(found.offers, offers...)
		case len(offers) > 0:
			unset = append(unset, p.KeyEnv)
		}
	}
	server := openai.Config{Preset: ollama}.WithEnvironment(d.Env)
	models, together := d.ollamaModels(ctx, server)
	for i, m := range models {
		free := 0.0
		profile := agents.Profile{Provider: ollama, Model: m.Name, ContextWindow: m.Window, PriceIn: &free, PriceOut: &free}
		found.add(roadLocal, candidateOf(profile, openAIProvider{server}, d.Env), m.Size, i >= together)
	}
	preset, _ := openai.PresetNamed(ollama)
	found.Findings = append([]Finding{
		{What: "Keys in the environment", Result: fmt.Sprintf("%d set", keys), OK: true},
		{What: "Ollama at " + hostPortOf(cmp.Or(server.BaseURL, preset.BaseURL)), Result: "no answer"},
	}, found.Findings...)
	if keys == 0 {
		found.Findings[0] = Finding{What: firstOf(unset), Result: "not set"}
	}
	if d.Ollama == nil {
		found.Findings[1].Result = "not asked"
	}
	if len(models) > 0 {
		found.Findings[1] = Finding{What: found.Findings[1].What, Result: text.Count(len(models), "model"), OK: true}
		found.Sources = append(found.Sources, ollama)
		found.Summary = append(found.Summary, modelsAt(len(models), "Ollama"))
	}
	if keys > 0 {
		found.Sources = append(found.Sources, text.Count(keys, "key"))
		found.Summary = append(found.Summary, text.Count(keys, "key")+" found")
	}
}

// addServer offers the models of an address from the environment. Many such servers need no key.
func (d Discovery) addServer(ctx context.Context, found *Found, p openai.Preset, server openai.Config) {
	ctx, cancel := context.WithTimeout(ctx, ListTimeout)
	defer cancel()
	at := Finding{What: server.BaseURLVariable + ", " + hostPortOf(server.BaseURL)}
	models, err := d.Models(ctx, server)
	models = slices.DeleteFunc(models, func(m agents.ModelInfo) bool { return !catalog.Debates(m.Name) })
	switch {
	case err != nil:
		at.Result = text.Line(err.Error())
	case len(models) == 0:
		at.Result = "no models"
	default:
		at.Result, at.OK = text.Count(len(models), "model"), true
		found.Sources = append(found.Sources, hostPortOf(server.BaseURL))
		found.Summary = append(found.Summary, modelsAt(len(models), hostPortOf(server.BaseURL)))
	}
	found.Findings = append(found.Findings, at)
	local, road := agents.IsLoopback(hostOf(server.BaseURL)), roadServers
	if local {
		road = roadLocal
	}
	for i, m := range models {
		profile := agents.Profile{Provider: p.Name, Model: m.Name, ContextWindow: m.Window, PriceIn: m.PriceIn, PriceOut: m.PriceOut}
		if local {
			free := 0.0
			profile.PriceIn, profile.PriceOut = &free, &free
		}
		found.add(road, candidateOf(profile, openAIProvider{server}, d.Env), 0, local && i > 0)
	}
}

func modelsAt(n int, server string) string {
	return text.Count(n, "chat model") + " found at " + server
}

func (f *Found) add(road road, seat Candidate, size int64, spare bool) {
	p := seat.Profile
	f.offers = append(f.offers, offer{catalog.Offer{Provider: p.Provider, ID: p.Model, Out: p.PriceOut, Size: size}, road, spare, seat})
}

// retiresSoon is how long a model has to be offered yet to be proposed.
const retiresSoon = 30 * 24 * time.Hour

// stockOf takes another server without a list for the preset's own, but for its prices.
func (d Discovery) stockOf(preset string) stock {
	s := stock{table: d.Catalog, preset: preset, priced: preset, now: d.Now()}
	if d.Listed != nil {
		s.list = d.Listed(preset)
	}
	if (openai.Config{Preset: preset}).WithEnvironment(d.Env).Moved() {
		if s.priced = ""; len(s.list.Models) > 0 {
			s.preset = ""
		}
	}
	return s
}

// offersOf proposes models of the server's list, else of the catalogue, else of the example.
func (d Discovery) offersOf(preset string) []offer {
	s := d.stockOf(preset)
	ids := slices.DeleteFunc(s.offered(), func(id string) bool {
		last, isSure := s.lastDay(id)
		return isSure && last.Sub(s.now) < retiresSoon
	})
	if example := d.exampleOf(preset); len(ids) == 0 && len(s.list.Models) == 0 && example.Model != "" {
		ids = []string{example.Model}
	}
	return text.Each(ids, func(id string) offer { return d.offerOf(s, preset, id) })
}

func (d Discovery) offerOf(s stock, preset, id string) offer {
	road := roadKeys
	switch {
	case preset == openRouter:
		road = roadRouter
	case preset == "groq", preset == "dashscope" && catalog.MakerOf(id) != "qwen":
		road = roadHosts
	}
	f := s.figures(id)
	p := agents.Profile{Provider: preset, Model: id, ContextWindow: f.Window}
	p.PriceIn, p.PriceOut, p.PriceCachedIn, p.Later = f.PriceIn, f.PriceOut, f.PriceCachedIn, f.Later
	if example := d.exampleOf(preset); example.Model == id && s.priced != "" && f.PriceFrom == "" {
		p = example
	}
	c := candidateOf(p, openAIProvider{openai.Config{Preset: preset}}, d.Env)
	if c.Note = s.list.unchecked(preset); c.Note == "" {
		if note := s.retires(id); note != "" {
			c.Note = id + " " + note
		}
	}
	return offer{Offer: catalog.Offer{Provider: preset, ID: id, Out: f.PriceOut}, road: road, seat: c}
}

func (d Discovery) exampleOf(preset string) (p agents.Profile) {
	for _, a := range d.Example.Agents {
		if d.Example.Providers[a.Provider].Preset == preset {
			p = a.Profile
			p.Provider = preset
			return p
		}
	}
	return p
}

// unchecked says that a model was not looked for in the list of its server, if there is none.
func (l List) unchecked(provider string) string {
	switch {
	case len(l.Models) > 0:
		return ""
	case l.Err != nil:
		return provider + ": not checked with the server: " + text.Line(l.Err.Error())
	}
	return provider + ": not checked with the server"
}

const ollamaTimeout = time.Second

// ollamaModels returns the models of an Ollama server that can debate, and how many of them, the
// first ones, fit into memory together. If no two do, the first is one that is loaded, then a
// larger one.
func (d Discovery) ollamaModels(ctx context.Context, server openai.Config) (models []openai.LocalModel, together int) {
	if d.Ollama == nil {
		return nil, 0
	}
	ctx, cancel := context.WithTimeout(ctx, ollamaTimeout)
	defer cancel()
	if preset, _ := openai.PresetNamed(ollama); d.OnlyLocal && !agents.IsLoopback(hostOf(cmp.Or(server.BaseURL, preset.BaseURL))) {
		return nil, 0
	}
	models, err := d.Ollama(ctx, server)
	if err != nil { // it is not running, which the findings say
		return nil, 0
	}
	models = slices.DeleteFunc(models, func(m openai.LocalModel) bool { return !m.Chat })
	slices.SortStableFunc(models, func(a, b openai.LocalModel) int {
		return cmp.Or(rank(b.Loaded)-rank(a.Loaded), cmp.Compare(b.Size, a.Size))
	})
	sizes := text.Each(models, func(m openai.LocalModel) catalog.Offer { return catalog.Offer{ID: m.Name, Size: m.Size} })
	fit := catalog.Together(sizes, memoryFor(models))
	place := map[string]int{}
	for i, o := range fit { // these come first
		place[o.ID] = i - len(fit)
	}
	slices.SortStableFunc(models, func(a, b openai.LocalModel) int { return place[a.Name] - place[b.Name] })
	return models, max(len(fit), min(len(models), 1))
}

func rank(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// memoryFor is what the server is taken to have: for the largest model, or for the loaded ones.
func memoryFor(models []openai.LocalModel) int64 {
	var largest, loaded int64
	for _, m := range models {
		largest = max(largest, m.Size)
		if m.Loaded {
			loaded += m.Size
		}
	}
	return max(largest, loaded)
}

// ListModels asks a server without a key for its models.
func ListModels(ctx context.Context, c openai.Config) ([]agents.ModelInfo, error) {
	client, err := openai.New(c.Preset, c, openai.Options{})
	if err != nil {
		return nil, err
	}
	return client.Models(ctx)
}

// ListOllama asks an Ollama server for its models.
func ListOllama(ctx context.Context, c openai.Config) ([]openai.LocalModel, error) {
	client, err := openai.New(ollama, c, openai.Options{})
	if err != nil {
		return nil, err
	}
	return client.LocalModels(ctx)
}

func firstOf(names []string) string {
	const shown = 3
	if len(names) <= shown {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:shown], ", "), len(names)-shown)
}

package config

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"roundtable/agents"
	"roundtable/agents/demo"
	"roundtable/agents/openai"
	"roundtable/debate"
	"roundtable/internal/text"
)

// Clients are the configured providers. Each is made, and its key asked for,
// when somebody first speaks through it.
type Clients struct {
	make map[string]func() (*openai.Client, error)
	demo agents.Provider
}

// ClientOptions is what clients need besides the configuration.
type ClientOptions struct {
	Env  func(string) (string, bool)
	Log  *slog.Logger
	Pace time.Duration // of the scripted panel
}

// NewClients returns the providers of a configuration. Ctx ends the commands
// that keys are asked of.
func NewClients(ctx context.Context, cfg Config, o ClientOptions) *Clients {
	c := &Clients{make: map[string]func() (*openai.Client, error){}, demo: demo.Provider{Pace: o.Pace}}
	providers := maps.Clone(cfg.Providers)
	if providers == nil {
		providers = map[string]openai.Config{}
	}
	for _, p := range openai.Presets() { // what was found without a config goes on without one
		if _, taken := providers[p.Name]; !taken {
			providers[p.Name] = openai.Config{Preset: p.Name}
		}
	}
	for name, p := range providers {
		c.make[name] = sync.OnceValues(func() (*openai.Client, error) {
			key, err := p.Key(ctx, o.Env)
			if err != nil {
				return nil, configFailure(name, err)
			}
			client, err := openai.New(name, p, openai.Options{Key: key, Logger: o.Log})
			if err != nil {
				return nil, configFailure(name, err)
			}
			return client, nil
		})
	}
	return c
}

func configFailure(name string, err error) error {
	return &agents.Failure{Kind: agents.KindConfig, Cause: fmt.Sprintf("Provider %s is not set up: %s.", name, strings.TrimSuffix(err.Error(), ".")), Err: err}
}

// Provider returns the client of a speaker.
func (c *Clients) Provider(p agents.Profile) (agents.Provider, error) {
	if p.Provider == debate.DemoProvider {
		return c.demo, nil
	}
	client, ok := c.make[p.Provider]
	if !ok {
		return nil, &agents.Failure{
			Kind: agents.KindConfig, Cause: fmt.Sprintf("The configuration has no provider %q.", text.Label(p.Provider)),
			Remedy: fmt.Sprintf("Add [providers.%s] to it; `roundtable config path` says where it is.", text.Label(p.Provider)),
		}
	}
	return client()
}

// Ready makes the clients of all speakers and returns what is wrong with them,
// a line for each provider.
func (c *Clients) Ready(speakers []agents.Profile) error {
	problems := map[string]string{}
	for _, p := range speakers {
		if _, err := c.Provider(p); err != nil {
			problems[p.Provider] = err.Error()
		}
	}
	if len(problems) == 0 {
		return nil
	}
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(problems)) {
		lines = append(lines, problems[name])
	}
	return errors.New(strings.Join(lines, "\n"))
}

// Normalized returns what of the providers' configuration is used otherwise than it
// is written.
func Normalized(cfg Config) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(cfg.Providers)) {
		client, err := openai.New(name, cfg.Providers[name], openai.Options{})
		if err != nil {
			continue // what is wrong has been told
		}
		out = append(out, client.Notices()...)
	}
	return out
}

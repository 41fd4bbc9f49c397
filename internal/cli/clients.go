package cli

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
)

// clients are the configured providers. Each is made, and its key asked for,
// when somebody first speaks through it.
type clients struct {
	make map[string]func() (*openai.Client, error)
	demo agents.Provider
}

// clientOptions is what clients need besides the configuration.
type clientOptions struct {
	env  func(string) (string, bool)
	log  *slog.Logger
	pace time.Duration // of the scripted panel
}

// newClients returns the providers of a configuration. Ctx ends the commands
// that keys are asked of.
func newClients(ctx context.Context, cfg Config, o clientOptions) *clients {
	c := &clients{make: map[string]func() (*openai.Client, error){}, demo: demo.Provider{Pace: o.pace}}
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
			key, err := p.Key(ctx, o.env)
			if err != nil {
				return nil, configFailure(name, err)
			}
			client, err := openai.New(name, p, openai.Options{Key: key, Logger: o.log})
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

// provider returns the client of a speaker.
func (c *clients) provider(p agents.Profile) (agents.Provider, error) {
	if p.Provider == debate.DemoProvider {
		return c.demo, nil
	}
	client, ok := c.make[p.Provider]
	if !ok {
		return nil, &agents.Failure{
			Kind: agents.KindConfig, Cause: fmt.Sprintf("The configuration has no provider %q.", plain(p.Provider)),
			Remedy: fmt.Sprintf("Add [providers.%s] to it; `roundtable config path` says where it is.", plain(p.Provider)),
		}
	}
	return client()
}

// ready makes the clients of all speakers and returns what is wrong with them,
// a line for each provider.
func (c *clients) ready(speakers []agents.Profile) error {
	problems := map[string]string{}
	for _, p := range speakers {
		if _, err := c.provider(p); err != nil {
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

// repairs returns what of the providers' configuration is used otherwise than it
// is written.
func repairs(cfg Config) []string {
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

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
	"roundtable/internal/text"
)

// Clients opens providers by name. Each is opened, and its key asked for, when an
// agent first speaks through it.
type Clients struct {
	open map[string]func() (agents.Provider, error)
}

// ClientOptions holds what providers need besides the configuration.
type ClientOptions struct {
	Env  func(string) (string, bool)
	Log  *slog.Logger
	Pace time.Duration // of the demo
}

// NewClients returns the providers of cfg and those that need no configuration.
// Ctx ends the commands that keys are asked of.
func NewClients(ctx context.Context, cfg Config, o ClientOptions) *Clients {
	c := &Clients{open: map[string]func() (agents.Provider, error){}}
	providers := map[string]provider{}
	for _, p := range known(o) {
		providers[p.name] = p.provider
	}
	maps.Copy(providers, cfg.tables())
	for name, p := range providers {
		c.open[name] = sync.OnceValues(func() (agents.Provider, error) {
			client, err := p.open(ctx, name, o)
			if err != nil {
				return nil, openFailure(name, err)
			}
			return client, nil
		})
	}
	return c
}

func openFailure(name string, err error) error {
	return &agents.Failure{
		Kind: agents.KindConfig, Cause: fmt.Sprintf("Provider %s is not set up: %s.", name, strings.TrimSuffix(err.Error(), ".")), Err: err,
	}
}

// Provider returns the provider of an agent.
func (c *Clients) Provider(p agents.Profile) (agents.Provider, error) {
	open, ok := c.open[p.Provider]
	if !ok {
		return nil, &agents.Failure{
			Kind: agents.KindConfig, Cause: fmt.Sprintf("The configuration has no provider %q.", text.Label(p.Provider)),
			Remedy: fmt.Sprintf("Add [providers.%s] to it; `roundtable config path` says where it is.", text.Label(p.Provider)),
		}
	}
	return open()
}

// Ready opens the providers of all agents. Its error has a line for each provider
// that cannot be opened.
func (c *Clients) Ready(all []agents.Profile) error {
	problems := map[string]string{}
	for _, p := range all {
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

// Normalized lists settings of providers that are used otherwise than they are written.
func Normalized(cfg Config) []string {
	var lines []string
	tables := cfg.tables()
	for _, name := range cfg.tableNames() {
		lines = append(lines, tables[name].normalized(name)...)
	}
	return lines
}

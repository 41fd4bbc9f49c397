package config

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"roundtable/agents"
	"roundtable/agents/acp"
	"roundtable/internal/crash"
	"roundtable/internal/text"
)

// Clients opens providers by name. Each is opened, and its key asked for, when a
// debate with its agents starts. Equal commands for keys run once.
type Clients struct {
	ctx       context.Context // of the commands that keys are asked of
	cancel    context.CancelFunc
	options   ClientOptions
	providers map[string]provider
	clients   memo[agents.Provider]
	opening   sync.WaitGroup
}

// ClientOptions holds what providers need besides the configuration.
type ClientOptions struct {
	Env        func(string) (string, bool)
	CommandEnv []string // of the commands that keys are asked of; nil is the process's own
	Log        *slog.Logger
	Pace       time.Duration // of the demo
	Version    string        // of this program
	Bridge     []string      // see acp.Options
	StateDir   string        // where providers keep what they learned about servers; "": nowhere

	keys *memo[string] // by the command that prints the key
}

// NewClients returns the providers of cfg and those that need no configuration.
// Ctx ends the commands that keys are asked of.
func NewClients(ctx context.Context, cfg Config, o ClientOptions) *Clients {
	o.keys = &memo[string]{}
	c := &Clients{options: o, providers: map[string]provider{}}
	c.ctx, c.cancel = context.WithCancel(ctx)
	for _, p := range known(o) {
		c.providers[p.name] = p.provider
	}
	maps.Copy(c.providers, cfg.tables())
	return c
}

// Close ends the commands that are still asked for keys, waits for their end, and closes
// the providers.
func (c *Clients) Close() error {
	c.cancel()
	c.opening.Wait()
	var err error
	for _, client := range c.clients.values() {
		if closer, ok := client.(io.Closer); ok {
			err = errors.Join(err, closer.Close())
		}
	}
	return err
}

// Prepare begins to open the providers of all agents, side by side. What failed before
// is tried again.
func (c *Clients) Prepare(all []agents.Profile) {
	c.options.keys.forget()
	c.clients.forget()
	for _, p := range all {
		c.opening.Add(1)
		crash.Go(func() {
			defer c.opening.Done()
			_, _ = c.Provider(p) // whoever needs the provider is told
		}, func(*crash.Panic) {})
	}
}

func openFailure(name string, err error) error {
	return &agents.Failure{
		Kind: agents.KindConfig, Cause: fmt.Sprintf("Provider %s is not set up: %s.", name, strings.TrimSuffix(err.Error(), ".")), Err: err,
	}
}

// Provider returns the provider of an agent.
func (c *Clients) Provider(p agents.Profile) (agents.Provider, error) {
	provider, ok := c.providers[p.Provider]
	if !ok {
		return nil, &agents.Failure{
			Kind: agents.KindConfig, Cause: fmt.Sprintf("The configuration has no provider %q.", text.Label(p.Provider)),
			Remedy: fmt.Sprintf("Add [providers.%s] to it; `roundtable config path` says where it is.", text.Label(p.Provider)),
		}
	}
	return c.clients.do(p.Provider, func() (agents.Provider, error) {
		client, err := provider.open(c.ctx, p.Provider, c.options)
		if err != nil {
			return nil, openFailure(p.Provider, err)
		}
		return client, nil
	})
}

// Ready opens the providers of all agents, side by side. Its error has a line for each provider
// that cannot be opened.
func (c *Clients) Ready(all []agents.Profile) error {
	c.Prepare(all)
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

// Usable returns the names of the providers to ask when none is named: those of the
// file, or without any the known ones that have a key, and a local Ollama.
func (c Config) Usable(env func(string) (string, bool)) []string {
	if names := c.tableNames(); len(names) > 0 {
		return names
	}
	var names []string
	for _, p := range known(ClientOptions{Env: env}) {
		if p.name == ollama || p.keyVariable() != "" && p.missing(env) == "" {
			names = append(names, p.name)
		}
	}
	return names
}

// Missing says what the user has to do before a provider can be used, such as "set
// OPENAI_API_KEY"; "" if it is ready.
func (c Config) Missing(name string, env func(string) (string, bool)) string {
	if p, ok := c.provider(name); ok {
		return p.missing(env)
	}
	return ""
}

// HasProvider reports whether agents can refer to a provider by this name.
func (c Config) HasProvider(name string) bool {
	_, ok := c.provider(name)
	return ok
}

// ProviderNames returns the names of all providers: those of the file, and those that
// need no table.
func (c Config) ProviderNames() []string {
	names := c.tableNames()
	for _, p := range known(ClientOptions{}) {
		if !slices.Contains(names, p.name) {
			names = append(names, p.name)
		}
	}
	return names
}

// Models asks a provider for its models. A provider that has none to choose from, such as
// the demo, has an empty list.
func (c *Clients) Models(ctx context.Context, name string) ([]agents.ModelInfo, error) {
	client, err := c.Provider(agents.Profile{Provider: name})
	if err != nil {
		return nil, err
	}
	if lister, ok := client.(agents.ModelLister); ok {
		return lister.Models(ctx)
	}
	return nil, nil
}

// ProgramAsks says what is set so that the program of a provider asks before it acts. Ok
// is false if the provider runs no program.
func (c Config) ProgramAsks(name string) (words string, ok bool) {
	p, _ := c.provider(name)
	program, ok := p.(acpProvider)
	if !ok {
		return "", false
	}
	return program.asks(), true
}

// Check starts the program of a provider and ends it again. It returns what the program
// says of itself, and asks nothing of a model.
func (c *Clients) Check(ctx context.Context, name string) (string, error) {
	client, err := c.Provider(agents.Profile{Provider: name})
	if err != nil {
		return "", err
	}
	program, ok := client.(*acp.Provider)
	if !ok {
		return "", fmt.Errorf("%s runs no program", name)
	}
	about, err := program.Check(ctx)
	if err != nil {
		return "", err
	}
	words := "starts"
	if about.Name != "" {
		words = strings.TrimSpace(about.Name+" "+about.Version) + " starts"
	}
	return fmt.Sprintf("%s, version %d of the Agent Client Protocol", words, about.Protocol), nil
}

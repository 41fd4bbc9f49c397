package config

import (
	"cmp"
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
	"roundtable/agents/demo"
	"roundtable/agents/openai"
	"roundtable/debate"
	"roundtable/internal/catalog"
	"roundtable/internal/crash"
	"roundtable/internal/text"
)

type provider interface {
	// open returns the provider ready for use. Ctx ends the commands that a key
	// is asked of.
	open(ctx context.Context, name string, o ClientOptions) (agents.Provider, error)
	// missing says what the user has to do before the provider can be used, such
	// as "set OPENAI_API_KEY"; "" if it is ready.
	missing(env func(string) (string, bool)) string
	// recipient names who receives the prompts. Local is true if they do not
	// leave this machine.
	recipient(env func(string) (string, bool)) (name string, local bool)
	// silence returns how long its models may be silent before the first piece of an
	// answer, and between two pieces, until that is shown as a warning.
	silence() (first, between time.Duration)
}

func (t ProviderTable) provider() provider {
	if t.Kind == kindACP {
		return acpProvider{t}
	}
	return openAIProvider{t.Config}
}

// validate reports all that is wrong. Each error begins with the key at fault and a colon.
func (t ProviderTable) validate() error {
	switch t.Kind {
	case kindACP:
		return acpProvider{t}.validate()
	case "":
		needs := map[string]bool{"command": len(t.Command) > 0, "env": t.Env != nil, "env_add": t.EnvAdd != nil}
		if err := unused(fmt.Sprintf("needs kind = %q", kindACP), needs); err != nil {
			return err
		}
		return t.Validate()
	}
	return fmt.Errorf("kind: %q is none; leave it out, or set %q for an agent's own program", text.Label(t.Kind), kindACP)
}

// unused reports the keys that are set and have no meaning in a table of its kind.
func unused(why string, keys map[string]bool) error {
	var errs []error
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if keys[key] {
			errs = append(errs, fmt.Errorf("%s: %s", key, why))
		}
	}
	return errors.Join(errs...)
}

func (c Config) tableNames() []string { return slices.Sorted(maps.Keys(c.Providers)) }

// knownProvider is a provider that needs no table, and the name by which agents refer to it.
type knownProvider struct {
	name string
	provider
}

// known returns providers that need no table. Programs end in -acp: gemini is also a server.
func known() []knownProvider {
	var all []knownProvider
	for _, p := range openai.Presets() {
		all = append(all, knownProvider{p.Name, openAIProvider{openai.Config{Preset: p.Name}}})
	}
	for _, p := range acp.Presets() {
		all = append(all, knownProvider{p.Name + "-" + kindACP, presetProvider(p.Name)})
	}
	return append(all, knownProvider{demo.Name, demoProvider{}})
}

// provider returns a table of the configuration by its name, or else a known provider.
func (c Config) provider(name string) (provider, bool) {
	if t, ok := c.Providers[name]; ok {
		return t.provider(), true
	}
	for _, p := range known() {
		if p.name == name {
			return p.provider, true
		}
	}
	return nil, false
}

func keyVariable(p provider) string {
	server, _ := p.(openAIProvider)
	return server.KeyVariable()
}

// Clients opens providers by name. Each is opened, and its key asked for, when a
// debate with its agents starts. Equal commands for keys run once.
type Clients struct {
	ctx     context.Context // of the commands that keys are asked of
	cancel  context.CancelFunc
	options ClientOptions
	cfg     Config
	clients memo[agents.Provider]
	opening sync.WaitGroup
}

// ClientOptions holds what providers need besides the configuration.
type ClientOptions struct {
	Env        func(string) (string, bool)
	CommandEnv []string // of the commands that keys are asked of; nil is the process's own
	Log        *slog.Logger
	Pace       time.Duration // of the demo
	Version    string        // of this program
	Guard      []string      // see acp.Options
	Tools      []string      // see acp.Options
	NoCommands bool          // see acp.Options

	keys   *memo[string]                       // by the command that prints the key
	starts *memo[chan struct{}]                // see acp.Options, by the program
	gone   func(provider, model string) string // see Config.Gone
}

// NewClients returns the providers of cfg and those that need no configuration.
// Ctx ends the commands that keys are asked of.
func NewClients(ctx context.Context, cfg Config, o ClientOptions) *Clients {
	o.keys, o.starts, o.gone = &memo[string]{}, &memo[chan struct{}]{}, cfg.Gone
	c := &Clients{options: o, cfg: cfg}
	c.ctx, c.cancel = context.WithCancel(ctx)
	return c
}

// Close ends the commands that are still asked for keys, waits for their end, and closes
// the providers.
func (c *Clients) Close() error {
	c.cancel()
	c.opening.Wait()
	var err error
	c.clients.mu.Lock()
	defer c.clients.mu.Unlock()
	for _, client := range c.clients.values {
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
			_, _ = c.Provider(p) // the next caller of Provider gets the error
		}, func(*crash.Panic) {})
	}
}

// Provider returns the provider of an agent.
func (c *Clients) Provider(p agents.Profile) (agents.Provider, error) {
	provider, ok := c.cfg.provider(p.Provider)
	if !ok {
		return nil, &agents.Failure{
			Kind:   agents.KindConfig,
			Cause:  fmt.Sprintf("The configuration has no provider %q.", text.Label(p.Provider)),
			Remedy: fmt.Sprintf("Add [providers.%s] to it; `roundtable config path` says where it is.", text.Label(p.Provider)),
		}
	}
	if to, local := provider.recipient(c.options.Env); c.cfg.Defaults.OnlyLocal && !local {
		return nil, &agents.Failure{
			Kind: agents.KindConfig, Cause: "Nothing was sent to " + text.Line(to) + ": only_local lets nothing leave this machine.",
		}
	}
	return c.clients.do(p.Provider, func() (agents.Provider, error) {
		client, err := provider.open(c.ctx, p.Provider, c.options)
		if err != nil {
			why := strings.TrimSuffix(err.Error(), ".")
			return nil, &agents.Failure{
				Kind: agents.KindConfig, Cause: fmt.Sprintf("Provider %s is not set up: %s.", p.Provider, why), Err: err,
			}
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
	lines := text.Each(slices.Sorted(maps.Keys(problems)), func(name string) string { return problems[name] })
	return errors.New(strings.Join(lines, "\n"))
}

// Usable returns the names of the providers to ask when none is named: those of the file, or
// without any the known ones that have a key or an address in the environment, and a local Ollama.
func (c Config) Usable(env func(string) (string, bool)) []string {
	if names := c.tableNames(); len(names) > 0 {
		return names
	}
	var names []string
	for _, p := range known() {
		server, _ := p.provider.(openAIProvider)
		named := server.KeyVariable() != "" || server.WithEnvironment(env).BaseURLVariable != ""
		if p.name == ollama || named && p.missing(env) == "" {
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

// ProviderNames returns the names of all providers: those of the file, and those that
// need no table.
func (c Config) ProviderNames() []string {
	names := c.tableNames()
	for _, p := range known() {
		if !slices.Contains(names, p.name) {
			names = append(names, p.name)
		}
	}
	return names
}

// KeyUnchecked reports whether a provider's list of models says nothing about its key.
func (c *Clients) KeyUnchecked(ctx context.Context, name string) bool {
	client, err := c.Provider(agents.Profile{Provider: name})
	if err != nil {
		return false
	}
	server, ok := client.(*openai.Client)
	return ok && server.KeyUnchecked(ctx)
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

// memo calls functions once by name. A success is kept. A failure is shared by all
// that wait for it, and kept until forget.
type memo[T any] struct {
	mu     sync.Mutex
	calls  map[string]func() (T, error)
	failed []string
	values []T // of those that succeeded
}

func (m *memo[T]) do(name string, f func() (T, error)) (T, error) {
	m.mu.Lock()
	if m.calls == nil {
		m.calls = map[string]func() (T, error){}
	}
	call, begun := m.calls[name]
	if !begun {
		call = sync.OnceValues(func() (T, error) {
			value, err := f()
			m.mu.Lock()
			defer m.mu.Unlock()
			if err != nil {
				m.failed = append(m.failed, name)
			} else {
				m.values = append(m.values, value)
			}
			return value, err
		})
		m.calls[name] = call
	}
	m.mu.Unlock()
	return call()
}

// forget drops the failures, so that the next call runs again.
func (m *memo[T]) forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, name := range m.failed {
		delete(m.calls, name)
	}
	m.failed = nil
}

// Discovery looks for agents that can debate without a configuration. It reads
// the environment and asks the local server; it sends nothing to anyone else.
type Discovery struct {
	Catalog catalog.Table // says which model of a provider is proposed
	Now     func() time.Time
	Example Config                                                           // has a model for each preset that the catalogue has none of
	Env     func(name string) (value string, ok bool)                        // the environment
	Ollama  OllamaLister                                                     // nil: it is not asked
	Listed  func(provider string) List                                       // what its server said of its models; nil: nothing
	Models  func(context.Context, openai.Config) ([]agents.ModelInfo, error) // of a server without a key; nil: none is asked

	OnlyLocal bool // ask and offer nothing that is not on this machine

	LookPath func(program string) (path string, err error) // finds programs on PATH; nil: none is looked for
}

// OllamaLister lists the models of the Ollama server of a configuration.
type OllamaLister func(ctx context.Context, c openai.Config) ([]openai.LocalModel, error)

// Found is the result of a Discovery.
type Found struct {
	Candidates []Candidate // in the order in which they take seats, without ids and names
	Findings   []Finding   // where it looked, and with what result
	Sources    []string    // what it found, such as "ollama" and "2 keys"
	Summary    []string    // the same in words, such as "3 chat models found at Ollama"

	Unseated Unseated // agents on PATH that one command makes seats

	offers []offer
}

type offer struct {
	catalog.Offer
	road  road
	spare bool // see Candidate
	seat  Candidate
}

// road is a way to models. A maker's are taken by the first one that has some.
type road int

const (
	roadKeys    road = iota // of the makers
	roadAgents              // that are on PATH
	roadServers             // at addresses of the environment
	roadHosts               // of open models
	roadRouter
	roadLocal
	roads int = iota
)

// seats returns so many seats at most in the order in which they are taken, and then spare ones.
func seats(offers []offer, most int) []Candidate {
	by, spare := make([][]catalog.Offer, roads), []catalog.Offer(nil)
	seat := map[[2]string]Candidate{}
	for _, o := range offers {
		seat[[2]string{o.Provider, o.ID}] = o.seat
		if o.spare {
			spare = append(spare, o.Offer)
		} else {
			by[o.road] = append(by[o.road], o.Offer)
		}
	}
	var all []Candidate
	seated, first, then := map[string]bool{}, catalog.Panel(by...), catalog.Panel(spare)
	for _, o := range first[:min(len(first), most)] {
		one := seat[[2]string{o.Provider, o.ID}]
		one.Step = stepOf(o, seated)
		all = append(all, one)
	}
	for _, o := range then[:min(len(then), maxLocalModels)] {
		one := seat[[2]string{o.Provider, o.ID}]
		one.Spare = true
		all = append(all, one)
	}
	return all
}

// Finding is one place where agents were looked for.
type Finding struct {
	What   string
	Result string
	OK     bool
}

// Candidate is an agent that could take a seat.
type Candidate struct {
	Profile   agents.Profile
	Problem   string // what to do before it can debate, such as "set OPENAI_API_KEY"; "" if it can
	Local     bool   // it runs on this machine
	Spare     bool   // another model of its server is offered before it; both would evict each other
	Recipient string // who receives its prompts, such as "OpenAI"
	Asks      string // what is set so that a program asks before it acts; "" for a model
	Note      string // what to know of its model, such as until when it is offered
	Step      string // how it was chosen, such as "the best of gpt"
}

// Look asks servers and looks for programs.
func (d Discovery) Look(ctx context.Context) Found {
	var all Found
	d.lookForServers(ctx, &all)
	d.lookForPrograms(&all)
	if d.OnlyLocal { // before a maker is taken from another road
		all.offers = slices.DeleteFunc(all.offers, func(o offer) bool { return !o.seat.Local })
		all.Findings = append(all.Findings, Finding{What: "Keys and programs", Result: "not used: only_local"})
		all.Unseated = Unseated{}
	}
	all.Candidates = seats(all.offers, debate.MaxSeats)
	return all
}

// Candidates returns the configured agents in the order of the file.
func (c Config) Candidates(env func(string) (string, bool)) []Candidate {
	var all []Candidate
	for _, a := range c.Agents {
		if p, ok := c.provider(a.Provider); ok {
			one := candidateOf(c.profile(a.Profile), p, env)
			if retires := c.Retires(a.Provider, a.Model); retires != "" {
				one.Note = a.Model + " " + retires
			}
			all = append(all, one)
		}
	}
	return all
}

func candidateOf(profile agents.Profile, p provider, env func(string) (string, bool)) Candidate {
	recipient, local := p.recipient(env)
	c := Candidate{Profile: profile, Problem: p.missing(env), Local: local, Recipient: recipient}
	if agent, ok := p.(acpProvider); ok {
		c.Asks = agent.asks()
	}
	return c
}

// Silence returns how long the models of a provider may be silent, see provider; 0 is no
// limit.
func (c Config) Silence(name string) (first, between time.Duration) {
	if p, ok := c.provider(name); ok {
		return p.silence()
	}
	return 0, 0
}

// Recipient names who receives what is sent to a provider. Local is true if that
// is this machine, which is named by the provider.
func (c Config) Recipient(name string, env func(string) (string, bool)) (recipient string, local bool) {
	p, ok := c.provider(name)
	if !ok {
		return name, false
	}
	recipient, local = p.recipient(env)
	if local {
		return name, true
	}
	return cmp.Or(recipient, name), false
}

// Local reports whether what is sent to a provider stays on this machine.
func (c Config) Local(name string, env func(string) (string, bool)) bool {
	_, local := c.Recipient(name, env)
	return local
}

type demoProvider struct{}

func (demoProvider) missing(func(string) (string, bool)) string                      { return "" }
func (demoProvider) recipient(func(string) (string, bool)) (name string, local bool) { return "", true }

func (demoProvider) silence() (first, between time.Duration) { return 0, 0 }

func (demoProvider) open(_ context.Context, _ string, o ClientOptions) (agents.Provider, error) {
	return demo.New(o.Pace), nil
}

package config

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"roundtable/agents"
	"roundtable/agents/openai"
	"roundtable/internal/crash"
	"roundtable/internal/file"
	"roundtable/internal/text"
)

// ErrListsOff says that no server is asked for its list of models.
var ErrListsOff = errors.New("not asked for its models: ask_lists is false in the config")

// ListTimeout is how long a list of models is waited for.
const ListTimeout = 3 * time.Second

const (
	listLifetime = 24 * time.Hour // until a server is asked again
	maxListed    = 10_000         // models of a list
	maxListFile  = 8 << 20        // bytes
	maxModelName = 200            // runes
	maxWindow    = 1 << 30        // tokens
	maxPrice     = 1e6            // USD per million tokens
)

// List is what a server said of its models.
type List struct {
	Asked  time.Time          `json:"asked"`
	Models []agents.ModelInfo `json:"models"`        // by name
	Cut    int                `json:"cut,omitempty"` // models that the server has besides
	Err    error              `json:"-"`             // why it gave none when it was asked last
}

// Find returns a model of the list. Ollama takes the name without the tag latest, too.
func (l List) Find(model string) (agents.ModelInfo, bool) {
	for _, name := range []string{model, model + ":latest"} {
		if i, ok := slices.BinarySearchFunc(l.Models, name, compareNames); ok {
			return l.Models[i], true
		}
	}
	return agents.ModelInfo{}, false
}

func compareNames(m agents.ModelInfo, name string) int { return strings.Compare(m.Name, name) }

// Lists keeps the lists of models that servers gave within the last day, in a folder of the
// user's cache. It asks nobody; Clients.Models does.
type Lists struct {
	env func(string) (string, bool)
	dir string
	now func() time.Time

	mu    sync.Mutex
	known map[string]List // by file
}

// NewLists returns the lists in a folder; without one they are kept in memory only. The
// environment says which presets are at another address.
func NewLists(env func(string) (string, bool), dir string, now func() time.Time) *Lists {
	return &Lists{env: env, dir: dir, now: now, known: map[string]List{}}
}

// WithLists returns the configuration with the lists of models that servers gave.
func (c Config) WithLists(l *Lists) Config {
	c.lists = l
	return c
}

func (c Config) asks(s server) bool {
	return c.Defaults.AskLists && (!c.Defaults.OnlyLocal || agents.IsLoopback(hostOf(s.address)))
}

func (c Config) now() time.Time {
	if c.lists == nil {
		return time.Now()
	}
	return c.lists.now()
}

type server struct {
	address string
	keyName string // of a variable, or the command that prints the key
	command bool   // the key is printed by a command
	preset  string // "" on another address than the preset's own
}

func (c Config) server(name string) (s server, ok bool) {
	p, ok := c.provider(name)
	endpoint, isServer := p.(openAIProvider)
	if !ok || !isServer {
		return s, false
	}
	var env func(string) (string, bool)
	if c.lists != nil {
		env = c.lists.env
	}
	return endpoint.server(env), true
}

func (p openAIProvider) server(env func(string) (string, bool)) server {
	c := p.WithEnvironment(env)
	s := server{address: c.Address(), keyName: c.KeyVariable(), command: len(c.APIKeyCommand) > 0, preset: c.Preset}
	if s.command {
		s.keyName = strings.Join(c.APIKeyCommand, "\x00")
	}
	if c.Moved() {
		s.preset = ""
	}
	return s
}

// file names the file of a list. It tells neither the address nor what the key is called.
func (s server) file() string {
	key := sha256.Sum256([]byte(s.keyName))
	sum := sha256.Sum256([]byte(s.address + "\n" + hex.EncodeToString(key[:])))
	return hex.EncodeToString(sum[:16]) + ".json"
}

// Listed returns what the server of a provider said of its models within the last day. It
// asks nobody.
func (c Config) Listed(provider string) List {
	s, ok := c.server(provider)
	if !ok || c.lists == nil {
		return List{}
	}
	return c.lists.today(s)
}

// Unlisted returns the providers whose servers are asked for their models when a debate is
// set up: those of the agents, or without agents those whose keys are set, unless their
// lists are of today. No command is run for a key.
func (c Config) Unlisted(env func(string) (string, bool)) []string {
	var names []string
	all := text.Each(c.Agents, func(a Agent) string { return a.Provider })
	for _, p := range openai.Presets() {
		if len(c.Agents) == 0 && p.KeyEnv != "" && isSet(env, p.KeyEnv) {
			all = append(all, p.Name)
		}
	}
	for _, name := range all {
		s, ok := c.server(name)
		if ok && c.asks(s) && !s.command && !slices.Contains(names, name) && c.Missing(name, env) == "" &&
			len(c.Listed(name).Models) == 0 {
			names = append(names, name)
		}
	}
	return names
}

// AskLists asks the servers of providers for their models, side by side, and waits 3 s at
// most. What they say, or why they do not, is in Config.Listed then.
func (c *Clients) AskLists(ctx context.Context, providers []string) {
	ctx, cancel := context.WithTimeout(ctx, ListTimeout)
	defer cancel()
	var wait sync.WaitGroup
	for _, name := range providers {
		wait.Go(func() {
			var err error // the list has it; a panic leaves no list
			defer crash.Catch(&err)
			_, err = c.Models(ctx, name, false)
		})
	}
	wait.Wait()
}

// Models returns the models of a provider: those of today's list, or with fresh or without
// one what its server says when it is asked. A provider that has none to choose from, such
// as the demo, has an empty list.
func (c *Clients) Models(ctx context.Context, name string, fresh bool) ([]agents.ModelInfo, error) {
	s, kept := c.cfg.server(name)
	kept = kept && c.cfg.lists != nil
	if kept && !fresh {
		if l := c.cfg.lists.today(s); len(l.Models) > 0 {
			return l.Models, nil
		}
	}
	if kept && !c.cfg.Defaults.AskLists {
		return nil, ErrListsOff
	}
	client, err := c.Provider(agents.Profile{Provider: name})
	var models []agents.ModelInfo
	if lister, ok := client.(agents.ModelLister); ok && err == nil {
		models, err = lister.Models(ctx)
	}
	list := List{Cut: max(0, len(models)-maxListed), Models: cleanModels(models), Err: err}
	if kept {
		if err := c.cfg.lists.keep(s, list); err != nil && c.options.Log != nil {
			c.options.Log.Warn("list of models was not kept", "provider", name, "error", err)
		}
	}
	return list.Models, err
}

func (l *Lists) today(s server) List {
	l.mu.Lock()
	defer l.mu.Unlock()
	file, now := s.file(), l.now()
	known, ok := l.known[file]
	if !ok && l.dir != "" {
		raw, err := text.ReadFile(filepath.Join(l.dir, file), maxListFile)
		if err != nil || json.Unmarshal(raw, &known) != nil {
			return List{}
		}
		known.Models = cleanModels(known.Models)
		l.known[file] = known
	}
	if age := now.Sub(known.Asked); age < 0 || age >= listLifetime {
		return List{}
	}
	return known
}

func (l *Lists) keep(s server, list List) error {
	list.Asked = l.now().UTC()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.known[s.file()] = list
	if l.dir == "" || list.Err != nil || len(list.Models) == 0 {
		return nil
	}
	return l.write(s.file(), list)
}

// write replaces a file of the cache by the JSON of a value.
func (l *Lists) write(name string, v any) error {
	raw, err := json.Marshal(v)
	if err == nil {
		err = os.MkdirAll(l.dir, 0o700)
	}
	if err != nil {
		return err
	}
	return file.Replace(filepath.Join(l.dir, name), raw)
}

// cleanModels returns, sorted by name, what can be believed of a list, which is foreign text.
func cleanModels(all []agents.ModelInfo) []agents.ModelInfo {
	var out []agents.ModelInfo
	for _, m := range all[:min(len(all), maxListed)] {
		if !isModelName(m.Name) {
			continue
		}
		m.Note = ""
		if m.Window < 0 || m.Window > maxWindow {
			m.Window = 0
		}
		for _, price := range []**float64{&m.PriceIn, &m.PriceOut, &m.PriceCachedIn} {
			if p := *price; p != nil && (math.IsNaN(*p) || *p < 0 || *p > maxPrice) {
				*price = nil
			}
		}
		out = append(out, m)
	}
	slices.SortStableFunc(out, func(a, b agents.ModelInfo) int { return compareNames(a, b.Name) })
	return out
}

func isModelName(name string) bool {
	return name != "" && name == text.Line(name) && len([]rune(name)) <= maxModelName
}

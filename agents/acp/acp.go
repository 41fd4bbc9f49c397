// Package acp is the provider for agents that run a loop of their own and speak the Agent
// Client Protocol, such as OpenCode, Gemini CLI and Claude Code.
//
// The program of an agent runs once for each seat, for as long as its debate is open. Each
// turn is a new session of it, whose prompt is all that it gets from us. Our tools reach it
// as an MCP server with a secret of the turn: a caller with the secret speaks for that turn,
// not for one that the agent names. What the agent does with tools of its own is recorded as its calls,
// and when it asks for permission, the kind of the tool decides, or the user does.
//
// It imports agents, internal/process, internal/text and the SDKs of both protocols. It must not
// know sessions, stores, screens or who configures it.
package acp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"roundtable/agents"
	"roundtable/internal/secret"
	"roundtable/internal/text"
)

// Options are what a Provider works with. Env is required.
type Options struct {
	Env     func(name string) (string, bool) // looks up a variable
	Version string                           // of this program

	Tools      []string // names of our tools, which the agent is to call without asking
	NoCommands bool     // no user can approve commands, and none is allowed

	// Guard is the command that ends what an agent has started when this program is killed;
	// nil: there is none.
	Guard []string

	// Starts has an element while a program starts, since some prepare files at their first start. Providers
	// of one command share it; nil: this provider has its own.
	Starts chan struct{}

	// AfterFunc calls f after a while; nil means time.AfterFunc.
	AfterFunc func(d time.Duration, f func()) (stop func() bool)
}

// Provider runs the agents of one configuration. It is safe for concurrent use.
type Provider struct {
	name    string
	config  Config
	options Options
	tools   toolServer
	mask    secret.Values
	late    atomic.Bool // the agent took our tools late once

	mu     sync.Mutex
	seats  map[seatKey]*seat
	closed bool
}

type seatKey struct {
	session string
	agent   agents.ID
}

var (
	_ agents.LoopProvider = (*Provider)(nil)
	_ agents.ModelLister  = (*Provider)(nil)
)

// New returns the provider of a configuration by its name. Nothing is started yet.
func New(name string, c Config, o Options) (*Provider, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if o.AfterFunc == nil {
		o.AfterFunc = func(d time.Duration, f func()) func() bool { return time.AfterFunc(d, f).Stop }
	}
	if o.Starts == nil {
		o.Starts = make(chan struct{}, 1)
	}
	var secrets []string
	for _, variable := range c.EnvAdd {
		if value, ok := o.Env(variable); ok {
			secrets = append(secrets, value)
		}
	}
	return &Provider{
		name: name, config: c.orDefault().with(o), options: o, mask: secret.NewValues("[key]", secrets), seats: map[seatKey]*seat{},
	}, nil
}

var errClosed = errors.New("the provider is closed")

func (p *Provider) seat(session string, agent agents.ID) (*seat, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, errClosed
	}
	key := seatKey{session, agent}
	s := p.seats[key]
	if s == nil {
		s = newSeat(p)
		p.seats[key] = s
	}
	return s, nil
}

// Prepare begins to start the program of a speaker.
func (p *Provider) Prepare(session string, who agents.Profile, workspace bool) {
	if s, err := p.seat(session, who.ID); err == nil {
		s.prepare(!workspace)
	}
}

// CloseSession ends the programs of a session. It returns within about three seconds.
func (p *Provider) CloseSession(session string) {
	p.closeSeats(func(key seatKey) bool { return key.session == session })
}

// Close ends all programs. It returns within about three seconds.
func (p *Provider) Close() error {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.closeSeats(func(seatKey) bool { return true })
	return p.tools.close()
}

func (p *Provider) closeSeats(which func(seatKey) bool) {
	var all sync.WaitGroup
	p.mu.Lock()
	for key, s := range p.seats {
		if which(key) {
			delete(p.seats, key)
			all.Go(s.close)
		}
	}
	p.mu.Unlock()
	all.Wait()
}

// Stream streams a completion without tools.
func (p *Provider) Stream(ctx context.Context, req agents.Request) iter.Seq2[agents.Chunk, error] {
	return p.StreamTurn(ctx, agents.Turn{}, req, nil)
}

// Check starts the program of the agent and ends it again. It returns what the program
// says of itself, and asks nothing of a model. The error is a *agents.Failure.
func (p *Provider) Check(ctx context.Context) (About, error) {
	s := newSeat(p)
	defer s.close()
	var about About
	err := s.begin(ctx, false, func(a *agent) error {
		about = a.about()
		return nil
	})
	return about, err
}

// About is what the program of an agent says of itself, safe to show.
type About struct {
	Name     string // of the program; may be empty
	Version  string // of the program; may be empty
	Protocol int    // version of the Agent Client Protocol
}

// Config says how to run the program of an agent.
type Config struct {
	Preset          // what is known of the program
	Env    []string // the variables that the program gets; nil: DefaultEnv
	EnvAdd []string // variables that it gets besides; their values are masked in all that it says

	Start  time.Duration // until it is ready, and until a session of it is; 0: DefaultStart
	First  time.Duration // until it says anything in a turn; 0: DefaultFirst
	Silent time.Duration // between two updates of a turn; 0: DefaultSilent
}

// The times that a Config leaves out.
const (
	DefaultStart  = time.Minute
	DefaultFirst  = 10 * time.Minute
	DefaultSilent = 10 * time.Minute
)

// DefaultEnv returns the names of the variables that a program gets unless its Config
// says otherwise: where things are, the language, proxies and certificates. None of them
// holds a key.
func DefaultEnv() []string {
	return []string{
		"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR",
		"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_DIRS", "XDG_DATA_DIRS",
		"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "no_proxy", "all_proxy",
		"SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE",
		"SystemRoot", "SystemDrive", "ComSpec", "PATHEXT", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "TEMP", "TMP", // Windows
	}
}

// Validate returns all that is wrong with the configuration. Each error names its key.
func (c Config) Validate() error {
	var errs []error
	switch {
	case len(c.Command) == 0 || strings.TrimSpace(c.Command[0]) == "":
		errs = append(errs, errors.New("command: give the program of the agent, such as [\"opencode\", \"acp\"]"))
	case strings.HasPrefix(c.Command[0], "~"):
		errs = append(errs, errors.New("command: no shell reads it: write the home folder out"))
	case filepath.Base(c.Command[0]) != c.Command[0] && !filepath.IsAbs(c.Command[0]):
		errs = append(errs, errors.New("command: name a program on PATH, or give its whole path"))
	}
	errs = append(errs, checkNames("env", c.Env), checkNames("env_add", c.EnvAdd))
	for _, t := range []struct {
		key  string
		time time.Duration
	}{{"timeouts.connect", c.Start}, {"timeouts.first_payload", c.First}, {"timeouts.idle", c.Silent}} {
		if t.time < 0 {
			errs = append(errs, fmt.Errorf("%s: %s is less than nothing", t.key, t.time))
		}
	}
	return errors.Join(errs...)
}

func checkNames(key string, names []string) error {
	var errs []error
	for i, name := range names {
		if name == "" || strings.ContainsAny(name, "= \t\r\n\x00$") { // it may be a secret, so it is not quoted
			errs = append(errs, fmt.Errorf("%s[%d]: is not the name of a variable", key, i))
		} else if changesLoading(name) {
			errs = append(errs, fmt.Errorf("%s[%d]: %s changes what programs load or run; remove it, "+
				"or set it in a script of your own that command names", key, i, text.Label(name)))
		}
	}
	return errors.Join(errs...)
}

// changesLoading reports whether a variable makes programs load or run something else than
// they would.
func changesLoading(name string) bool {
	name = strings.ToUpper(name)
	for _, prefix := range []string{"LD_", "DYLD_", "PYTHON", "GIT_"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return name == "NODE_OPTIONS" || name == "BASH_ENV"
}

func (c Config) passed() []string {
	names := c.Env
	if names == nil {
		names = DefaultEnv()
	}
	return slices.Concat(names, c.EnvAdd)
}

func (c Config) environment(lookup func(string) (string, bool)) []string {
	set := map[string]string{}
	for _, name := range c.passed() {
		if value, ok := lookup(name); ok {
			set[name] = value
		}
	}
	maps.Copy(set, c.Set)
	set[SeatVariable] = "1"
	env := []string{}
	for name, value := range set {
		env = append(env, name+"="+value)
	}
	env = c.Adapter.environ(env)
	slices.Sort(env)
	return env
}

// SeatVariable is set for the program of an agent, and so for what it starts. Under it no
// debate is started: agents load the servers of their user, too, among them perhaps ours.
const SeatVariable = "ROUNDTABLE_SEAT"

func (c Config) orDefault() Config {
	c.Start, c.First, c.Silent = cmp.Or(c.Start, DefaultStart), cmp.Or(c.First, DefaultFirst), cmp.Or(c.Silent, DefaultSilent)
	return c
}

// Preset is what is known of an agent that people have installed: how it is started, how
// one signs in, and what is set so that it asks before it acts.
type Preset struct {
	Name    string
	Maker   string            // of its models, see catalog.Offer; "": any
	Command []string          // program and arguments; no shell
	Trust   []string          // arguments with which it trusts any folder; they are added if it works in an empty one of ours
	Keys    []string          // variables in which it takes a key, for a hint when it is not signed in
	Set     map[string]string // further variables, such as one that makes it ask before it acts
	Allow   string            // an argument that allows a tool of ours, with %s for its name; "": it asks
	Deny    []string          // arguments with which it denies commands itself; see Options.NoCommands
	DenySet map[string]string // variables of Set that have another value then

	LastUsage bool // it reports the tokens of the last completion of a turn only

	Mode    string // the mode of its sessions that asks before it acts, where it has modes; "": its own settings choose
	SignIn  string // the command with which the user signs in; "": not known
	With    string // what one signs in with, where an account alone does not do; "": an account
	Install string // the command that installs the program; it is never run
	Adapter Adapter

	// Free are patterns of the models that it offers to whoever has no provider. It is asked
	// nothing while it has no others, unless the seat names one of them.
	Free []string

	// ToolPrefix stands before the names of our tools where the agent's model sees them; ""
	// if the model sees the names alone, or that is not known.
	ToolPrefix string

	// Asks says what Command, Set and Mode do so that the agent asks, or that nothing can be set.
	Asks string
}

// Presets returns the agents that are known, as of 30 November 2026. Their names, options
// and packages change: a table with a command of its own needs none of this.
func Presets() []Preset {
	claude := Adapter{"claude", "@agentclientprotocol/claude-agent-acp", "0.101.0", 22, 80, 402, "CLAUDE_CODE_EXECUTABLE"}
	codex := Adapter{"codex", "@agentclientprotocol/codex-acp", "2.6.0", 20, 22, 457, "CODEX_PATH"}
	return append([]Preset{
		{
			Name: "claude", Maker: "claude", Command: []string{"claude-agent-acp"}, SignIn: "claude /login",
			Install: Install(false, claude), Adapter: claude, ToolPrefix: "mcp__" + serverName + "__",
			Mode: "default", Keys: []string{"ANTHROPIC_API_KEY"},
			Asks: "its sessions are in the mode that asks",
		},
		{
			Name: "codex", Maker: "gpt", Command: []string{"codex-acp"}, SignIn: "codex login",
			Install: Install(false, codex), Adapter: codex,
			Keys: []string{"CODEX_API_KEY", "OPENAI_API_KEY"},
			Set:  map[string]string{"INITIAL_AGENT_MODE": "read-only"},
			Asks: "it starts in its read-only mode",
		},
		{
			Name: "gemini", Maker: "gemini", Command: []string{"gemini", "--acp", "--approval-mode", "default"},
			SignIn:  "gemini",
			Install: "npm install -g @google/gemini-cli", ToolPrefix: "mcp_" + serverName + "_",
			With: "an API key or a company licence", Keys: []string{"GEMINI_API_KEY"},
			Trust: []string{"--skip-trust"}, // it takes MCP servers only in a folder that it trusts
			Asks:  "its approval mode is the one that asks",
		},
		{
			Name: "opencode", Command: []string{"opencode", "acp"}, SignIn: "opencode auth login",
			Install: "npm install -g opencode-ai", ToolPrefix: serverName + "_",
			Set: map[string]string{
				"OPENCODE_PERMISSION":     `{"bash":"ask","edit":"deny","webfetch":"ask","websearch":"ask","external_directory":"ask"}`,
				"OPENCODE_CONFIG_CONTENT": `{"experimental":{"continue_loop_on_deny":true}}`,
			},
			LastUsage: true, Free: []string{"opencode/big-pickle", "opencode/*-free"},
			DenySet: map[string]string{ // it is merged over what OPENCODE_CONFIG_CONTENT permits
				"OPENCODE_PERMISSION": `{"bash":"deny","edit":"deny","webfetch":"ask","websearch":"ask","external_directory":"ask"}`,
			},
			Asks: "its permissions are set: commands and the web ask, edits are denied",
		},
		{
			Name: "copilot", Command: []string{"copilot", "--acp", "--deny-tool=write"}, SignIn: "copilot login",
			Install: "npm install -g @github/copilot", ToolPrefix: serverName + "-",
			Allow: "--allow-tool=" + serverName + "(%s)",
			// It ends its turn when the client denies a command, and continues when it denies it itself.
			Deny: []string{"--deny-tool=shell"},
			Asks: "edits are denied; the rest asks",
		},
		{
			Name: "qwen", Maker: "qwen", Command: []string{"qwen", "--acp", "--approval-mode", "default"}, SignIn: "qwen",
			Install: "npm install -g @qwen-code/qwen-code", ToolPrefix: "mcp__" + serverName + "__",
			Allow: "--allowed-tools=mcp__" + serverName + "__%s",
			Asks:  "its approval mode is the one that asks",
		},
	}, openPresets()...)
}

// openPresets returns the agents that act as their own settings say. They were only started: auggie
// 0.36.0, cline 3.0.65 and droid 0.215.0.
func openPresets() []Preset {
	return []Preset{
		{
			Name: "auggie", Command: []string{"auggie", "--acp"}, SignIn: "auggie login",
			Install: "npm install -g @augmentcode/auggie", Asks: "nothing is set",
		},
		{
			Name: "cline", Command: []string{"cline", "--acp"}, SignIn: "cline auth",
			Install: "npm install -g cline", Asks: "nothing is set",
		},
		{
			Name: "droid", Command: []string{"droid", "exec", "--output-format", "acp"}, SignIn: "droid",
			Install: "npm install -g droid", Asks: "nothing is set",
		},
	}
}

// PresetNamed returns the preset of a name and whether there is one.
func PresetNamed(name string) (p Preset, ok bool) {
	for _, p := range Presets() {
		if p.Name == name {
			return p, true
		}
	}
	return Preset{}, false
}

// Of returns the preset for a program of the user's own, if a command names one: another path or
// version of the program, which may not know its arguments.
func (p Preset) Of(command []string) Preset {
	if len(command) > 0 {
		p.Command, p.Trust, p.Allow, p.Deny = command, nil, "", nil
	}
	return p
}

// with returns the configuration with what the options add to the command and to the
// variables.
func (c Config) with(o Options) Config {
	c.Command = slices.Clone(c.Command)
	for _, name := range o.Tools {
		if c.Allow != "" {
			c.Command = append(c.Command, fmt.Sprintf(c.Allow, name))
		}
	}
	if o.NoCommands {
		c.Command = append(c.Command, c.Deny...)
		c.Set = maps.Clone(c.Set)
		maps.Copy(c.Set, c.DenySet)
	}
	return c
}

// Package config reads the configuration file, checks it, and turns it into
// providers and agents. It also finds out what can be used without one.
//
// It imports the packages behind the kinds of provider, the built-in modes and the
// values of package debate. It must not know commands, the store or the interface.
package config

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/agents/acp"
	"roundtable/agents/openai"
	"roundtable/agents/tools"
	"roundtable/agents/tools/mcp"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/keymap"
	"roundtable/internal/text"
)

// Config is the decoded configuration file.
type Config struct {
	Defaults  Defaults                 `toml:"defaults"`
	Providers map[string]ProviderTable `toml:"providers"`
	Agents    []Agent                  `toml:"agents"`
	Panels    map[string]Panel         `toml:"panels"`
	Context   Context                  `toml:"context"`
	Evidence  Evidence                 `toml:"evidence"`
	Review    Review                   `toml:"review"`
	Tools     Tools                    `toml:"tools"`
	Budget    debate.Budget            `toml:"budget"`
	UI        UI                       `toml:"ui"`
	MCP       MCPServer                `toml:"mcp"`
	KeyTable  map[string]any           `toml:"keys"` // as it is in the file; Keys is what can be used of it

	Keys        keymap.Changes `toml:"-"`
	KeyProblems []Problem      `toml:"-"` // of [keys], which no command refuses to start for

	Hash     string `toml:"-"` // SHA-256 of the file; "" without one
	ModesDir string `toml:"-"` // folder of the user's own modes

	lists *Lists // that servers gave; nil: none
}

// ProviderTable is one [providers.NAME] table. Its kind says which of its keys it may have.
type ProviderTable struct {
	Kind string `toml:"kind"` // "": an endpoint that speaks OpenAI's protocol
	openai.Config
	Command []string `toml:"command"` // of an agent
	Env     []string `toml:"env"`     // the variables that an agent's program gets
	EnvAdd  []string `toml:"env_add"` // those that it gets besides, such as one with a key
}

// Defaults apply where a command line says nothing.
type Defaults struct {
	Panel  string      `toml:"panel"`
	Mode   string      `toml:"mode"`
	Rounds int         `toml:"rounds"` // 0: as many as the mode plans
	Ends   debate.Ends `toml:"ends"`   // "": as the mode says

	OnlyLocal bool `toml:"only_local"` // refuse whatever is not on this machine
	AskLists  bool `toml:"ask_lists"`  // servers may be asked for their lists of models
}

// Agent is one [[agents]] table. Its name may be left out: it is the id, capitalized.
type Agent struct {
	agents.Profile
	Extra map[string]any `toml:"extra,inline,omitempty"` // its ExtraBody
}

// complete sets what is left out or has another form in the file; what JSON does not have is
// reported by the checks.
func (a *Agent) complete() {
	a.Name = a.name()
	if body, err := json.Marshal(a.Extra); len(a.Extra) > 0 && err == nil {
		a.ExtraBody = body
	}
}

func (a Agent) name() string {
	if a.Name != "" || a.ID == "" {
		return a.Name
	}
	id := string(a.ID)
	return strings.ToUpper(id[:1]) + id[1:]
}

// Panel is one [panels.NAME] table: who debates, and who helps.
type Panel struct {
	Agents []agents.ID `toml:"agents"`
	Chair  agents.ID   `toml:"chair,omitempty"` // writes the verdict; "": a member does
	Light  agents.ID   `toml:"light,omitempty"` // measures agreement and summarizes; "": no measure, members summarize

	Perspectives []string `toml:"perspectives,omitempty"` // for modes that assign one to each seat; none: the mode's own
}

// Context limits how much agents may ask the user and how much of a model's context
// window a prompt may fill, and says whether votes are asked for again.
type Context struct {
	Caps ledger.Caps       `toml:"caps"`
	Fit  debate.FitOptions `toml:"fit"`

	AskAgain bool `toml:"ask_again"` // ask a voter or a chair once for a JSON block that its text lacks
}

// Evidence limits how much of files and other evidence is in every prompt. Tools read
// the rest.
type Evidence struct {
	MaxTokens int      `toml:"max_tokens"` // of a prompt
	Skip      []string `toml:"skip"`       // patterns of paths in diffs that are left out
}

// Review says what `roundtable review` leaves out.
type Review struct {
	Exclude []string `toml:"exclude"` // patterns of the paths of changed files
}

// Tools is the [tools] table: what agents may look at and run.
type Tools struct {
	Workspace string               `toml:"workspace"` // folder of a new debate; "": none
	Mode      debate.WorkspaceMode `toml:"mode"`
	Commands  bool                 `toml:"commands"` // agents may ask to run commands
	Env       []string             `toml:"env"`      // further variables that commands see

	Container string `toml:"container"` // bubblewrap, docker or podman
	Image     string `toml:"image"`     // of docker and podman
	Memory    int    `toml:"memory"`    // in MiB
	PIDs      int    `toml:"pids"`

	CommandTimeout openai.Duration `toml:"command_timeout"` // of one command

	MCP map[string]mcp.Config `toml:"mcp"` // servers whose tools agents may call
}

// Fit returns how prompts of new debates are fitted into the models' windows.
func (c Config) Fit() debate.FitOptions {
	fit := c.Context.Fit
	fit.EvidenceTokens, fit.EvidenceSkip = c.Evidence.MaxTokens, c.Evidence.Skip
	return fit
}

// UI holds the settings of the interface.
type UI struct {
	Theme         string  `toml:"theme"`              // auto, dark or light
	Symbols       string  `toml:"symbols"`            // auto, unicode or ascii
	Linear        bool    `toml:"linear"`             // line by line, for screen readers
	EnterSends    bool    `toml:"enter_sends"`        // enter sends an answer of one line
	StartsBelow   float64 `toml:"enter_starts_below"` // dollars up to which enter starts a new debate
	Mouse         bool    `toml:"mouse"`              // the interface receives the wheel and clicks
	Notifications bool    `toml:"notifications"`      // ring when a debate needs the user and the window has no focus
	Background    int     `toml:"background"`         // how many debates run at once at most
}

// MCPServer holds the settings of `roundtable mcp`.
type MCPServer struct {
	Wait             openai.Duration `toml:"wait"`              // how long a call waits for a round at the most
	Elicit           bool            `toml:"elicit"`            // the person answers in a form of the client
	AssistantAnswers string          `toml:"assistant_answers"` // caution, count or block
	Budget           float64         `toml:"budget"`            // USD that a debate may cost where [budget] sets no limit; 0: any
	Roots            []string        `toml:"roots"`             // folders that assistants may name files of; none: as the client says
}

// Default returns the configuration that applies where the file says nothing.
func Default() Config {
	return Config{
		Defaults: Defaults{AskLists: true},
		Context:  Context{Caps: ledger.DefaultCaps, Fit: debate.FitOptions{Share: debate.DefaultShare}, AskAgain: true},
		Evidence: Evidence{MaxTokens: debate.DefaultEvidenceTokens},
		Budget:   debate.Budget{WarnAt: 0.8},
		UI:       UI{Theme: "auto", Symbols: "auto", Notifications: true, EnterSends: true, StartsBelow: 0.25, Background: 4},
		MCP:      MCPServer{Wait: openai.Duration(40 * time.Second), Elicit: true, AssistantAnswers: "caution", Budget: 2},
		Tools: Tools{
			Mode: debate.WorkspaceLocal, Container: "bubblewrap", Memory: defaultMemory, PIDs: defaultPIDs,
			CommandTimeout: openai.Duration(tools.DefaultCommandTimeout),
		},
	}
}

// Limits of containers.
const (
	defaultMemory, maxMemory = 2048, 1 << 20
	defaultPIDs, maxPIDs     = 256, 1 << 16
)

// Profiles returns all configured agents as debates know them.
func (c Config) Profiles() []agents.Profile {
	return text.Each(c.Agents, func(a Agent) agents.Profile { return c.profile(a.Profile) })
}

// Agent returns the configured agent with an id, or nil if there is none.
func (c Config) Agent(id agents.ID) *agents.Profile {
	i := slices.IndexFunc(c.Agents, func(a Agent) bool { return a.ID == id && id != "" })
	if i < 0 {
		return nil
	}
	p := c.profile(c.Agents[i].Profile)
	return &p
}

// profile adds to a profile of the file what is known of its provider and model.
func (c Config) profile(p agents.Profile) agents.Profile {
	if t := c.Providers[p.Provider]; t.Kind == kindACP {
		preset, _ := acp.PresetNamed(t.Preset)
		p.Loop, p.ToolPrefix = true, preset.ToolPrefix
	}
	if s, ok := c.server(p.Provider); ok {
		f, _ := c.FiguresOf(p)
		f.apply(&p, s)
	}
	return p
}

// has reports whether a seat is configured. What the config leaves out may have been found since.
func (c Config) has(p agents.Profile) bool {
	i := slices.IndexFunc(c.Agents, func(a Agent) bool { return a.ID == p.ID })
	if i < 0 {
		return false
	}
	known := c.profile(c.Agents[i].Profile)
	if c.Agents[i].ContextWindow == 0 {
		known.ContextWindow = p.ContextWindow
	}
	if c.Agents[i].PriceIn == nil && c.Agents[i].PriceOut == nil {
		known.PriceIn, known.PriceCachedIn, known.PriceOut, known.Later = p.PriceIn, p.PriceCachedIn, p.PriceOut, p.Later
	}
	return reflect.DeepEqual(known, p)
}

// ModesBeside returns the folder of the user's modes, next to the configuration file.
func ModesBeside(path string) string { return filepath.Join(filepath.Dir(path), "modes") }

// Drift returns a new notice for each agent of a saved session that the configuration no
// longer has; the session keeps using its copy. A configuration without agents
// gives none. Each model that is no longer offered, or not for long, has one too.
func (c Config) Drift(s debate.Session) []debate.Notice {
	var out []debate.Notice
	add := func(n debate.Notice) {
		n.Round = len(s.History)
		if !slices.ContainsFunc(append(s.Notices, out...), func(o debate.Notice) bool { return o.Text == n.Text }) {
			out = append(out, n)
		}
	}
	for _, p := range s.Speakers() {
		if p.Provider == debate.DemoProvider {
			continue
		}
		if len(c.Agents) > 0 && c.Agent(p.ID) == nil {
			add(debate.Notice{Code: "config_drift", Agent: p.ID, Text: fmt.Sprintf(
				"%s is no longer in the config; the debate keeps it as it was: %s of %s.", p.Name, p.Model, p.Provider)})
		}
		if retires := c.Retires(p.Provider, p.Model); retires != "" {
			add(debate.Notice{Code: "model_retires", Text: fmt.Sprintf("%s of %s: %s.", p.Model, p.Provider, retires)})
		}
	}
	return out
}

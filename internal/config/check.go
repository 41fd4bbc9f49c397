package config

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/agents/demo"
	"roundtable/agents/openai"
	"roundtable/agents/tools/mcp"
	"roundtable/debate"
	"roundtable/debate/modes"
	"roundtable/internal/text"
)

// Limits of the file, in seats and characters.
const (
	minPanel   = 2
	maxName    = 40
	maxPersona = 8000
	maxExtra   = 64 << 10 // bytes of JSON
)

var validID = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,31}$`)

const idRule = "is not a name; use small letters, digits, - and _, a letter first, 32 at most"

// problem records a problem of the value of a key.
func (r *parser) problem(path, format string, args ...any) {
	r.problems = append(r.problems, Problem{Text: path + ": " + fmt.Sprintf(format, args...)})
}

func (r *parser) sorted() []Problem {
	slices.SortFunc(r.problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), strings.Compare(a.Text, b.Text))
	})
	return slices.Compact(r.problems)
}

// check checks what the types cannot express: limits, names and references.
func (r *parser) check(cfg Config) {
	r.checkProviders(cfg)
	r.checkAgents(cfg)
	r.checkPanels(cfg)
	r.checkDefaults(cfg)
	r.checkMCP(cfg)
	caps := cfg.Context.Caps
	r.between(0, float64(caps.PerRound), 1000, "context.caps.per_agent_per_round")
	r.between(0, float64(caps.PerSession), 1000, "context.caps.per_session")
	r.between(0.1, cfg.Context.Fit.Share, 1, "context.fit.share")
	r.between(1000, float64(cfg.Evidence.MaxTokens), 10_000_000, "evidence.max_tokens")
	r.patterns("evidence.skip", cfg.Evidence.Skip)
	r.patterns("review.exclude", cfg.Review.Exclude)
	r.oneOf("defaults.ends", cmp.Or(string(cfg.Defaults.Ends), string(debate.EndsPlanned)), "planned", "agreed", "settled")
	r.between(0, cfg.Budget.USD, debate.MaxUSD, "budget.usd")
	r.between(0, float64(cfg.Budget.Tokens), debate.MaxTokens, "budget.tokens")
	r.between(0, float64(cfg.Budget.MaxOutput), 10_000_000, "budget.max_output")
	r.between(0, cfg.Budget.WarnAt, 1, "budget.warn_at")
	r.oneOf("ui.theme", cfg.UI.Theme, "auto", "dark", "light")
	r.oneOf("ui.symbols", cfg.UI.Symbols, "auto", "unicode", "ascii")
	r.between(0, cfg.UI.StartsBelow, debate.MaxUSD, "ui.enter_starts_below")
	r.between(1, float64(cfg.UI.Background), 16, "ui.background")
	r.oneOf("mcp.assistant_answers", cfg.MCP.AssistantAnswers, "caution", "count", "block")
	if wait := time.Duration(cfg.MCP.Wait); wait < time.Second || wait > time.Hour {
		r.problem("mcp.wait", "%v is not from 1s to 1h", wait)
	}
	r.between(0, cfg.MCP.Budget, debate.MaxUSD, "mcp.budget")
	for _, root := range cfg.MCP.Roots {
		r.absolute("mcp.roots", root)
	}
	r.checkTools(cfg)
}

func (r *parser) patterns(path string, all []string) {
	for _, pattern := range all {
		if err := CheckPattern(pattern); err != nil {
			r.problem(path, "%v", err)
		}
	}
}

// CheckPattern returns an error for what is no pattern of debate.MatchPath.
func CheckPattern(pattern string) error {
	if _, err := path.Match(pattern, ""); err != nil || pattern == "" {
		return fmt.Errorf("%q is no pattern of paths, such as \"*.gen.go\"", text.Label(pattern))
	}
	return nil
}

// absolute checks the path of a folder, which may begin with ~.
func (r *parser) absolute(path, folder string) {
	if !filepath.IsAbs(folder) && !strings.HasPrefix(folder, "~") {
		r.problem(path, "%q is not an absolute path", text.Label(folder))
	}
}

// between checks a number. NaN, which TOML has, is in no range.
func (r *parser) between(least, x, most float64, path string) {
	if !(x >= least && x <= most) {
		plain := func(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
		r.problem(path, "%s is not from %s to %s", plain(x), plain(least), plain(most))
	}
}

func (r *parser) oneOf(path, word string, known ...string) {
	if !slices.Contains(known, word) {
		r.problem(path, "%q is not one of %s", text.Label(word), strings.Join(known, ", "))
	}
}

func (r *parser) checkProviders(cfg Config) {
	for _, name := range cfg.tableNames() {
		path := "providers." + name
		switch {
		case name == debate.DemoProvider:
			r.problem(path, "the name demo is reserved for the built-in provider; choose another")
		case !validID.MatchString(name):
			r.problem(path, "%q %s", text.Label(name), idRule)
		}
		r.tableProblems(path, cfg.Providers[name].validate())
	}
}

// flatten returns the errors that were joined into err, at any depth.
func flatten(err error) []error {
	var joined interface{ Unwrap() []error }
	if err == nil {
		return nil
	}
	if !errors.As(err, &joined) {
		return []error{err}
	}
	var out []error
	for _, e := range joined.Unwrap() {
		out = append(out, flatten(e)...)
	}
	return out
}

// tableProblems records errors that each begin with the key at fault and a colon.
func (r *parser) tableProblems(path string, err error) {
	for _, err := range flatten(err) {
		key, text, _ := strings.Cut(err.Error(), ": ")
		if first, _, several := strings.Cut(key, ", "); several {
			key, text = first, err.Error()
		}
		r.problem(path+"."+key, "%s", text)
	}
}

func (r *parser) checkAgents(cfg Config) {
	ids, labels := map[agents.ID]int{}, map[string]int{}
	for i, s := range cfg.Agents {
		path := fmt.Sprintf("agents[%d]", i)
		if s.ID == "" {
			r.problem(path+".id", "missing; give the seat a short name such as \"ada\"")
		} else if !validID.MatchString(string(s.ID)) {
			r.problem(path+".id", "%q %s", text.Label(string(s.ID)), idRule)
		} else if first, twice := ids[s.ID]; twice {
			r.problem(path+".id", "%q is taken by agents[%d]", s.ID, first)
		}
		ids[s.ID] = cmp.Or(ids[s.ID], i)
		for _, label := range []string{string(s.ID), strings.ToLower(s.name())} {
			if first, twice := labels[label]; twice && label != "" && cfg.Agents[first].ID != s.ID {
				r.problem(path+".name", "%q names agents[%d] too; readers could not tell them apart", text.Label(label), first)
			}
			labels[label] = i
		}
		if text.Line(s.Name) != s.Name || len([]rune(s.Name)) > maxName {
			r.problem(path+".name", "a name is one line of plain text, %d characters at most", maxName)
		}
		r.checkAgent(cfg, s, path)
	}
}

func (r *parser) checkAgent(cfg Config, s Agent, path string) {
	if s.Provider == "" {
		r.problem(path+".provider", "missing; name one of [providers]")
	} else if _, ok := cfg.Providers[s.Provider]; !ok && s.Provider != debate.DemoProvider {
		r.problem(path+".provider", "there is no [providers.%s]%s", text.Label(s.Provider), text.DidYouMean(s.Provider, cfg.tableNames()))
	}
	if strings.TrimSpace(s.Model) == "" {
		r.problem(path+".model", "missing; name a model of provider %q", text.Label(s.Provider))
	} else if text.Line(s.Model) != s.Model {
		r.problem(path+".model", "the name contains characters that no model name has")
	}
	if len([]rune(s.Persona)) > maxPersona {
		r.problem(path+".persona", "the limit is %d characters", maxPersona)
	}
	if s.Temperature != nil {
		r.between(0, *s.Temperature, 2, path+".temperature")
	}
	r.checkRequest(s, path)
	r.between(0, float64(s.MaxTokens), 10_000_000, path+".max_tokens")
	r.between(0, float64(s.ContextWindow), 100_000_000, path+".context_window")
	for key, usd := range map[string]*float64{"price_in": s.PriceIn, "price_cached_in": s.PriceCachedIn, "price_out": s.PriceOut} {
		if usd != nil {
			r.between(0, *usd, 100_000, path+"."+key)
		}
	}
}

func (r *parser) checkRequest(s Agent, path string) {
	if e := s.ReasoningEffort; text.Line(e) != e || len([]rune(e)) > maxName {
		r.problem(path+".reasoning_effort", "a word such as \"low\", \"medium\" or \"high\"")
	}
	for _, name := range slices.Sorted(maps.Keys(s.Extra)) {
		if slices.Contains(openai.OwnFields(), name) {
			r.problem(path+".extra."+name, "the program sets %s itself; leave it out of extra", name)
		}
	}
	if body, err := json.Marshal(s.Extra); err != nil {
		r.problem(path+".extra", "has a value that cannot be sent as JSON, such as inf or nan")
	} else if len(body) > maxExtra {
		r.problem(path+".extra", "has %d bytes; %d is the most", len(body), maxExtra)
	}
}

// Ignored says which providers do nothing with what can be set for them.
func (c Config) Ignored() []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(c.Providers)) {
		table := c.Providers[name]
		p, _ := openai.PresetNamed(table.Preset)
		if p.Ignores != "" && !table.Moved() {
			out = append(out, text.Line(name)+" ignores "+p.Ignores)
		}
	}
	return out
}

func (r *parser) checkPanels(cfg Config) {
	for _, name := range slices.Sorted(maps.Keys(cfg.Panels)) {
		p, path := cfg.Panels[name], "panels."+name
		switch {
		case name == demo.Name:
			r.problem(path, "the name demo is reserved for the built-in panel; choose another")
		case !validID.MatchString(name):
			r.problem(path, "%q %s", text.Label(name), idRule)
		}
		if n := len(p.Agents); n < minPanel || n > debate.MaxSeats {
			r.problem(path+".agents", "%s; a panel has %d to %d", text.Count(n, "seat"), minPanel, debate.MaxSeats)
		}
		for i, id := range p.Agents {
			element := fmt.Sprintf("%s.agents[%d]", path, i)
			if slices.Index(p.Agents, id) < i {
				r.problem(element, "%q is listed twice", text.Label(string(id)))
				continue
			}
			r.checkAgentRef(cfg, element, id)
		}
		for key, id := range map[string]agents.ID{".chair": p.Chair, ".light": p.Light} {
			if id != "" {
				r.checkAgentRef(cfg, path+key, id)
			}
		}
	}
}

func (r *parser) checkAgentRef(cfg Config, path string, id agents.ID) {
	known := text.Each(cfg.Agents, func(s Agent) string { return string(s.ID) })
	if !slices.Contains(known, string(id)) {
		r.problem(path, "there is no seat %q%s", text.Label(string(id)), text.DidYouMean(string(id), known))
	}
}

func (r *parser) checkDefaults(cfg Config) {
	d := cfg.Defaults
	if _, ok := cfg.Panels[d.Panel]; !ok && d.Panel != "" && d.Panel != demo.Name {
		r.problem("defaults.panel", "there is no [panels.%s]%s", text.Label(d.Panel),
			text.DidYouMean(d.Panel, slices.Collect(maps.Keys(cfg.Panels))))
	}
	r.between(0, float64(d.Rounds), debate.MaxRounds, "defaults.rounds")
	if d.Mode == "" {
		return
	}
	all, faults := modes.Load(cfg.ModesDir)
	known := text.Each(all, func(m debate.Mode) string { return m.Name })
	if slices.Contains(known, d.Mode) {
		return
	}
	skipped := ""
	for _, fault := range faults {
		skipped += "; skipped: " + text.Line(fault.Error())
	}
	r.problem("defaults.mode", "there is no mode %q%s%s", text.Label(d.Mode), text.DidYouMean(d.Mode, known), skipped)
}

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

func (r *parser) checkTools(cfg Config) {
	t := cfg.Tools
	r.oneOf("tools.mode", string(t.Mode), string(debate.WorkspaceLocal), string(debate.WorkspaceClone), string(debate.WorkspaceContainer))
	r.oneOf("tools.container", t.Container, "bubblewrap", "docker", "podman")
	r.between(16, float64(t.Memory), maxMemory, "tools.memory")
	r.between(1, float64(t.PIDs), maxPIDs, "tools.pids")
	if limit := time.Duration(t.CommandTimeout); limit < time.Second || limit > 24*time.Hour {
		r.problem("tools.command_timeout", "%v is not from 1s to 24h", limit)
	}
	if t.Workspace != "" {
		r.absolute("tools.workspace", t.Workspace)
	}
	if t.Mode == debate.WorkspaceContainer && t.Container != "bubblewrap" && t.Image == "" {
		r.problem("tools.image", "%s needs the name of an image", t.Container)
	}
	for _, name := range t.Env {
		switch {
		case !variableName.MatchString(name):
			r.problem("tools.env", "%q is not the name of a variable", text.Label(name))
		case HoldsKey(cfg, name):
			r.problem("tools.env", "%s may hold a key; commands never see it", name)
		}
	}
}

func (r *parser) checkMCP(cfg Config) {
	for _, name := range slices.Sorted(maps.Keys(cfg.Tools.MCP)) {
		path := "tools.mcp." + name
		if !mcp.ValidName(name) {
			r.problem(path, "%q is not a name; use small letters, digits, - and single _, a letter first, 32 at most", text.Label(name))
		}
		r.tableProblems(path, cfg.Tools.MCP[name].Validate())
	}
}

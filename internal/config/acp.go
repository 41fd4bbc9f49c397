package config

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/agents/acp"
	"roundtable/agents/openai"
	"roundtable/internal/catalog"
	"roundtable/internal/text"
)

// kindACP is the kind of agents with a loop of their own, by the Agent Client Protocol.
const kindACP = "acp"

func presetProvider(name string) acpProvider {
	return acpProvider{ProviderTable{Kind: kindACP, Config: openai.Config{Preset: name}}}
}

type acpProvider struct{ ProviderTable }

func (p acpProvider) config() acp.Config {
	preset, _ := acp.PresetNamed(p.Preset)
	return acp.Config{
		Preset: preset.Of(p.Command), Env: p.ProviderTable.Env, EnvAdd: p.EnvAdd, Start: time.Duration(p.Timeouts.Connect),
		First: time.Duration(p.Timeouts.FirstPayload), Silent: time.Duration(p.Timeouts.Idle),
	}
}

func (p acpProvider) validate() error {
	if _, ok := acp.PresetNamed(p.Preset); !ok && p.Preset != "" {
		names := text.Each(acp.Presets(), func(known acp.Preset) string { return known.Name })
		return fmt.Errorf("preset: %q is not an agent that is known; those are %s. Or give its command", text.Label(p.Preset),
			strings.Join(names, ", "))
	}
	other := map[string]bool{
		"base_url": p.BaseURL != "", "api_key_env": p.APIKeyEnv != "", "api_key_command": len(p.APIKeyCommand) > 0,
		"headers": len(p.Headers) > 0, "max_concurrent": p.MaxConcurrent != 0, "allow_insecure": p.AllowInsecure,
		"quirks": len(p.Quirks) > 0,
	}
	return errors.Join(p.config().Validate(), unused(fmt.Sprintf("is not for kind = %q, which runs a program", kindACP), other))
}

func (p acpProvider) open(_ context.Context, name string, o ClientOptions) (agents.Provider, error) {
	config := p.config()
	// The home of all programs is the user's.
	starts, _ := o.starts.do(config.Command[0], func() (chan struct{}, error) { return make(chan struct{}, 1), nil })
	client, err := acp.New(name, config, acp.Options{
		Env: o.Env, Version: o.Version, Guard: o.Guard, Tools: o.Tools, NoCommands: o.NoCommands, Starts: starts,
	})
	if err != nil {
		return nil, err
	}
	return client, nil
}

func (p acpProvider) missing(func(string) (string, bool)) string {
	command := p.config().Command
	if _, err := exec.LookPath(command[0]); err == nil {
		return ""
	}
	if preset, ok := acp.PresetNamed(p.Preset); ok && len(p.Command) == 0 {
		return fmt.Sprintf("install %s: %s", preset.Command[0], preset.Install)
	}
	return "install " + text.Label(command[0])
}

// recipient names the program, since where it sends its prompts is not known.
func (p acpProvider) recipient(func(string) (string, bool)) (name string, local bool) {
	return "the model that " + text.Label(filepath.Base(p.config().Command[0])) + " uses", false
}

func (p acpProvider) asks() string {
	words := "nothing is set, since it has no preset"
	if preset, ok := acp.PresetNamed(p.Preset); ok {
		words = preset.Asks
	}
	if len(p.EnvAdd) > 0 {
		words += "; its commands can read " + text.List(p.EnvAdd)
	}
	return words
}

// silence is when a wait is shown as a warning. Agents work on their own for minutes.
func (p acpProvider) silence() (first, between time.Duration) {
	const long = 2 * time.Minute
	return cmp.Or(time.Duration(p.Timeouts.SilentFirst), long), cmp.Or(time.Duration(p.Timeouts.Silent), long)
}

// lookForPrograms finds agents on PATH, with and without their adapter. It starts none.
func (d Discovery) lookForPrograms(found *Found) {
	if d.LookPath == nil {
		return
	}
	var names []string
	for _, p := range acp.Presets() {
		if _, err := d.LookPath(p.Command[0]); err != nil {
			continue
		}
		provider := presetProvider(p.Name)
		names = append(names, p.Name)
		profile := agents.Profile{Provider: p.Name + "-" + kindACP, Model: agents.DefaultModel, Loop: true, ToolPrefix: p.ToolPrefix}
		c := candidateOf(profile, provider, d.Env)
		if p.With != "" {
			c.Note = p.Command[0] + " needs " + p.With
		}
		found.offers = append(found.offers, offer{
			Offer: catalog.Offer{Provider: profile.Provider, ID: profile.Model, Maker: cmp.Or(p.Maker, p.Name)}, road: roadAgents, seat: c,
		})
	}
	found.Unseated = Config{}.Unseated(d.LookPath)
	if len(names) > 0 {
		words := strings.Join(names, ", ")
		they := text.Inflect(len(names), "it is", "they are")
		found.Findings = append(found.Findings, Finding{"Agents", words + " found: sign-in is checked when " + they + " asked", true})
		found.Sources, found.Summary = append(found.Sources, words), append(found.Summary, words+" found")
	} else if found.Unseated == (Unseated{}) {
		found.Findings = append(found.Findings, Finding{What: "Agents such as opencode, gemini", Result: "none found"})
	}
}

// Unseated are the agents on PATH that lack nothing but their adapter; zero if there are none.
type Unseated struct {
	Says    string // that they are there, such as "claude is on the PATH; one command makes it a seat"
	Command string // the user's to run
	Needs   string // by the command, such as "Node 22 or later and 80 MB"
}

// String returns all of it in a clause.
func (u Unseated) String() string {
	return fmt.Sprintf("%s: %s (needs %s)", u.Says, u.Command, u.Needs)
}

// Unseated returns the agents on PATH that lack their adapter, unless the configuration has a
// command for them.
func (c Config) Unseated(lookPath func(program string) (path string, err error)) Unseated {
	var names []string
	var adapters []acp.Adapter
	var node, mb, all int
	full := false
	for _, p := range acp.Presets() {
		a := p.Adapter
		isOwn := func(t ProviderTable) bool { return t.Kind == kindACP && t.Preset == p.Name && len(t.Command) > 0 }
		if a.Of == "" || c.Defaults.OnlyLocal || slices.ContainsFunc(slices.Collect(maps.Values(c.Providers)), isOwn) {
			continue
		}
		_, noAdapter := lookPath(p.Command[0])
		own, err := lookPath(a.Of)
		if err != nil || noAdapter == nil {
			continue
		}
		names, adapters, full = append(names, a.Of), append(adapters, a), full || !acp.CanStart(own)
		node, mb, all = max(node, a.Node), mb+a.MB, all+a.Full
	}
	if len(names) == 0 {
		return Unseated{}
	}
	if full {
		mb = all
	}
	npm := ""
	if _, err := lookPath("npm"); err != nil {
		npm = " with npm, which is not on the PATH,"
	}
	return Unseated{
		Says: text.List(names) + text.Inflect(len(names), " is on the PATH; one command makes it a seat",
			" are on the PATH; one command makes them seats"),
		Command: acp.Install(full, adapters...), Needs: fmt.Sprintf("Node %d or later%s and %d MB", node, npm, mb),
	}
}

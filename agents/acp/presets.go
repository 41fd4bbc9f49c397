package acp

import "slices"

// Preset is what is known of an agent that people have installed: how it is started, how
// one signs in, and what is set so that it asks before it acts.
type Preset struct {
	Name    string
	Command []string // program and arguments; no shell
	Set     []Setting
	Mode    string // the mode of its sessions; "": as its settings say
	SignIn  string // the command with which the user signs in
	Install string // the command that installs the program; it is never run

	// Of is the program of the agent itself where Command is an adapter to it, since it
	// does not speak the protocol; "" if it does.
	Of string

	// Asks says what Command, Set and Mode do so that the agent asks, or that nothing can be set.
	Asks string
}

// Setting is a variable that is set for a program.
type Setting struct{ Name, Value string }

// Presets returns the agents that are known, as of 22 November 2026. Their names, options
// and packages change: a table with a command of its own needs none of this.
func Presets() []Preset {
	return []Preset{
		{
			Name: "claude", Command: []string{"claude-agent-acp"}, Of: "claude", SignIn: "claude /login",
			Install: "npm install -g @agentclientprotocol/claude-agent-acp",
			Mode:    "default",
			Asks:    "its sessions are in the mode that asks",
		},
		{
			Name: "codex", Command: []string{"codex-acp"}, Of: "codex", SignIn: "codex login",
			Install: "npm install -g @agentclientprotocol/codex-acp",
			Set:     []Setting{{"INITIAL_AGENT_MODE", "read-only"}},
			Asks:    "it starts in its read-only mode",
		},
		{
			Name: "gemini", Command: []string{"gemini", "--acp", "--approval-mode", "default"}, SignIn: "gemini",
			Install: "npm install -g @google/gemini-cli",
			Asks:    "its approval mode is the one that asks",
		},
		{
			Name: "opencode", Command: []string{"opencode", "acp"}, SignIn: "opencode auth login",
			Install: "npm install -g opencode-ai",
			Set: []Setting{{
				"OPENCODE_PERMISSION",
				`{"bash":"ask","edit":"deny","webfetch":"ask","websearch":"ask","external_directory":"ask"}`,
			}},
			Asks: "its permissions are set: commands and the web ask, edits are denied",
		},
		{
			Name: "copilot", Command: []string{"copilot", "--acp", "--deny-tool=write"}, SignIn: "copilot login",
			Install: "npm install -g @github/copilot",
			Asks:    "edits are denied; the rest asks",
		},
		{
			Name: "qwen", Command: []string{"qwen", "--acp", "--approval-mode", "default"}, SignIn: "qwen",
			Install: "npm install -g @qwen-code/qwen-code",
			Asks:    "its approval mode is the one that asks",
		},
	}
}

// PresetNamed returns a preset; ok is false if there is none of that name.
func PresetNamed(name string) (p Preset, ok bool) {
	all := Presets()
	i := slices.IndexFunc(all, func(p Preset) bool { return p.Name == name })
	if i < 0 {
		return Preset{}, false
	}
	return all[i], true
}

// WithPreset returns the configuration with what it leaves out filled in from a preset.
// A command of its own keeps the preset's settings, since it is another path or version
// of the same program.
func (c Config) WithPreset(p Preset) Config {
	if len(c.Command) == 0 {
		c.Command = slices.Clone(p.Command)
	}
	if c.SignIn == "" {
		c.SignIn = p.SignIn
	}
	if c.Mode == "" {
		c.Mode = p.Mode
	}
	for _, s := range p.Set {
		if _, set := c.Set[s.Name]; !set {
			if c.Set == nil {
				c.Set = map[string]string{}
			}
			c.Set[s.Name] = s.Value
		}
	}
	return c
}

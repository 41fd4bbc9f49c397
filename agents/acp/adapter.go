package acp

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Adapter is a package of npm that speaks the protocol for an agent that does not.
type Adapter struct {
	Of       string // the program of the agent; "": it needs no adapter
	Package  string
	Version  string
	Node     int    // the oldest major version of Node that runs it
	MB       int    // on disk, installed by Install; its optional packages are a copy of the agent
	Variable string // names the program of the agent that it starts; without it, that copy
}

// adapterOf returns the adapter of an agent, as npm served it on 28 November 2026.
func adapterOf(agent string) Adapter {
	for _, a := range []Adapter{
		{"claude", "@agentclientprotocol/claude-agent-acp", "0.101.0", 22, 80, "CLAUDE_CODE_EXECUTABLE"},
		{"codex", "@agentclientprotocol/codex-acp", "2.6.0", 20, 22, "CODEX_PATH"},
	} {
		if a.Of == agent {
			return a
		}
	}
	return Adapter{}
}

// Install returns the command that installs adapters without their optional packages; it is
// never run. npm 10 and 11 keep those in a global install whatever is omitted, unless they
// are for another processor.
func Install(adapters ...Adapter) string {
	command := "npm install -g --omit=optional"
	for _, a := range adapters {
		command += " " + a.Package + "@" + a.Version
	}
	return command + " --cpu=none"
}

// environ adds the variable that names the agent's own program, if that is on PATH. A script
// of Windows is left out, which Node starts by a shell only.
func (a Adapter) environ(env []string) []string {
	given := func(v string) bool { return strings.HasPrefix(v, a.Variable+"=") }
	if a.Of == "" || slices.ContainsFunc(env, given) {
		return env
	}
	path, err := exec.LookPath(a.Of)
	if ext := strings.ToLower(filepath.Ext(path)); err != nil || ext == ".cmd" || ext == ".bat" {
		return env
	}
	return append(env, a.Variable+"="+path)
}

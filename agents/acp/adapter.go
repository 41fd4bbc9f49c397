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
	MB, Full int    // on disk, without and with its optional packages, which are a copy of the agent
	Variable string // names the program of the agent that it starts; without it, that copy
}

// Install returns the command that installs adapters, with the copies of their agents or
// without; it is never run. npm 10 and 11 keep optional packages in a global install whatever
// is omitted, unless they are for another processor.
func Install(full bool, adapters ...Adapter) string {
	command, last := "npm install -g --omit=optional", " --cpu=none"
	if full {
		command, last = "npm install -g", ""
	}
	for _, a := range adapters {
		command += " " + a.Package + "@" + a.Version
	}
	return command + last
}

// CanStart reports whether an adapter can start the program at a path: Node starts the scripts
// of Windows by a shell only.
func CanStart(path string) bool {
	ext := strings.ToLower(filepath.Ext(path))
	return ext != ".cmd" && ext != ".bat"
}

// environ adds the variable that names the agent's own program, if that is on PATH.
func (a Adapter) environ(env []string) []string {
	given := func(v string) bool { return strings.HasPrefix(v, a.Variable+"=") }
	if a.Of == "" || slices.ContainsFunc(env, given) {
		return env
	}
	path, err := exec.LookPath(a.Of)
	if err != nil || !CanStart(path) {
		return env
	}
	return append(env, a.Variable+"="+path)
}

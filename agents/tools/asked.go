package tools

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/internal/text"
)

// Asked is what comes with the words of a command that an agent would run itself.
type Asked struct {
	Fields     []agents.Field // of its input, without the command and its description, by name
	Dir        string         // the folder that the input names, resolved; "" if it names none
	DirUnknown bool           // the input may name a folder that cannot be told
	Line       bool           // a shell reads the command, which is one line
	why        string         // the first reason to ask each time; may be empty
}

func (a Asked) list() []string {
	out := []string{a.Dir}
	for _, f := range a.Fields {
		out = append(out, f.Name, f.Value)
	}
	return out
}

func (c Command) size() int {
	n := 0
	for _, s := range slices.Concat(c.Argv, c.Asked.list()) {
		n += len(s)
	}
	return n
}

func newAsked(input map[string]any, argv []string, in WorkspaceInfo) Asked {
	var a Asked
	_, isLine := input["command"].(string)
	_, simple := text.SimpleCommand(argv[0])
	a.Line = isLine && len(argv) == 1 && !simple
	var folders []string
	for name := range input {
		if namesFolder(name) {
			folders = append(folders, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(input)) {
		value := input[name]
		said, isText := value.(string)
		switch {
		case name == "command" && (isText || isList(value)), name == "description" && isText:
		case name == "commands" && repeats(value, input["command"]):
		case len(folders) == 1 && name == folders[0] && isText && isPlace(said, in):
			a.Dir = resolved(said, in)
		default:
			a.DirUnknown = a.DirUnknown || namesFolder(name)
			a.Fields = append(a.Fields, flat(name, value)...)
		}
	}
	for _, f := range a.Fields {
		if !isTimeout(f.Name) {
			a.why = fmt.Sprintf("%s comes with the command", text.Label(f.Name))
			break
		}
	}
	return a
}

// EachTime says why a command is asked about each time, whatever was allowed before; "" if
// it can be allowed for longer. It is the only place that decides this.
func (c Command) EachTime(in WorkspaceInfo) string {
	switch {
	case c.Asked.why != "":
		return c.Asked.why
	case c.Asked.Dir != "" && !sameFolder(c.Asked.Dir, in.Dir):
		return "it names another folder"
	case c.Asked.Line:
		return "a shell reads the command"
	}
	for i, word := range c.Argv {
		name := strings.TrimSuffix(strings.ToLower(filepath.Base(word)), ".exe")
		switch {
		case i == 0 && name == "env":
			return "env sets variables or runs another program"
		case i == 0 && strings.ContainsRune(word, '='):
			return "it begins with a variable"
		case isShell(name) && givesLine(c.Argv[i+1:]):
			return name + " is given a line to run"
		}
	}
	return ""
}

// Dir returns the folder in which a command runs; "" if that cannot be told.
func (c Command) Dir(in WorkspaceInfo) string {
	switch {
	case c.Asked.DirUnknown:
		return ""
	case c.Asked.Dir != "" && !sameFolder(c.Asked.Dir, in.Dir):
		return c.Asked.Dir
	}
	return in.Dir
}

// Outside reports whether a command names a folder that is not in the workspace.
func (c Command) Outside(in WorkspaceInfo) bool {
	return c.Asked.Dir != "" && (in.Dir == "" || !inside(realPath(in.Dir), c.Asked.Dir))
}

func inside(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

func sameFolder(a, b string) bool { return b != "" && realPath(a) == realPath(b) }

func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return filepath.Clean(path)
}

// isPlace reports whether a path can be resolved without asking a shell.
func isPlace(path string, in WorkspaceInfo) bool {
	return path != "" && !strings.HasPrefix(path, "~") && !strings.ContainsAny(path, "$%:\x00") && (filepath.IsAbs(path) || in.Dir != "")
}

func resolved(path string, in WorkspaceInfo) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(in.Dir, path)
	}
	return realPath(path)
}

func plainName(name string) string {
	return strings.NewReplacer("_", "", "-", "", ".", "").Replace(strings.ToLower(name))
}

func isTimeout(name string) bool {
	return slices.Contains([]string{"timeout", "timeoutms", "timeoutseconds"}, plainName(name))
}

// namesFolder reports whether a field may say where the command runs.
func namesFolder(name string) bool {
	return slices.ContainsFunc([]string{"cwd", "dir", "folder", "root", "path"}, func(s string) bool {
		return strings.Contains(plainName(name), s)
	})
}

// repeats reports whether a list holds the command once more and nothing else, as Copilot
// CLI 1.0.102 sends it with each.
func repeats(list, command any) bool {
	all, _ := list.([]any)
	line, isText := command.(string)
	return isText && len(all) == 1 && all[0] == line
}

func isList(value any) bool {
	_, ok := value.([]any)
	return ok
}

// flat returns a value as fields, one for each value in the objects below it.
func flat(name string, value any) []agents.Field {
	switch value := value.(type) {
	case map[string]any:
		var out []agents.Field
		for _, key := range slices.Sorted(maps.Keys(value)) {
			out = append(out, flat(name+"."+key, value[key])...)
		}
		if out != nil {
			return out
		}
	case string:
		return []agents.Field{{Name: name, Value: value}}
	}
	raw, err := json.Marshal(value)
	if err != nil { // it was JSON before
		return []agents.Field{{Name: name, Value: err.Error()}}
	}
	return []agents.Field{{Name: name, Value: string(raw)}}
}

func isShell(name string) bool {
	return slices.Contains([]string{"sh", "bash", "dash", "zsh", "ksh", "fish", "ash", "busybox", "cmd", "powershell", "pwsh"}, name)
}

// givesLine reports whether the arguments of a shell may have an option with a line to run.
func givesLine(args []string) bool {
	return slices.ContainsFunc(args, func(a string) bool {
		a = strings.ToLower(a)
		return a == "/c" || a == "/k" || strings.HasPrefix(a, "-") && strings.Contains(a, "c")
	})
}

//go:build unix

package e2e_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"roundtable/internal/testing/must"
)

// documentedCommands returns the commands of a section of docs/mcp.md, in order.
func documentedCommands(t *testing.T, section string) []string {
	t.Helper()
	_, text, found := strings.Cut(readRoot(t, "docs/mcp.md"), "\n### "+section+"\n")
	if !found {
		t.Fatalf("docs/mcp.md has no section %s", section)
	}
	text, _, _ = strings.Cut(text, "\n### ")
	var commands []string
	for line := range strings.Lines(text) {
		if command, ok := strings.CutPrefix(line, "    "); ok {
			commands = append(commands, strings.TrimSpace(command))
		}
	}
	return commands
}

// programOnPath returns a folder with the program under its name.
func programOnPath(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	must.Do(t, os.Symlink(built(t), filepath.Join(dir, "roundtable")))
	return dir
}

// What the commands of the page print starts the server where they put it, with the variables
// that the client lets through.
func TestMCP_whatThePagePrintsStartsTheServer(t *testing.T) {
	t.Parallel()
	type server struct {
		Command any // a text, or a list with the arguments
		Args    []string
		EnvVars []string `toml:"env_vars"`
		Env     map[string]string
		Mode    string `toml:"default_tools_approval_mode"`
	}
	for section, test := range map[string]struct {
		file  string // that has the settings; "": they are printed
		table string
		some  bool // the client lets only some variables through
	}{
		"Claude Code":                      {"project/.mcp.json", "mcpServers", false},
		"Codex":                            {"home/.codex/config.toml", "mcp_servers", true},
		"OpenCode":                         {"", "mcp", false},
		"VS Code":                          {"project/.vscode/mcp.json", "servers", false},
		"Gemini CLI, Qwen Code and others": {"", "mcpServers", true},
	} {
		t.Run(section, func(t *testing.T) {
			t.Parallel()
			bin, dir, env := programOnPath(t), t.TempDir(), home(t)
			for _, folder := range []string{"home/.codex", "project/.vscode"} {
				must.Do(t, os.MkdirAll(filepath.Join(dir, folder), 0o700))
			}
			db := filepath.Join(dir, "elsewhere.db")
			env = append(env, "ROUNDTABLE_DB="+db, "HOME="+filepath.Join(dir, "home"), "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
			var settings []byte
			for _, command := range documentedCommands(t, section) {
				if strings.HasPrefix(command, "claude ") || strings.HasPrefix(command, "codex ") {
					continue
				}
				cmd := exec.CommandContext(t.Context(), "sh", "-c", command)
				cmd.Dir, cmd.Env = filepath.Join(dir, "project"), env
				out, err := cmd.Output()
				if err != nil {
					t.Fatalf("%s: %v", command, err)
				}
				settings = append(settings, out...)
			}
			if test.file != "" {
				raw := must.Get(os.ReadFile(filepath.Join(dir, test.file)))(t)
				settings = raw
			}
			all := map[string]map[string]server{}
			read := json.Unmarshal
			if strings.HasSuffix(test.file, ".toml") {
				read = toml.Unmarshal
			}
			if err := read(settings, &all); err != nil {
				t.Fatalf("%v: %s", err, settings)
			}
			s := all[test.table]["roundtable"]
			if section == "Codex" && s.Mode != "approve" {
				t.Errorf("Codex would refuse its calls: %s", settings)
			}
			argv, _ := s.Command.(string)
			command := append([]string{argv}, s.Args...)
			if list, ok := s.Command.([]any); ok {
				command = nil
				for _, word := range list {
					command = append(command, word.(string))
				}
			}
			if test.some {
				env = slices.DeleteFunc(env, func(v string) bool {
					name, _, _ := strings.Cut(v, "=")
					return name != "PATH" && name != "HOME" && !slices.Contains(s.EnvVars, name) && s.Env[name] != "${"+name+"}"
				})
			}
			cmd := exec.CommandContext(t.Context(), filepath.Join(bin, command[0]), command[1:]...)
			cmd.Dir, cmd.Env = filepath.Join(dir, "project"), env
			c := connect(t, "test", "", nil, cmd)
			if tools, err := c.ListTools(t.Context(), nil); err != nil || len(tools.Tools) != 15 {
				t.Errorf("%v, %+v", err, tools)
			}
			if _, err := os.Stat(db); err != nil {
				t.Errorf("the variables do not reach it: %v", err)
			}
		})
	}
}

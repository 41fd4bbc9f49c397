package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"roundtable/internal/app"
	"roundtable/internal/config"
	"roundtable/internal/text"
	"roundtable/skills"
)

// callMargin is how much longer a client has to wait for a call than the server for a round.
const callMargin = 20 * time.Second

type server struct {
	Command   string
	Args      []string
	Variables []string // that are set here, for clients that pass no others on
	Limit     time.Duration
}

type object map[string]any

type printed struct {
	client, where string
	settings      func(server) string
}

func printedClients() []printed {
	return []printed{
		{"claude", ".mcp.json in the folder of your project", func(s server) string {
			return asJSON(object{"mcpServers": object{"roundtable": object{
				"type": "stdio", "command": s.Command, "args": s.Args, "timeout": s.Limit.Milliseconds(),
			}}}, "  ")
		}},
		{"codex", "~/.codex/config.toml", func(s server) string {
			return fmt.Sprintf("[mcp_servers.roundtable]\ncommand = %sargs = %senv_vars = %stool_timeout_sec = %d\n"+
				"default_tools_approval_mode = \"approve\"\n",
				asJSON(s.Command, ""), asJSON(s.Args, ""), asJSON(s.Variables, ""), int(s.Limit.Seconds()))
		}},
		{"vscode", ".vscode/mcp.json in the folder of your project", func(s server) string {
			return asJSON(object{"servers": object{"roundtable": object{"type": "stdio", "command": s.Command, "args": s.Args}}}, "  ")
		}},
		{"opencode", "~/.config/opencode/opencode.json", func(s server) string {
			return asJSON(object{"mcp": object{"roundtable": object{
				"type": "local", "command": append([]string{s.Command}, s.Args...), "enabled": true, "timeout": s.Limit.Milliseconds(),
			}}}, "  ")
		}},
		{"json", "the settings of a client with a table mcpServers, such as ~/.gemini/settings.json", func(s server) string {
			env := object{}
			for _, name := range s.Variables {
				env[name] = "${" + name + "}"
			}
			return asJSON(object{"mcpServers": object{"roundtable": object{"command": s.Command, "args": s.Args, "env": env}}}, "  ")
		}},
		{"skill", "skills/roundtable/SKILL.md in the assistant's folder, such as ~/.config/opencode", func(server) string {
			return skills.Roundtable
		}},
	}
}

func printedNames() []string {
	return text.Each(printedClients(), func(p printed) string { return p.client })
}

// printSettings prints what a client needs in its settings. It names variables, and never
// prints the value of one.
func printSettings(a *app.App, client string) error {
	all := printedClients()
	i := slices.IndexFunc(all, func(p printed) bool { return p.client == client })
	if i < 0 {
		return app.Usagef("--print %s: there is no such client; there are: %s", text.Label(client), strings.Join(printedNames(), ", "))
	}
	cfg, _, err := a.Config()
	if err != nil {
		return err
	}
	s := server{Args: []string{"mcp"}, Variables: []string{}, Limit: time.Duration(cfg.MCP.Wait) + callMargin}
	if s.Command, err = os.Executable(); err != nil {
		return fmt.Errorf("find the path of this program: %w", err)
	}
	if _, err := exec.LookPath("roundtable"); err == nil {
		s.Command = "roundtable"
	}
	for _, f := range []struct{ flag, path string }{{"--config", a.ConfigFlag}, {"--db", a.DBFlag}} {
		if f.path == "" {
			continue
		}
		whole, err := filepath.Abs(f.path)
		if err != nil {
			return fmt.Errorf("%s: %w", f.flag, err)
		}
		s.Args = append(s.Args, f.flag, whole)
	}
	a.Warn("put this into " + all[i].where)
	variables := []string{ // of the program's files, and how it reaches the network
		"ROUNDTABLE_CONFIG", "ROUNDTABLE_DB", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME",
		"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR",
	}
	for _, name := range append(variables, cfg.Variables(a.Env)...) {
		if _, ok := a.Env(name); ok {
			s.Variables = append(s.Variables, name)
		} else if config.HoldsKey(cfg, name) {
			a.Warn(name + " is not set here and therefore left out")
		}
	}
	return a.Write(all[i].settings(s))
}

// asJSON returns a value as JSON, which is TOML too for texts and lists of texts.
func asJSON(v any, indent string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil { // maps, texts and numbers always encode
		panic(err)
	}
	return b.String()
}

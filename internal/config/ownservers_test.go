package config_test

import (
	"os"
	"path/filepath"
	"testing"

	"roundtable/agents/openai"
	"roundtable/internal/config"
)

func TestOwnServers_namesThoseOfAnAgentsSettings(t *testing.T) {
	for _, tt := range []struct{ preset, file, settings, want string }{
		{"claude", ".claude.json", `{"numStartups":3,"mcpServers":{"github":{"command":"x","env":{"TOKEN":"hidden1"}},"db":{}}}`, "it has its own MCP servers db and github"},
		{"codex", ".codex/config.toml", "model = \"gpt-5\"\n[mcp_servers.docs]\ncommand = \"npx\"\n", "it has its own MCP server docs"},
		{"gemini", ".gemini/settings.json", `{"mcpServers":{"a\u001b[2Jb":{}}}`, "it has its own MCP server ab"},
		{"opencode", ".config/opencode/opencode.json", `{"mcp":{"one":{"type":"local"}}}`, "it has its own MCP server one"},
		{"copilot", ".copilot/mcp-config.json", `{"mcpServers":{"one":{}}}`, "it has its own MCP server one"},
		{"qwen", ".qwen/settings.json", `{"mcpServers":{}}`, ""},
		{"qwen", ".qwen/other.json", ``, ""},
		{"claude", ".claude.json", `{"mcpServers":`, "its own MCP servers are not known: ~/.claude.json cannot be read"},
	} {
		home := t.TempDir()
		path := filepath.Join(home, tt.file)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(tt.settings), 0o600); err != nil {
			t.Fatal(err)
		}
		cfg := config.Config{Providers: map[string]config.ProviderTable{
			"mine": {Kind: "acp", Config: openai.Config{Preset: tt.preset}}, "local": {Config: openai.Config{BaseURL: "http://localhost:1/v1"}},
		}}
		env := func(name string) (string, bool) { return home, name == "HOME" }
		if got := cfg.OwnServers("mine", env); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.file, got, tt.want)
		}
		if got := cfg.OwnServers("local", env); got != "" {
			t.Errorf("a server: %q", got)
		}
	}
}

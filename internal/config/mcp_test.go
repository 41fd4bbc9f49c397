package config_test

import (
	"os"
	"strings"
	"testing"

	"roundtable/internal/config"
	"roundtable/internal/testing/must"
)

func TestParse_saysWhatIsWrongWithMCPServers(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"allow = []", "c.toml: tools.mcp.x.command: command, url: give the program"},
		{"command = [\"a\"]\nurl = \"https://a/b\"", "c.toml: tools.mcp.x.command: command, url: give one of them"},
		{"command = [\"\"]", "c.toml: tools.mcp.x.command: the first element is the program"},
		{"command = [\"./server\"]", "tools.mcp.x.command: name a program on PATH, or give its whole path"},
		{"command = [\"~/server\"]", "tools.mcp.x.command: no shell reads it"},
		{"url = \"mcp.example.com\"", "c.toml: tools.mcp.x.url: is not an address such as https://"},
		{"url = \"https://me:pass@example.com/mcp\"", "tools.mcp.x.url: has a user or password"},
		{"url = \"https://example.com/mcp?key=1\"", "tools.mcp.x.url: has a query"},
		{"url = \"http://example.com/mcp\"\nheaders_env = { A = \"B\" }", "tools.mcp.x.url: http sends the headers to another machine"},
		{"url = \"https://example.com/mcp\"\nenv = { A = \"B\" }", "c.toml: tools.mcp.x.env: is for a command"},
		{"command = [\"a\"]\nheaders_env = { A = \"B\" }", "c.toml: tools.mcp.x.headers_env: is for a url"},
		{"command = [\"a\"]\nenv = { A = \"$\" }", `c.toml: tools.mcp.x.env.A: a value that begins with $`},
		{"url = \"https://a/b\"\nheaders_env = { A = \"sk-canary 123\" }", "c.toml: tools.mcp.x.headers_env.A: is not the name of a variable"},
		{"url = \"https://a/b\"\nheaders_env = { \"a b\" = \"C\" }", "tools.mcp.x.headers_env.a b: is not the name of a header"},
		{"command = [\"a\"]\ntimeout = \"2m\"", "tools.mcp.x.timeout: 2m0s is not from 1s to 1m0s"},
		{"command = [\"a\"]\nallow = [\"b\", \"b\"]", `c.toml: tools.mcp.x.allow[1]: "b" is listed twice`},
		{"command = [\"a\"]\nallow = [\"\"]", "c.toml: tools.mcp.x.allow[0]: is not the name of a tool"},
	} {
		checkParse(t, "[tools.mcp.x]\n"+c.text+"\n", c.want)
	}
	for _, name := range []string{"X", "a__b", "a_", "1a", "\"a.b\"", strings.Repeat("a", 33)} {
		checkParse(t, "[tools.mcp."+name+"]\ncommand = [\"a\"]\n", "is not a name; use small letters")
	}
}

func TestWithhold_removesTheSecretsOfMCPServers(t *testing.T) {
	cfg := parsed(t, `
[tools.mcp.files]
command = ["server"]
env = { TOKEN = "$MCP_TEST_PLAIN", FOLDER = "$MCP_TEST_FOLDER" }
[tools.mcp.far]
url = "http://mcp.example.com/mcp"
headers_env = { "X-Id" = "MCP_TEST_ID" }
allow_insecure = true
`)
	for _, name := range []string{"MCP_TEST_PLAIN", "MCP_TEST_FOLDER", "MCP_TEST_ID"} {
		t.Setenv(name, "value of "+name)
	}
	all, commands := config.Withhold(os.LookupEnv, cfg)
	for name, withheld := range map[string]bool{"MCP_TEST_PLAIN": true, "MCP_TEST_ID": true, "MCP_TEST_FOLDER": false} {
		_, left := os.LookupEnv(name)
		value, _ := all(name)
		passed := strings.Contains(strings.Join(commands, "\n"), name)
		if left == withheld || passed == withheld || value != "value of "+name {
			t.Errorf("%s: left in the environment %v, passed to commands %v, found as %q", name, left, passed, value)
		}
	}
}

func TestReadableByOthers_warnsOfSecretsOfMCPServers(t *testing.T) {
	path := t.TempDir() + "/c.toml"
	for text, want := range map[string]bool{`{ TOKEN = "abc" }`: true, `{ TOKEN = "$ABC" }`: false, `{ MODE = "abc" }`: false} {
		doc := "[tools.mcp.x]\ncommand = [\"a\"]\nenv = " + text + "\n"
		must.Do(t, os.WriteFile(path, []byte(doc), 0o644))
		cfg := must.Get(config.Load(path))(t)
		if got := config.ReadableByOthers(path, cfg); (got != "") != want {
			t.Errorf("%s: warning %q", text, got)
		}
	}
}

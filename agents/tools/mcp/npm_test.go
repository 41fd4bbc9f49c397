package mcp_test

import (
	"os"
	"path/filepath"
	"testing"

	"roundtable/agents/tools"
	"roundtable/agents/tools/mcp"
	"roundtable/internal/testing/must"
)

// npmVariable names a folder in which npm has installed the two reference servers.
const npmVariable = "ROUNDTABLE_NPM_SERVERS"

func TestNPM_referenceServersCanBeCalled(t *testing.T) {
	folder := os.Getenv(npmVariable)
	everything, files := filepath.Join(folder, "node_modules/.bin/mcp-server-everything"), filepath.Join(folder, "node_modules/.bin/mcp-server-filesystem")
	for _, path := range []string{everything, files} {
		if _, err := os.Stat(path); folder == "" || err != nil {
			t.Skipf("set %s to a folder in which `npm install @modelcontextprotocol/server-everything "+
				"@modelcontextprotocol/server-filesystem` was run", npmVariable)
		}
	}
	notes := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(notes, "a.md"), []byte("forty-two\n"), 0o600))
	s := start(t, map[string]mcp.Config{
		"every": {Command: []string{everything}, Allow: []string{"get-sum", "get-tiny-image", "get-structured-content"}},
		"files": {Command: []string{files, notes}, Allow: []string{"read_text_file"}},
	}, mcp.Options{})
	all, notices := toolsOf(t, s)
	if notices != "" {
		t.Fatal(notices)
	}
	e := must.Get(tools.NewExecutor(tools.Sources{}, all...))(t)
	for _, c := range []struct{ tool, args, want string }{
		{"every__get-sum", `{"a":2,"b":3}`, "The sum of 2 and 3 is 5."},
		{"every__get-tiny-image", `{}`, "[an image, image/png, "},
		{"every__get-structured-content", `{"location":"New York"}`, `"conditions":"`},
		{"files__read_text_file", `{"path":"` + notes + `/a.md"}`, "forty-two"},
		{"files__read_text_file", `{"path":"/etc/passwd"}`, "Access denied"},
	} {
		contains(t, c.tool, execute(t, e, c.tool, c.args).Text, c.want)
	}
}

package config

import (
	"maps"
	"slices"
	"strings"

	"roundtable/agents/tools/mcp"
	"roundtable/internal/text"
)

// checkMCP checks the [tools.mcp.NAME] tables.
func (r *parser) checkMCP(cfg Config) {
	for _, name := range slices.Sorted(maps.Keys(cfg.Tools.MCP)) {
		path := "tools.mcp." + name
		if !mcp.ValidName(name) {
			r.problem(path, "%q is not a name; use small letters, digits, - and single _, a letter first, 32 at most", text.Label(name))
		}
		r.tableProblems(path, cfg.Tools.MCP[name].Validate())
	}
}

// tableProblems records the errors of a table, each of which begins with the key at fault
// and a colon.
func (r *parser) tableProblems(path string, err error) {
	for _, err := range flatten(err) {
		key, text, found := strings.Cut(err.Error(), ": ")
		if !found || strings.ContainsAny(key, " \"") && !strings.Contains(key, ", ") {
			r.problem(path, "%s", err)
			continue
		}
		if first, _, several := strings.Cut(key, ", "); several {
			key, text = first, err.Error()
		}
		r.problem(path+"."+key, "%s", text)
	}
}

// mcpVariables names the environment variables that hold secrets of MCP servers.
func mcpVariables(cfg Config) []string {
	var names []string
	for _, c := range cfg.Tools.MCP {
		names = append(names, c.SecretVariables()...)
	}
	return names
}

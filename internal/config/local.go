package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/agents/tools/mcp"
	"roundtable/debate"
	"roundtable/internal/text"
)

// CheckLocal returns an error that names each recipient of a session that is not this
// machine, if nothing may leave it. Where a program sends what it is given is not known, so
// those of agents and of MCP servers are not this machine.
func (c Config) CheckLocal(s debate.Session, env func(string) (string, bool)) error {
	if !c.Defaults.OnlyLocal {
		return nil
	}
	var order, lines []string
	speakers := map[string][]string{} // by recipient
	for _, p := range s.Speakers() {
		to, local := c.Recipient(p.Provider, env)
		if local {
			continue
		}
		if speakers[to] == nil {
			order = append(order, to)
		}
		speakers[to] = append(speakers[to], text.Line(p.Name))
	}
	for _, to := range order {
		lines = append(lines, fmt.Sprintf("%s, for %s", text.Line(to), text.List(speakers[to])))
	}
	if !s.Demo() { // it calls no tools
		for _, name := range c.RemoteServers() {
			lines = append(lines, "the MCP server "+text.Line(name))
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return fmt.Errorf("only_local: nothing may leave this machine, and these would receive something:\n  %s\n"+
		"Nothing was sent. Choose models on this machine, or leave only_local out (--only-local, or [defaults] in the config)",
		strings.Join(lines, "\n  "))
}

// RemoteServers names the MCP servers that are not, or need not be, on this machine alone.
func (c Config) RemoteServers() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(c.Tools.MCP)), func(name string) bool {
		url := c.Tools.MCP[name].URL
		return url != "" && agents.IsLoopback(hostOf(url))
	})
}

// MCPServers returns the MCP servers that may be asked, and a sentence for each one that may
// not, since nothing may leave this machine.
func (c Config) MCPServers() (servers map[string]mcp.Config, refused []string) {
	if !c.Defaults.OnlyLocal {
		return c.Tools.MCP, nil
	}
	servers = maps.Clone(c.Tools.MCP)
	for _, name := range c.RemoteServers() {
		delete(servers, name)
		refused = append(refused, fmt.Sprintf("only_local: the MCP server %s is not asked.", text.Line(name)))
	}
	return servers, refused
}

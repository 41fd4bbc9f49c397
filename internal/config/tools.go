package config

import "roundtable/agents/tools/mcp"

// Tools is the [tools] table.
type Tools struct {
	MCP map[string]mcp.Config `toml:"mcp"` // servers whose tools agents may call
}

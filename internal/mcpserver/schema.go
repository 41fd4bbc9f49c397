package mcpserver

import (
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"roundtable/debate/ledger"
)

// maxItems is how many entries a list of arguments has at the most.
const maxItems = 100

// addTool adds a tool whose arguments are an In.
func addTool[In, Out any](server *mcp.Server, t *mcp.Tool, h mcp.ToolHandlerFor[In, Out]) {
	schema, err := jsonschema.For[In](nil)
	if err != nil {
		panic(fmt.Errorf("arguments of %s: %w", t.Name, err)) // the types are ours
	}
	simplify(schema)
	t.InputSchema = schema
	mcp.AddTool(server, t, h)
}

// simplify bounds a schema and gives it one type each, since there are clients, such as
// the MCP inspector, that send a list as text if its type is "null or array".
func simplify(s *jsonschema.Schema) {
	if len(s.Types) == 2 && s.Types[0] == "null" {
		s.Type, s.Types = s.Types[1], nil
	}
	switch s.Type {
	case "string":
		s.MaxLength = jsonschema.Ptr(ledger.MaxAnswer)
	case "array":
		s.MaxItems = jsonschema.Ptr(maxItems)
		simplify(s.Items)
	case "integer":
		s.Minimum = jsonschema.Ptr(0.0)
	case "object":
		for _, property := range s.Properties {
			simplify(property)
		}
	}
}

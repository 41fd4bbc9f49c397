package mcpserver

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/ledger"
	"roundtable/debate/report"
	"roundtable/internal/text"
)

// kind says what a tool does, for its hints.
type kind int

const (
	reads  kind = iota // it changes nothing
	asks               // it asks models
	steers             // it can end a debate
)

func (k kind) hints() *mcp.ToolAnnotations {
	a := &mcp.ToolAnnotations{ReadOnlyHint: k == reads, OpenWorldHint: jsonschema.Ptr(k == asks)}
	if k != reads {
		a.DestructiveHint = jsonschema.Ptr(k == steers)
	}
	return a
}

func addTool[In, Out any](s *Server, server *mcp.Server, k kind, name, description string, h mcp.ToolHandlerFor[In, Out]) {
	schema, err := jsonschema.For[In](nil)
	if err != nil {
		panic(fmt.Errorf("arguments of %s: %w", name, err)) // the types are ours
	}
	simplify(schema, "")
	if _, isPlan := any(new(In)).(planned); isPlan {
		for _, f := range new(debate.Plan).Fields() {
			if property := schema.Properties[f.Name]; property != nil {
				property.Description = cmp.Or(property.Description, f.Help)
				if f.Words != nil {
					property.Enum, property.MaxLength = anys(f.Words), nil
				}
			}
		}
	}
	words := map[string][]any{
		"format": anys(report.Formats()), "status": anys(debate.StateNames()), "action": anys(actions()),
	}
	for argument, property := range schema.Properties {
		if words[argument] != nil {
			property.Enum, property.MaxLength = words[argument], nil
		}
	}
	s.tools[name] = schema
	mcp.AddTool(server, &mcp.Tool{Name: name, Description: description, Annotations: k.hints(), InputSchema: schema}, h)
}

// planned are arguments that say what a new debate is.
type planned interface{ plan() debate.Plan }

const maxItems = 100

// simplify bounds the schema of an argument and gives it one type, since there are clients,
// such as the MCP inspector, that send a list as text if its type is "null or array".
func simplify(s *jsonschema.Schema, name string) {
	if len(s.Types) == 2 && s.Types[0] == "null" {
		s.Type, s.Types = s.Types[1], nil
	}
	switch s.Type {
	case "string":
		s.MaxLength = jsonschema.Ptr(ledger.MaxAnswer)
		if name == "text" {
			s.MaxLength = jsonschema.Ptr(debate.MaxEvidenceSize)
		}
	case "array":
		s.MaxItems = jsonschema.Ptr(maxItems)
		simplify(s.Items, "")
	case "integer", "number":
		if s.Minimum = jsonschema.Ptr(0.0); name == "limit" {
			s.Maximum = jsonschema.Ptr(float64(maxItems))
		}
	case "object":
		for name, property := range s.Properties {
			simplify(property, name)
		}
	}
}

func anys[S ~string](list []S) []any {
	return text.Each(list, func(one S) any { return string(one) })
}

// actions lists what control_session does: all that no other tool carries out.
func actions() []string {
	names := []string{"pause", "resume", "stop"}
	elsewhere := []control.ID{control.Answer, control.AskFollowUp}
	for _, a := range control.All() {
		if !slices.Contains(elsewhere, a.ID) && !slices.Contains(names, string(a.ID)) {
			names = append(names, string(a.ID))
		}
	}
	return names
}

package mcpserver

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"roundtable/debate"
	"roundtable/debate/report"
)

// otherNames are names of arguments that clients know from the first server of this kind.
var otherNames = map[string]string{
	"roundNumber": "round", "requestId": "request", "request_id": "request", "content": "result", "exitOnConsensus": "ends",
}

// otherWords are values of that server, for arguments that take the words beside them.
var otherWords = map[string]any{
	"markdown": string(report.Markdown), "true": string(debate.EndsAgreed), "false": string(debate.EndsPlanned),
}

// read returns what a client means by a value that need not be a text: JSON in a text is read,
// and nil is returned for the ways to leave it out, an empty text and a list of the word null.
func read(v any) any {
	switch v := v.(type) {
	case string:
		if strings.TrimSpace(v) == "" {
			return nil
		}
		d := json.NewDecoder(strings.NewReader(v))
		d.UseNumber()
		var value any
		if json.Valid([]byte(v)) && d.Decode(&value) == nil {
			return read(value)
		}
	case []any:
		if len(v) == 1 && v[0] == "null" {
			return nil
		}
	}
	return v
}

// fit converts an argument to the type that a schema asks for. Clients send null for optional
// arguments, and numbers, booleans and lists as JSON strings. The SDK validates the result.
func fit(s *jsonschema.Schema, v any) any {
	if s == nil {
		return v
	}
	if s.Type != "string" || s.Enum != nil && v == "" {
		v = read(v)
	}
	if s.Enum != nil && slices.Contains(s.Enum, otherWords[fmt.Sprint(v)]) {
		v = otherWords[fmt.Sprint(v)]
	}
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = fit(s.Items, v[i])
		}
	case map[string]any:
		out := map[string]any{}
		for name, value := range v {
			if other := otherNames[name]; s.Properties[name] == nil && s.Properties[other] != nil && v[other] == nil {
				name = other
			}
			value = fit(s.Properties[name], value)
			if value != nil || slices.Contains(s.Required, name) {
				out[name] = value
			}
		}
		return out
	}
	return v
}

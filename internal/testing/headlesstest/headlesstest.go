// Package headlesstest checks for tests that output of --json is as published.
package headlesstest

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"roundtable/debate/report"
)

// Validate checks JSON lines against the published schema: each line, the sequence
// numbers, and that every tool event names its agent. It returns the decoded lines.
func Validate(raw []byte) ([]map[string]any, error) {
	schema, err := Schema()
	if err != nil {
		return nil, err
	}
	var lines []map[string]any
	for line := range bytes.Lines(raw) {
		var v map[string]any
		if err := json.Unmarshal(line, &v); err != nil {
			return nil, err
		}
		if err := schema.Validate(v); err != nil {
			return nil, errors.Join(err, errors.New(string(line)))
		}
		lines = append(lines, v)
		if v["seq"] != float64(len(lines)) {
			return nil, errors.New("out of sequence: " + string(line))
		}
		if strings.HasPrefix(v["type"].(string), "tool.") && v["agent"] == "" {
			return nil, errors.New("a tool event without its agent: " + string(line))
		}
	}
	if len(lines) == 0 {
		return nil, errors.New("no events")
	}
	return lines, nil
}

// Schema returns the published schema of the events. It is read once, since that takes
// longer than checking what a debate prints.
var Schema = sync.OnceValues(func() (*jsonschema.Resolved, error) { return SchemaOf("line") })

// SchemaOf returns the published schema of an output, by its name in the definitions of the
// schema; of an export for "".
func SchemaOf(name string) (*jsonschema.Resolved, error) {
	var s jsonschema.Schema
	if err := json.Unmarshal(report.Schema(), &s); err != nil {
		return nil, err
	}
	if name != "" {
		if s.Defs[name] == nil {
			return nil, errors.New("the schema does not define " + name)
		}
		s = jsonschema.Schema{Ref: "#/$defs/" + name, Defs: s.Defs}
	}
	return s.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
}

package mcpserver

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"roundtable/debate/report"
	"roundtable/internal/text"
)

// otherNames are names of arguments that clients know from the first server of this kind.
var otherNames = map[string]string{
	"roundNumber": "round", "topic": "search", "requestId": "request", "request_id": "request", "content": "result",
}

type arguments struct{ wrong []string }

// fitted returns the arguments of a call as the schema of its tool has them. What may be left
// out can be null, and what is no text can be JSON in a text. The error names all that is wrong.
func fitted(schema *jsonschema.Schema, raw json.RawMessage) (json.RawMessage, error) {
	var a arguments
	given := read(string(raw))
	if given == nil {
		given = map[string]any{}
	}
	fit := a.fit("", schema, given)
	if len(a.wrong) > 0 {
		return nil, errors.New(strings.Join(a.wrong, "\n"))
	}
	return json.Marshal(fit)
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

func (a *arguments) fault(at, format string, args ...any) any {
	a.wrong = append(a.wrong, strings.TrimPrefix(at+": ", ": ")+fmt.Sprintf(format, args...))
	return nil
}

// fit returns a value as a schema has it, and notes what is wrong with it.
func (a *arguments) fit(at string, s *jsonschema.Schema, v any) any {
	switch s.Type {
	case "object":
		if members, ok := v.(map[string]any); ok {
			return a.object(at, s, members)
		}
		return a.fault(at, "must be an object, not %s", shown(v))
	case "array":
		list, ok := v.([]any)
		if !ok {
			return a.fault(at, "must be a list, not %s", shown(v))
		}
		if len(list) > *s.MaxItems {
			return a.fault(at, "has %d entries, and can have %d", len(list), *s.MaxItems)
		}
		for i := range list {
			if s.Items.Type != "string" {
				list[i] = read(list[i])
			}
			list[i] = a.fit(fmt.Sprintf("%s[%d]", at, i), s.Items, list[i])
		}
		return list
	case "string":
		return a.text(at, s, v)
	case "boolean":
		if _, ok := v.(bool); !ok {
			return a.fault(at, "must be true or false, not %s", shown(v))
		}
		return v
	}
	return a.number(at, s, v)
}

func (a *arguments) object(at string, s *jsonschema.Schema, members map[string]any) any {
	out := map[string]any{}
	for _, given := range slices.Sorted(maps.Keys(members)) {
		name, v := given, members[given]
		property := s.Properties[name]
		if other := otherNames[given]; property == nil && s.Properties[other] != nil && members[other] == nil {
			name, property = other, s.Properties[other]
		}
		if rest := s.AdditionalProperties; property == nil && rest != nil && rest.Type != "" {
			property = rest
		}
		where := strings.TrimPrefix(at+"."+name, ".")
		if property == nil {
			a.fault(strings.TrimPrefix(at+"."+text.Label(given), "."), "there is no such argument%s",
				text.DidYouMean(text.Label(given), slices.Sorted(maps.Keys(s.Properties))))
			continue
		}
		if property.Type != "string" || property.Enum != nil && v == "" {
			v = read(v)
		}
		if v == nil && !slices.Contains(s.Required, name) {
			continue
		}
		out[name] = a.fit(where, property, v)
	}
	for _, name := range s.Required {
		if _, ok := out[name]; !ok {
			a.fault(strings.TrimPrefix(at+"."+name, "."), "is missing")
		}
	}
	return out
}

func (a *arguments) text(at string, s *jsonschema.Schema, v any) any {
	words, ok := v.(string)
	if words == "markdown" && len(s.Enum) > 0 {
		words = string(report.Markdown)
	}
	if one, is := v.(map[string]any); is && strings.HasPrefix(at, "perspectives[") { // a perspective of such clients
		words, ok = strings.TrimSuffix(fmt.Sprintf("%v: %v", one["name"], cmp.Or(one["description"], any(""))), ": "), true
	}
	switch {
	case !ok:
		return a.fault(at, "must be a text, not %s", shown(v))
	case len(s.Enum) > 0 && !slices.Contains(s.Enum, any(words)):
		return a.fault(at, "%q is none of %s", text.Label(words), strings.Trim(fmt.Sprint(s.Enum), "[]"))
	case s.MaxLength != nil && utf8.RuneCountInString(words) > *s.MaxLength:
		return a.fault(at, "has %d characters, and can have %d", utf8.RuneCountInString(words), *s.MaxLength)
	}
	return words
}

func (a *arguments) number(at string, s *jsonschema.Schema, v any) any {
	what := "a number"
	if s.Type == "integer" {
		what = "a whole number"
	}
	n, ok := v.(json.Number)
	f, err := n.Float64()
	switch {
	case !ok || err != nil || s.Type == "integer" && f != float64(int(f)):
		return a.fault(at, "must be %s, not %s", what, shown(v))
	case f < 0:
		return a.fault(at, "must be 0 or more, not %s", n)
	case s.Type == "integer":
		return int(f)
	}
	return f
}

func shown(v any) string {
	raw, err := json.Marshal(v)
	if err != nil { // it was read from JSON
		panic(err)
	}
	return text.Label(string(raw))
}

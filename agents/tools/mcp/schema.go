package mcp

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"unicode"

	"roundtable/internal/text"
)

// offeredSchema returns a server's schema as providers take it, without characters that hide: an
// object at the top, without what they refuse there. What else a provider refuses costs the tool
// its offer there.
func offeredSchema(schema any) (json.RawMessage, error) {
	root, _ := cleaned(schema).(map[string]any)
	if root == nil {
		root = map[string]any{}
	}
	choices := []string{"$ref", "allOf", "anyOf", "oneOf"}
	if _, ok := root["properties"].(map[string]any); !ok {
		if slices.ContainsFunc(choices, func(key string) bool { return root[key] != nil }) {
			return nil, errors.New("it is a choice or a reference, and no object with properties")
		}
		root["properties"] = map[string]any{} // OpenAI refuses an object without
	}
	for _, key := range append(choices, "not", "enum", "const", "items") { // OpenAI and Anthropic take none at the top
		delete(root, key)
	}
	root["type"] = "object"
	return encode(root, "")
}

// cleaned returns a part of a schema. Encoders of PHP write an empty object as an empty list,
// and draft-04 says by a boolean beside a bound that it is exclusive.
func cleaned(v any) any {
	switch v := v.(type) {
	case []any:
		out := []any{}
		for _, one := range v {
			if !hides(one) {
				out = append(out, cleaned(one))
			}
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for key, value := range v {
			_, isBool := value.(bool)
			words, isText := value.(string)
			switch {
			case isText && (key == "title" || key == "description"):
				out[key] = text.Sanitize(words)
			case isUnsafe(key), hides(value), key == "$schema", isBool && strings.HasPrefix(key, "exclusive"):
			case key == "properties" && isEmptyList(value):
				out[key] = map[string]any{}
			default:
				out[key] = cleaned(value)
			}
		}
		for _, bound := range []string{"minimum", "maximum"} {
			exclusive := "exclusive" + text.Capitalize(bound)
			if v[exclusive] == true && out[bound] != nil {
				out[exclusive] = out[bound]
				delete(out, bound)
			}
		}
		if out["type"] == "array" && out["items"] == nil {
			out["items"] = map[string]any{} // OpenAI refuses an array without
		}
		return out
	}
	return v
}

// hides reports whether a value is a text that is not what it looks like. It is left out whole.
func hides(v any) bool {
	s, ok := v.(string)
	return ok && isUnsafe(s)
}

func isEmptyList(v any) bool {
	list, ok := v.([]any)
	return ok && len(list) == 0
}

// isUnsafe reports whether a text has characters that act on a terminal or hide.
func isUnsafe(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' || text.Ignorable(r) })
}

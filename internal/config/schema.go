package config

import (
	"encoding"
	"encoding/json"
	"reflect"
	"regexp"
	"strings"

	"roundtable/internal/keymap"
)

// Schema returns a JSON schema of the configuration file, for editors. It is made of the types
// that the file is read into, with the comments of the example as descriptions.
func Schema(example []byte) ([]byte, error) {
	s := schema{comments: commentsOf(string(example))}
	root := s.of(reflect.TypeFor[Config](), "")
	root["$schema"], root["title"] = "http://json-schema.org/draft-07/schema#", "Roundtable's config.toml"
	root["properties"].(map[string]any)["keys"] = keysSchema()
	out, err := json.MarshalIndent(root, "", "  ")
	return append(out, '\n'), err
}

// schema makes JSON schemas of types.
type schema struct {
	comments map[string]string // by the path of the key
}

// of returns the schema of the values of a key.
func (s schema) of(t reflect.Type, path string) map[string]any {
	switch {
	case reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()):
		return map[string]any{"type": "string"}
	case t.Kind() == reflect.Pointer:
		return s.of(t.Elem(), path)
	}
	switch t.Kind() {
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return map[string]any{"type": "integer"}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	case reflect.Slice:
		return map[string]any{"type": "array", "items": s.of(t.Elem(), path)}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": s.of(t.Elem(), path+".*")}
	case reflect.Struct:
		return s.ofStruct(t, path)
	default: // any value
		return map[string]any{}
	}
}

func (s schema) ofStruct(t reflect.Type, path string) map[string]any {
	properties := map[string]any{}
	for _, f := range reflect.VisibleFields(t) {
		name := keyOf(f)
		if name == "" {
			continue
		}
		at := strings.TrimPrefix(path+"."+name, ".")
		one := s.of(f.Type, at)
		if words := s.comments[at]; words != "" {
			one["description"] = words
		}
		properties[name] = one
	}
	return map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
}

// keysSchema lists the commands whose keys can be changed.
func keysSchema() map[string]any {
	properties := map[string]any{}
	for _, c := range keymap.All() {
		if !c.Fixed {
			properties[c.ID] = map[string]any{
				"type": "string", "default": strings.Join(c.Keys, " "), "description": "Works in: " + strings.Join(c.Where, ", "),
			}
		}
	}
	return map[string]any{
		"type": "object", "properties": properties, "additionalProperties": false,
		"description": "Other keys for commands, by their ids; several keys have blanks between them.",
	}
}

var (
	tableLine   = regexp.MustCompile(`^#? ?\[+([a-z_.A-Z0-9-]+)\]+`)
	keyLine     = regexp.MustCompile(`^#? ?([a-z_]+)\s*=\s*(?:"[^"]*"|\[[^\]]*\]|\{[^}]*\}|[^#"\[{]+)\s*#\s*(.*)$`)
	commentLine = regexp.MustCompile(`^#?\s{12,}#\s*(.*)$`)
)

// commentsOf returns the comments behind the keys of the example, by the paths of the keys. A
// name that the user chooses is * in a path.
func commentsOf(example string) map[string]string {
	out, table, last := map[string]string{}, "", ""
	for line := range strings.Lines(example) {
		line = strings.TrimRight(line, "\r\n")
		if m := tableLine.FindStringSubmatch(line); m != nil {
			table, last = anyName(m[1]), ""
			continue
		}
		if m := keyLine.FindStringSubmatch(line); m != nil {
			if last = table + "." + m[1]; out[last] == "" {
				out[last] = m[2]
				continue
			}
		} else if m := commentLine.FindStringSubmatch(line); m != nil && last != "" {
			out[last] += " " + m[1]
			continue
		}
		last = ""
	}
	return out
}

// anyName returns the path of a table in which names that the user chooses are *.
func anyName(path string) string {
	parts, t := strings.Split(path, "."), reflect.TypeFor[Config]()
	for i, part := range parts {
		if inner(t).Kind() == reflect.Map {
			parts[i] = "*"
		}
		next, ok := field(t, part)
		if !ok {
			break
		}
		t = next
	}
	return strings.Join(parts, ".")
}

package mcp

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/google/jsonschema-go/jsonschema"

	"roundtable/internal/text"
)

// place says what the value of a keyword holds.
type place int

const (
	aValue    place = iota
	aSchema         // or a boolean
	aSwitch         // a schema, or a boolean that is kept
	schemas         // a list of schemas
	schemaMap       // schemas by name
)

// places are the keywords that have schemas in them, so that a parameter that has the name of a
// keyword is not taken for one.
var places = map[string]place{
	"properties": schemaMap, "patternProperties": schemaMap, "dependentSchemas": schemaMap, "$defs": schemaMap,
	"allOf": schemas, "anyOf": schemas, "oneOf": schemas, "prefixItems": schemas,
	"items": aSchema, "contains": aSchema, "propertyNames": aSchema, "not": aSchema, "if": aSchema, "then": aSchema, "else": aSchema,
	"additionalProperties": aSwitch, "unevaluatedProperties": aSwitch, "unevaluatedItems": aSwitch,
}

var typeNames = []string{"array", "boolean", "integer", "null", "number", "object", "string"}

// schemaCleaner makes a server's schema one that providers take: of the current draft, an
// object at the top, and without what is not valid.
type schemaCleaner struct {
	left []string // what is left out, by its path
}

// offeredSchema returns a schema as providers take it, and the paths of what is left out of it.
// Encoders of other languages write an empty object as an empty list.
func offeredSchema(schema any) (json.RawMessage, []string, error) {
	var c schemaCleaner
	root := c.schema(inlined(schema), "", 0)
	properties, _ := root["properties"].(map[string]any)
	if properties == nil {
		properties = map[string]any{} // OpenAI refuses an object without
	}
	for _, key := range []string{"allOf", "anyOf", "oneOf"} { // OpenAI and Anthropic take none at the top
		branches, _ := root[key].([]any)
		for _, branch := range branches {
			more, _ := branch.(map[string]any)["properties"].(map[string]any)
			for name, property := range more {
				if properties[name] == nil {
					properties[name] = property
				}
			}
		}
	}
	for _, key := range []string{"allOf", "anyOf", "oneOf", "not", "enum", "const"} {
		if root[key] != nil {
			delete(root, key)
			c.leave("/" + key)
		}
	}
	if root["type"] != nil && root["type"] != "object" {
		c.leave("/type")
	}
	root["type"], root["properties"] = "object", properties
	delete(root, "items") // of another type
	c.dropReferences(root, root, "")
	raw, err := encode(root, "")
	slices.Sort(c.left)
	return raw, slices.Compact(c.left), err
}

// inlined returns a schema that only refers to one of its definitions as that definition.
func inlined(schema any) any {
	root, _ := schema.(map[string]any)
	ref, _ := root["$ref"].(string)
	target, ok := lookUp(root, ref).(map[string]any)
	if !ok {
		return schema
	}
	out := maps.Clone(root)
	delete(out, "$ref")
	maps.Copy(out, target)
	return out
}

// lookUp returns what a reference within a schema refers to; nil if there is nothing.
func lookUp(root map[string]any, ref string) any {
	path, ok := strings.CutPrefix(ref, "#/")
	var at any = root
	for _, name := range strings.Split(path, "/") {
		object, _ := at.(map[string]any)
		at = object[strings.NewReplacer("~1", "/", "~0", "~").Replace(name)]
	}
	if !ok {
		return nil
	}
	return at
}

func (c *schemaCleaner) leave(path string) { c.left = append(c.left, path) }

func (c *schemaCleaner) schema(v any, path string, depth int) map[string]any {
	out := map[string]any{}
	if v == false {
		out["not"] = map[string]any{}
	}
	object, ok := v.(map[string]any)
	if isBool(v) || isEmpty(v) && path != "" {
		return out
	} else if !ok || depth > maxDepth {
		c.leave(path)
		return out
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		c.keyword(out, key, object[key], path+"/"+key, depth)
	}
	for _, end := range []string{"Minimum", "Maximum"} { // draft-04 has the bound beside it
		bound := strings.ToLower(end)
		if exclusive, ok := object["exclusive"+end].(bool); ok && exclusive && out[bound] != nil {
			out["exclusive"+end] = out[bound]
			delete(out, bound)
		}
	}
	if out["type"] == "array" && out["items"] == nil {
		out["items"] = map[string]any{} // OpenAI refuses an array without
	}
	return out
}

func (c *schemaCleaner) keyword(out map[string]any, key string, v any, path string, depth int) {
	list, _ := v.([]any)
	switch {
	case v == nil && key != "const" && key != "default", slices.Contains([]string{"$schema", "$id", "id"}, key),
		isBool(v) && strings.HasPrefix(key, "exclusive"):
		return
	case isUnsafe(key):
		c.leave(path)
		return
	case key == "definitions":
		key = "$defs"
	case key == "items" && len(list) > 0:
		key = "prefixItems"
	case key == "$ref":
		if ref, ok := v.(string); ok {
			v = strings.Replace(ref, "#/definitions/", "#/$defs/", 1)
		}
	}
	switch kind := places[key]; {
	case kind == aSwitch && isBool(v):
		out[key] = v
	case kind == aSchema || kind == aSwitch:
		out[key] = c.schema(v, path, depth+1)
	case kind == schemas && len(list) > 0:
		all := make([]any, len(list))
		for i := range list {
			all[i] = c.schema(list[i], path, depth+1)
		}
		out[key] = all
	case kind == schemaMap && (isEmpty(v) || isObject(v)):
		named, _ := v.(map[string]any)
		all := map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(named)) {
			if isUnsafe(name) || key == "patternProperties" && !isValid(key, map[string]any{name: map[string]any{}}) {
				c.leave(path + "/" + name)
				continue
			}
			all[name] = c.schema(named[name], path+"/"+name, depth+1)
		}
		out[key] = all
	case kind == aValue && (key == "description" || key == "title") && isText(v):
		out[key] = text.Sanitize(v.(string)) //nolint:forcetypeassert // it is a text
	case kind == aValue && isSafe(v) && isValid(key, v):
		out[key] = v
	default:
		c.leave(path)
	}
}

func (c *schemaCleaner) dropReferences(root map[string]any, v any, path string) {
	switch v := v.(type) {
	case map[string]any:
		if ref, ok := v["$ref"].(string); ok && ref != "#" && !isObject(lookUp(root, ref)) {
			delete(v, "$ref")
			c.leave(path + "/$ref")
		}
		for key, value := range v {
			c.dropReferences(root, value, path+"/"+key)
		}
	case []any:
		for _, value := range v {
			c.dropReferences(root, value, path)
		}
	}
}

func isBool(v any) bool {
	_, ok := v.(bool)
	return ok
}

func isText(v any) bool {
	_, ok := v.(string)
	return ok
}

func isObject(v any) bool {
	_, ok := v.(map[string]any)
	return ok
}

func isEmpty(v any) bool {
	list, ok := v.([]any)
	return ok && len(list) == 0
}

// isValid reports whether a keyword without schemas in it has a value that it may have.
func isValid(key string, v any) bool {
	switch list, _ := v.([]any); {
	case key == "$ref":
		return isText(v)
	case key == "enum":
		return len(list) > 0
	case key == "type" && isText(v):
		list = []any{v}
		fallthrough
	case key == "type":
		for _, name := range list {
			if name, _ := name.(string); !slices.Contains(typeNames, name) {
				return false
			}
		}
		return len(list) > 0
	}
	raw, err := encode(map[string]any{key: v}, "")
	if err != nil {
		return false
	}
	var parsed jsonschema.Schema
	if json.Unmarshal(raw, &parsed) != nil {
		return false
	}
	_, err = parsed.Resolve(nil)
	return err == nil
}

// isSafe reports whether no name and no text in a value has characters that are not offered.
func isSafe(v any) bool {
	switch v := v.(type) {
	case string:
		return !isUnsafe(v)
	case []any:
		return !slices.ContainsFunc(v, func(x any) bool { return !isSafe(x) })
	case map[string]any:
		for key, value := range v {
			if isUnsafe(key) || !isSafe(value) {
				return false
			}
		}
	}
	return true
}

// isUnsafe reports whether a text has characters that act on a terminal or hide.
func isUnsafe(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' || text.Ignorable(r) })
}

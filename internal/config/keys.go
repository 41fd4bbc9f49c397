package config

import (
	"encoding"
	"reflect"
	"strings"
)

// keysAt follows a key through the fields of Config. It returns how many of its parts
// exist and the keys known at that depth; nil where any name is allowed.
func keysAt(key []string) (known []string, depth int) {
	t := reflect.TypeFor[Config]()
	for depth < len(key) {
		next, ok := field(t, key[depth])
		if !ok {
			break
		}
		t = next
		depth++
	}
	return keysOf(t), depth
}

// expected describes the kind of value that a key takes; "" where the decoder's message
// is better.
func expected(key []string) string {
	t := reflect.TypeFor[Config]()
	for _, name := range key {
		next, ok := field(t, name)
		if !ok {
			return ""
		}
		t = next
	}
	if reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
		return ""
	}
	return kindOf(t)
}

// field returns the type of a key of t. For a list it looks at the elements, which
// TOML addresses by the key of the list.
func field(t reflect.Type, name string) (reflect.Type, bool) {
	t = inner(t)
	if t.Kind() == reflect.Map {
		return t.Elem(), true
	}
	if t.Kind() != reflect.Struct {
		return nil, false
	}
	for _, f := range reflect.VisibleFields(t) {
		if tag := f.Tag.Get("toml"); tag != "" && tag != "-" && strings.EqualFold(tag, name) {
			return f.Type, true
		}
	}
	return nil, false
}

func keysOf(t reflect.Type) []string {
	t = inner(t)
	if t.Kind() != reflect.Struct {
		return nil
	}
	var names []string
	for _, f := range reflect.VisibleFields(t) {
		if tag := f.Tag.Get("toml"); tag != "" && tag != "-" {
			names = append(names, tag)
		}
	}
	return names
}

func inner(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

// kindOf describes the values of a type.
func kindOf(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Int:
		return "expected a whole number, such as 3"
	case reflect.Float64:
		return "expected a number, such as 0.5"
	case reflect.Bool:
		return "expected true or false"
	case reflect.String:
		return `expected text in quotes, such as "ada"`
	case reflect.Slice:
		return "expected a list: [ ... ]"
	case reflect.Struct, reflect.Map:
		return "expected a table"
	default:
		return ""
	}
}

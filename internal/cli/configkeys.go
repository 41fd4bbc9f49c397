package cli

import (
	"encoding"
	"reflect"
	"slices"
	"strings"
)

// keysAt walks a key down the configuration's types. It returns how far the key
// leads and which keys are known there; none are where any will do.
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

// expected says what kind of value a key wants, "" where the decoder knows better.
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

// field returns the type of a key of t. Lists are passed through: TOML names
// their elements by the key of the list.
func field(t reflect.Type, name string) (reflect.Type, bool) {
	t = inner(t)
	if t.Kind() == reflect.Map {
		return t.Elem(), true
	}
	if t.Kind() != reflect.Struct {
		return nil, false
	}
	for f := range t.Fields() {
		if tag := f.Tag.Get("toml"); tag != "" && strings.EqualFold(tag, name) {
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
	for f := range t.Fields() {
		if tag := f.Tag.Get("toml"); tag != "" {
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

// kindOf names what a key wants, for people.
func kindOf(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Int:
		return "a whole number is wanted here, such as 3"
	case reflect.Float64:
		return "a number is wanted here, such as 0.5"
	case reflect.Bool:
		return "true or false is wanted here"
	case reflect.String:
		return `text in quotes is wanted here, such as "ada"`
	case reflect.Slice:
		return "a list is wanted here: [ ... ]"
	case reflect.Struct, reflect.Map:
		return "a table is wanted here"
	default:
		return ""
	}
}

// closest returns the known word that a misspelt one most likely means, "" if
// none is near.
func closest(word string, known []string) string {
	best, least := "", 1+max(1, len(word)/3)
	for _, k := range known {
		d := distance(strings.ToLower(word), k)
		if len(word) >= 3 && strings.HasPrefix(k, strings.ToLower(word)) {
			d = min(d, 1)
		}
		if d < least {
			best, least = k, d
		}
	}
	return best
}

// distance counts the edits between two words: letters put in, taken out,
// changed, and neighbours swapped.
func distance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}

// among quotes the known words, sorted, for a message.
func among(words []string) string {
	words = slices.Clone(words)
	slices.Sort(words)
	return strings.Join(words, ", ")
}

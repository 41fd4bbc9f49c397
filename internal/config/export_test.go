package config

import "reflect"

// AllKeys lists every key that a configuration can have, by its last name.
func AllKeys() []string {
	var names []string
	var walk func(t reflect.Type)
	walk = func(t reflect.Type) {
		t = inner(t)
		if t.Kind() == reflect.Map {
			t = t.Elem()
		}
		for _, name := range keysOf(t) {
			names = append(names, name)
			if next, ok := field(t, name); ok {
				walk(next)
			}
		}
	}
	walk(reflect.TypeFor[Config]())
	return names
}

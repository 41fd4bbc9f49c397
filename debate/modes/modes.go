// Package modes holds the built-in debate modes, a TOML file each, and the
// loader of that format.
//
// It imports debate only. A mode is data: nothing here or elsewhere asks for a
// mode by its name.
package modes

import (
	"bytes"
	"embed"
	"fmt"
	"path"

	"github.com/pelletier/go-toml/v2"

	"roundtable/debate"
)

//go:embed *.toml
var files embed.FS

// Builtin returns the built-in modes, by name.
func Builtin() ([]debate.Mode, error) {
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil, fmt.Errorf("read the built-in modes: %w", err)
	}
	var out []debate.Mode
	for _, e := range entries {
		raw, err := files.ReadFile(e.Name())
		if err != nil {
			return nil, fmt.Errorf("read the built-in modes: %w", err)
		}
		m, err := Parse(path.Join("modes", e.Name()), raw)
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

// Parse decodes and validates a mode file. Every error in it is a line that
// begins with the file's name, the line where the text has one, and the field.
func Parse(file string, raw []byte) (debate.Mode, error) {
	var m debate.Mode
	err := toml.NewDecoder(bytes.NewReader(raw)).DisallowUnknownFields().Decode(&m)
	if err != nil {
		return m, decoding(file, err)
	}
	if err := m.Validate(); err != nil {
		return m, validating(file, raw, err)
	}
	return m, nil
}

// Find returns the mode with that name, or an error that lists the names there are.
func Find(all []debate.Mode, name string) (debate.Mode, error) {
	names := ""
	for i, m := range all {
		if m.Name == name {
			return m, nil
		}
		if i > 0 {
			names += ", "
		}
		names += m.Name
	}
	return debate.Mode{}, fmt.Errorf("there is no mode %q; there are: %s", name, names)
}

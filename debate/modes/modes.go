// Package modes holds the built-in debate modes, a TOML file each, and the
// loader of that format.
//
// It imports debate only. A mode is data: nothing here or elsewhere asks for a
// mode by its name.
package modes

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"roundtable/debate"
	"roundtable/internal/text"
)

//go:embed *.toml
var files embed.FS

// Builtin returns the built-in modes, ordered by name.
func Builtin() ([]debate.Mode, error) {
	entries, err := files.ReadDir(".")
	var out []debate.Mode
	for _, e := range entries {
		raw, _ := files.ReadFile(e.Name()) // it was just listed
		m, err := Parse(path.Join("modes", e.Name()), raw)
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, err
}

// Source returns the file of a built-in mode; false if there is no such mode.
func Source(name string) (raw []byte, ok bool) {
	raw, err := files.ReadFile(name + ".toml")
	return raw, err == nil
}

const maxFileSize = 1 << 20

// Load returns the built-in modes and those of the *.toml files in a folder, ordered by
// name. Faults holds the errors of faulty files, as Parse returns them; their modes are
// left out. A missing folder has no modes.
func Load(folder string) (all []debate.Mode, faults []error) {
	all, err := Builtin()
	if err != nil {
		faults = append(faults, err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		faults = append(faults, fmt.Errorf("%s: cannot be read: %w", filepath.Base(folder), err))
	}
	for _, e := range entries {
		if e.IsDir() || filepath.Ext(e.Name()) != ".toml" {
			continue
		}
		file := path.Join(filepath.Base(folder), e.Name())
		raw, err := text.ReadFile(filepath.Join(folder, e.Name()), maxFileSize)
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: cannot be read: %w", file, err))
			continue
		}
		m, err := Parse(file, raw)
		if err == nil && slices.ContainsFunc(all, func(o debate.Mode) bool { return o.Name == m.Name }) {
			err = fmt.Errorf("%s: name: there is already a mode %q", file, m.Name)
		}
		if err != nil {
			faults = append(faults, err)
			continue
		}
		all = append(all, m)
	}
	slices.SortStableFunc(all, func(a, b debate.Mode) int { return strings.Compare(a.Name, b.Name) })
	return all, faults
}

// defaultRounds is used if a file says nothing: more rounds before a vote help little.
const defaultRounds = 2

// Parse decodes and validates a mode file. Each error is a line that begins with the
// file's name, the line number if it is about TOML, and the field.
func Parse(file string, raw []byte) (debate.Mode, error) {
	m := debate.Mode{Rounds: defaultRounds}
	raw, err := text.DecodeText(raw)
	if err != nil {
		return debate.Mode{}, fmt.Errorf("%s: %w", file, err)
	}
	err = toml.NewDecoder(bytes.NewReader(raw)).DisallowUnknownFields().Decode(&m)
	if err != nil {
		return m, decodeErrors(file, err)
	}
	if err := m.Validate(); err != nil {
		return m, errors.New(file + ": " + strings.ReplaceAll(err.Error(), "\n", "\n"+file+": "))
	}
	return m, nil
}

// Find returns the mode of that name, or an error that lists all names.
func Find(all []debate.Mode, name string) (debate.Mode, error) {
	var names []string
	for _, m := range all {
		if m.Name == name {
			return m, nil
		}
		names = append(names, m.Name)
	}
	return debate.Mode{}, fmt.Errorf("there is no mode %q; there are: %s", text.Label(name), strings.Join(names, ", "))
}

func decodeErrors(file string, err error) error {
	var strict *toml.StrictMissingError
	if errors.As(err, &strict) {
		var errs []error
		for _, e := range strict.Errors {
			row, _ := e.Position()
			errs = append(errs, fmt.Errorf("%s:%d: unknown field %q", file, row, strings.Join(e.Key(), ".")))
		}
		return errors.Join(errs...)
	}
	var one *toml.DecodeError
	if !errors.As(err, &one) {
		return fmt.Errorf("%s: %w", file, err)
	}
	row, _ := one.Position()
	message, _, _ := strings.Cut(strings.TrimPrefix(one.Error(), "toml: "), " into struct field") // names the Go struct
	if key := strings.Join(one.Key(), "."); key != "" {
		message = key + ": " + message
	}
	return fmt.Errorf("%s:%d: %s", file, row, message)
}

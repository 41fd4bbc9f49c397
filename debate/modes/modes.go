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

// maxFileSize is far more than any mode file needs.
const maxFileSize = 1 << 20

// Load returns the built-in modes and those of the *.toml files in a folder, ordered by
// name. Faults holds the errors of faulty files, as Parse returns them; their modes are
// left out. A missing folder has no modes.
func Load(folder string) (all []debate.Mode, faults []error, err error) {
	all, err = Builtin()
	if err != nil {
		return nil, nil, err
	}
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		faults = append(faults, fmt.Errorf("%s: cannot be read: %w", filepath.Base(folder), err))
	}
	for _, e := range entries {
		if e.IsDir() || filepath.Ext(e.Name()) != ".toml" {
			continue
		}
		m, err := read(folder, e.Name())
		if err == nil && slices.ContainsFunc(all, func(o debate.Mode) bool { return o.Name == m.Name }) {
			err = fmt.Errorf("%s: name: there is already a mode %q", path.Join(filepath.Base(folder), e.Name()), m.Name)
		}
		if err != nil {
			faults = append(faults, err)
			continue
		}
		all = append(all, m)
	}
	slices.SortStableFunc(all, func(a, b debate.Mode) int { return strings.Compare(a.Name, b.Name) })
	return all, faults, nil
}

func read(folder, name string) (debate.Mode, error) {
	file := path.Join(filepath.Base(folder), name)
	raw, err := text.ReadFile(filepath.Join(folder, name), maxFileSize)
	if err != nil {
		return debate.Mode{}, fmt.Errorf("%s: cannot be read: %w", file, err)
	}
	return Parse(file, raw)
}

// defaultRounds is used if a file says nothing: more rounds before a vote help little.
const defaultRounds = 2

// Parse decodes and validates a mode file. Each error is a line that begins with the
// file's name, the line number if known, and the field.
func Parse(file string, raw []byte) (debate.Mode, error) {
	var content struct {
		debate.Mode
		Kinds any `toml:"kinds"` // of questions; files of older versions have it
	}
	content.Rounds = defaultRounds
	raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
	err := toml.NewDecoder(bytes.NewReader(raw)).DisallowUnknownFields().Decode(&content)
	m := content.Mode
	if err != nil {
		return m, decodeErrors(file, err)
	}
	if err := m.Validate(); err != nil {
		return m, withLines(file, raw, err)
	}
	return m, nil
}

// Find returns the mode of that name, or an error that lists all names.
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

package config

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"

	"roundtable/internal/text"
)

// builtinThemes are the names of the built-in themes. Any other name is that of a file of colours
// in the folder themes beside the configuration, without its .toml.
var builtinThemes = []string{"auto", "dark", "light", "high-contrast"}

// Colors are the colours of a theme of the user's, as #rrggbb; "" is that of the built-in
// theme for the terminal's background.
type Colors struct {
	Text     string   `toml:"text"`
	Muted    string   `toml:"muted"`
	Faint    string   `toml:"faint"`
	Line     string   `toml:"line"`
	Accent   string   `toml:"accent"`
	Success  string   `toml:"success"`
	Warning  string   `toml:"warning"`
	Danger   string   `toml:"danger"`
	Selected string   `toml:"selected"` // background of the selected row
	Seats    []string `toml:"seats"`    // up to eight
}

var colorName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^#[0-9a-fA-F]{6}$`) })

// loadTheme reads the colours that ui.theme names, if it names a file.
func (r *parser) loadTheme(path string, ui *UI) {
	if slices.Contains(builtinThemes, ui.Theme) {
		return
	}
	const key = "ui.theme"
	if ui.Theme == "" || ui.Theme != filepath.Base(ui.Theme) || strings.HasPrefix(ui.Theme, ".") {
		r.problem(key, "%q is none of %s and no name of a file in the folder themes", ui.Theme, strings.Join(builtinThemes, ", "))
		return
	}
	file := filepath.Join(filepath.Dir(path), "themes", ui.Theme+".toml")
	raw, err := text.ReadFile(file, 64<<10)
	if errors.Is(err, fs.ErrNotExist) {
		r.problem(key, "%q is none of %s, and there is no file %s", ui.Theme, strings.Join(builtinThemes, ", "), file)
		return
	}
	if err != nil {
		r.problem(key, "%v", err)
		return
	}
	var c Colors
	if err := toml.NewDecoder(bytes.NewReader(raw)).DisallowUnknownFields().Decode(&c); err != nil {
		var unknown *toml.StrictMissingError
		if errors.As(err, &unknown) && len(unknown.Errors) > 0 {
			r.problem(key, "%s: there is no colour %q", file, strings.Join(unknown.Errors[0].Key(), "."))
			return
		}
		r.problem(key, "%s: %v", file, err)
		return
	}
	if wrong := c.invalid(); wrong != "" {
		r.problem(key, "%s: %s", file, wrong)
		return
	}
	ui.Colors = &c
}

// invalid says which colour cannot be used; "" if all can.
func (c Colors) invalid() string {
	v := reflect.ValueOf(c)
	for i := range v.NumField() {
		name, values := v.Type().Field(i).Tag.Get("toml"), c.Seats
		if v.Field(i).Kind() == reflect.String {
			values = []string{v.Field(i).String()}
		} else if len(c.Seats) > 8 {
			return "seats has more than eight colours"
		}
		for _, s := range values {
			if s != "" && !colorName().MatchString(s) {
				return name + ": " + text.Line(s) + " is not a colour such as #a1c0ff"
			}
		}
	}
	return ""
}

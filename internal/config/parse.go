package config

import (
	"bytes"
	"crypto/sha256"
	"encoding"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"

	"roundtable/internal/text"
)

// maxFile bounds the configuration file, in bytes.
const maxFile = 1 << 20

// Load reads the configuration file. Its error is fs.ErrNotExist for a file that does
// not exist, and an *Error that lists every problem for one that is not valid.
func Load(path string) (Config, error) {
	raw, err := text.ReadFile(path, maxFile)
	if err != nil {
		return Config{}, fmt.Errorf("read config: %w", err)
	}
	return Parse(path, raw)
}

// Parse decodes and checks a configuration. Path is used in messages and to find the
// user's modes, which are next to the file.
func Parse(path string, raw []byte) (Config, error) {
	sum := sha256.Sum256(raw)
	doc, err := text.DecodeText(raw)
	if err != nil {
		return Config{}, &Error{Path: path, Problems: []Problem{{1, 1, err.Error()}}}
	}
	r := &parser{doc: doc, index: indexOf(doc), faulty: map[string]bool{}}
	cfg := r.decode()
	cfg.ModesDir = ModesBeside(path)
	if !r.broken {
		r.check(cfg)
		r.checkKeys(&cfg)
		r.loadTheme(path, &cfg.UI)
	}
	if len(r.problems) > 0 {
		return Config{}, &Error{Path: path, Problems: r.sorted()}
	}
	cfg.Hash = hex.EncodeToString(sum[:])
	return cfg, nil
}

// parser decodes one document and collects its problems.
type parser struct {
	doc      []byte
	index    index
	problems []Problem
	faulty   map[string]bool // keys with a problem; later problems of theirs are dropped
	broken   bool            // not TOML: the rest cannot be checked
}

// decode decodes as much of the document as it can. The decoder stops at the first
// value of a wrong type, so that value is blanked out and decoding starts again.
func (r *parser) decode() Config {
	doc := bytes.Clone(r.doc)
	for {
		cfg := Default()
		err := toml.NewDecoder(bytes.NewReader(doc)).DisallowUnknownFields().Decode(&cfg)
		var wrong *toml.DecodeError
		var unknown *toml.StrictMissingError
		switch {
		case err == nil:
			return cfg
		case errors.As(err, &unknown):
			for i := range unknown.Errors {
				r.unknown(&unknown.Errors[i])
			}
			return cfg
		case errors.As(err, &wrong):
			at := r.invalid(wrong)
			if at == nil {
				return cfg
			}
			blank(doc, *at)
		default:
			r.problems = append(r.problems, Problem{Line: 1, Column: 1, Text: text.Line(strings.TrimPrefix(err.Error(), "toml: "))})
			r.broken = true
			return cfg
		}
	}
}

// invalid records a decoder error and returns the span to blank out; nil if the
// document is not TOML at all.
func (r *parser) invalid(e *toml.DecodeError) *span {
	line, column := e.Position()
	raw := text.Line(strings.TrimPrefix(e.Error(), "toml: "))
	at, ok := r.index.around(line, column)
	if !ok || r.index.broken {
		if odd := r.oddAt(line, column); odd != "" {
			raw = odd
		}
		r.problems = append(r.problems, Problem{Line: line, Column: column, Text: raw})
		r.broken = true
		return nil
	}
	key := r.index.keyAt(line, column, e.Key())
	first := slices.IndexFunc(r.index.exprs, func(x expr) bool { return x.path == at.path })
	if want := expected(key); r.index.exprs[first].start != at.start {
		raw = fmt.Sprintf("defined twice, first in line %d", r.index.exprs[first].start.line)
	} else if want != "" {
		raw = want
	}
	r.faulty[at.path] = true
	r.problems = append(r.problems, Problem{Line: line, Column: column, Text: text.Label(strings.Join(key, ".")) + ": " + raw})
	return &at.span
}

// oddCharacters are characters that editors and web pages put in place of others, with their
// name and the one that is meant; "" for none.
var oddCharacters = map[rune][2]string{
	'\u00a0': {"a no-break space", "a space"}, '\u202f': {"a narrow no-break space", "a space"}, '\u3000': {"a wide space", "a space"},
	'\u200b': {"a zero-width space", ""}, '\u200d': {"a zero-width joiner", ""}, '\ufeff': {"a byte order mark", ""},
	'“': {"a typographic quotation mark", `"`}, '”': {"a typographic quotation mark", `"`},
	'„': {"a typographic quotation mark", `"`},
	'‘': {"a typographic quotation mark", "'"}, '’': {"a typographic quotation mark", "'"},
	'–': {"an en dash", "-"}, '—': {"an em dash", "-"}, '−': {"a minus sign", "-"}, '＝': {"a wide equals sign", "="},
}

// oddAt says what is wrong with the character at a position; "" if TOML allows it.
func (r *parser) oddAt(line, column int) string {
	lines := bytes.SplitAfter(r.doc, []byte("\n"))
	if line > len(lines) || column > len(lines[line-1]) {
		return ""
	}
	c, size := utf8.DecodeRune(lines[line-1][column-1:])
	switch odd, known := oddCharacters[c]; {
	case c == utf8.RuneError && size <= 1:
		return fmt.Sprintf("the byte 0x%02x is not UTF-8; save the file as UTF-8", lines[line-1][column-1])
	case known && odd[1] == "":
		return fmt.Sprintf("%s (U+%04X) does not belong here; remove it", odd[0], c)
	case known:
		return fmt.Sprintf("%s (U+%04X) does not belong here; write %s", odd[0], c, odd[1])
	case c >= utf8.RuneSelf:
		return fmt.Sprintf("%q (U+%04X) does not belong here; text needs quotes", c, c)
	}
	return ""
}

func blank(doc []byte, s span) {
	for i := s.from; i < s.to && i < len(doc); i++ {
		if doc[i] != '\n' && doc[i] != '\r' {
			doc[i] = ' '
		}
	}
}

// unknown records a key that does not exist, and suggests the closest one that does.
func (r *parser) unknown(e *toml.DecodeError) {
	line, column := e.Position()
	key := r.index.keyAt(line, column, e.Key())
	t, depth := follow(key)
	known := keysOf(t)
	name := key[len(key)-1]
	if depth < len(key) {
		name = key[depth]
	}
	raw := fmt.Sprintf("unknown key %q", text.Label(name))
	if likely := text.Closest(name, known); likely != "" {
		raw += fmt.Sprintf("; did you mean %s?", likely)
	} else if len(known) > 0 {
		raw += "; known keys: " + strings.Join(known, ", ")
	}
	r.problems = append(r.problems, Problem{Line: line, Column: column, Text: raw})
}

// Error lists everything that is wrong with a configuration file.
type Error struct {
	Path     string
	Problems []Problem
}

// Problem is one mistake and its position.
type Problem struct {
	Line, Column int
	Text         string
}

// Error returns one line for each problem, in the form file:line:column: text.
func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = fmt.Sprintf("%s:%d:%d: %s", e.Path, p.Line, p.Column, p.Text)
	}
	return strings.Join(lines, "\n")
}

// follow returns the type of the value of a key in Config, or of as many of its parts as
// exist, and how many those are.
func follow(key []string) (t reflect.Type, depth int) {
	t = reflect.TypeFor[Config]()
	for ; depth < len(key); depth++ {
		next, ok := field(t, key[depth])
		if !ok {
			break
		}
		t = next
	}
	return t, depth
}

// expected describes the kind of value that a key takes; "" where the decoder's message
// is better.
func expected(key []string) string {
	t, depth := follow(key)
	if depth < len(key) || reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
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

// keysOf returns the keys of a table; nil where any name is allowed.
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

// builtinThemes are the names of the built-in themes. Any other name is that of a file of
// colours in the folder themes next to the configuration, without its .toml.
var builtinThemes = []string{"auto", "dark", "light", "high-contrast"}

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
	if raw, err = text.DecodeText(raw); err != nil {
		r.problem(key, "%s %v", file, err)
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

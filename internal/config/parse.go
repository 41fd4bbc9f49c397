package config

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding"
	"encoding/hex"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
	"golang.org/x/text/unicode/runenames"

	"roundtable/internal/text"
)

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
	r := &parser{doc: doc}
	cfg := Default()
	if r.decode(&cfg) {
		cfg.ModesDir = ModesBeside(path)
		r.check(cfg)
		r.checkKeys(&cfg)
	}
	if len(r.problems) > 0 {
		return Config{}, &Error{Path: path, Problems: r.sorted()}
	}
	for i := range cfg.Agents {
		cfg.Agents[i].complete()
	}
	cfg.Hash = hex.EncodeToString(sum[:])
	return cfg, nil
}

type parser struct {
	doc      []byte
	problems []Problem
}

// decode decodes the document. It returns false if that ended at a value that cannot be read.
func (r *parser) decode(cfg *Config) bool {
	err := toml.NewDecoder(bytes.NewReader(r.doc)).DisallowUnknownFields().Decode(cfg)
	var wrong *toml.DecodeError
	var unknown *toml.StrictMissingError
	switch {
	case errors.As(err, &unknown):
		for i := range unknown.Errors {
			r.unknown(&unknown.Errors[i])
		}
	case errors.As(err, &wrong):
		line, column := wrong.Position()
		r.problems = append(r.problems, Problem{line, column, r.cause(wrong)})
	case err != nil:
		r.problems = append(r.problems, Problem{1, 1, decoderText(err)})
	}
	return err == nil || unknown != nil
}

func decoderText(err error) string { return text.Line(strings.TrimPrefix(err.Error(), "toml: ")) }

// cause says what is wrong. Of a value in an inline table the decoder names the table only.
func (r *parser) cause(e *toml.DecodeError) string {
	line, column := e.Position()
	row := bytes.Split(r.doc, []byte("\n"))[line-1]
	at := min(column-1, len(row))
	isInline := bytes.Contains(row[:at], []byte("{"))
	why := decoderText(e)
	switch isOfType := strings.HasPrefix(why, "cannot "); {
	case len(e.Key()) == 0: // it is not TOML
		return cmp.Or(oddCharacter(row[at:]), why)
	case isOfType && isInline:
		why = "a value in { } is of another type than its key takes"
	case isOfType:
		why = cmp.Or(expected(e.Key()), why)
	case strings.Contains(why, " already ") && !strings.Contains(why, " as "):
		if first := r.first(line, e.Key()[len(e.Key())-1]); first > 0 {
			why = fmt.Sprintf("defined twice, first in line %d", first)
		}
	}
	return text.Label(strings.Join(e.Key(), ".")) + ": " + why
}

// first returns the line whose key or table another line defines again; 0 if none is found.
func (r *parser) first(again int, name string) int {
	all := bytes.Split(r.doc, []byte("\n"))
	for i := range again - 1 {
		if !bytes.Contains(all[i], []byte(name)) {
			continue
		}
		rows := slices.Clone(all)
		rows[i] = []byte("[-]") // so that the lines below are of another table than those above
		var wrong *toml.DecodeError
		if errors.As(toml.Unmarshal(bytes.Join(rows, []byte("\n")), &map[string]any{}), &wrong) {
			if line, _ := wrong.Position(); line <= again {
				continue
			}
		}
		return i + 1
	}
	return 0
}

// oddCharacter names the character at the start of a text, of which the decoder tells the first
// byte only; "" for ASCII.
func oddCharacter(rest []byte) string {
	switch c, size := utf8.DecodeRune(rest); {
	case c == utf8.RuneError && size == 1:
		return fmt.Sprintf("the byte 0x%02x is not UTF-8; save the file as UTF-8", rest[0])
	case c >= utf8.RuneSelf && size > 0:
		return fmt.Sprintf("%q (U+%04X, %s) can only be between straight quotes, \"like this\"", c, c, strings.ToLower(runenames.Name(c)))
	}
	return ""
}

// unknown records a key that does not exist, and suggests the closest one that does.
func (r *parser) unknown(e *toml.DecodeError) {
	line, column := e.Position()
	key := e.Key()
	t, depth := follow(key)
	known := keysOf(t)
	name := key[len(key)-1]
	if depth < len(key) {
		name = key[depth]
	}
	below, tables := []string{}, map[string]string{} // the decoder leaves the name of an inline table out
	for _, table := range known {
		next, _ := field(t, table)
		for _, one := range keysOf(next) {
			below, tables[one] = append(below, one), table
		}
	}
	raw := fmt.Sprintf("unknown key %q", text.Label(name))
	if table := tables[name]; table != "" {
		raw += fmt.Sprintf("; it belongs in a table, such as [%s]", table)
	} else if likely := cmp.Or(text.Closest(name, known), text.Closest(name, below)); likely != "" {
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

// Problem is one mistake. It has a position if it is one of TOML or of a key; that of a value
// begins with its key, such as agents[0].model.
type Problem struct {
	Line, Column int
	Text         string
}

// Error returns one line for each problem, in the form file:line:column: text, or file: text.
func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		if lines[i] = e.Path + ": " + p.Text; p.Line > 0 {
			lines[i] = fmt.Sprintf("%s:%d:%d: %s", e.Path, p.Line, p.Column, p.Text)
		}
	}
	return strings.Join(lines, "\n")
}

// follow returns the type of a key in Config, of as many parts as exist, and how many those are.
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

// expected describes the value of a key; "" where the decoder's message is better.
func expected(key []string) string {
	t, depth := follow(key)
	if depth < len(key) || reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
		return ""
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return kindWords[t.Kind()]
}

// field returns the type of a key of t, or of its elements, which TOML addresses alike.
func field(t reflect.Type, name string) (reflect.Type, bool) {
	t = inner(t)
	if t.Kind() == reflect.Map {
		return t.Elem(), true
	}
	if t.Kind() != reflect.Struct {
		return nil, false
	}
	for _, f := range reflect.VisibleFields(t) {
		if key := keyOf(f); key != "" && strings.EqualFold(key, name) {
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
		if key := keyOf(f); key != "" {
			names = append(names, key)
		}
	}
	return names
}

func keyOf(f reflect.StructField) string {
	key, _, _ := strings.Cut(f.Tag.Get("toml"), ",")
	return strings.TrimPrefix(key, "-")
}

func inner(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

var kindWords = map[reflect.Kind]string{
	reflect.Int: "expected a whole number, such as 3", reflect.Float64: "expected a number, such as 0.5",
	reflect.Bool: "expected true or false", reflect.String: `expected text in quotes, such as "ada"`,
	reflect.Slice: "expected a list: [ ... ]", reflect.Struct: "expected a table", reflect.Map: "expected a table",
}

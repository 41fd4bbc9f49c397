package config

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

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
// user's modes, which are beside the file.
func Parse(path string, raw []byte) (Config, error) {
	sum := sha256.Sum256(raw)
	doc := bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
	r := &parser{doc: doc, index: indexOf(doc), faulty: map[string]bool{}}
	cfg := r.decode()
	cfg.ModesDir = ModesBeside(path)
	if !r.broken {
		r.check(cfg)
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
		r.problems = append(r.problems, Problem{Line: line, Column: column, Text: raw})
		r.broken = true
		return nil
	}
	key := r.index.keyAt(line, column, e.Key())
	if want := expected(key); want != "" {
		raw = want
	}
	r.faulty[at.path] = true
	r.problems = append(r.problems, Problem{Line: line, Column: column, Text: text.Label(strings.Join(key, ".")) + ": " + raw})
	return &at.span
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
	known, depth := keysAt(key)
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

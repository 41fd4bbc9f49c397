package config

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"roundtable/agents"
	"roundtable/agents/openai"
	"roundtable/agents/safetext"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
)

// Config is the whole configuration file. What a package can be told stands in
// a Config of its own; this one puts them together.
type Config struct {
	Defaults  Defaults                 `toml:"defaults"`
	Providers map[string]openai.Config `toml:"providers"`
	Agents    []Seat                   `toml:"agents"`
	Panels    map[string]Panel         `toml:"panels"`
	Context   Context                  `toml:"context"`
	Endings   debate.EndConditions     `toml:"endings"`
	Budget    debate.Budget            `toml:"budget"`
	UI        UI                       `toml:"ui"`

	Hash     string `toml:"-"` // of the file's bytes; "" without one
	ModesDir string `toml:"-"` // the folder with the user's own modes
}

// Defaults are used where a command says nothing.
type Defaults struct {
	Panel  string `toml:"panel"`
	Mode   string `toml:"mode"`
	Rounds int    `toml:"rounds"` // 0: what the mode plans
}

// Seat is one [[agents]] table: somebody who can sit on a panel.
type Seat struct {
	ID            agents.ID `toml:"id"`
	Name          string    `toml:"name"` // "": the id with a capital
	Provider      string    `toml:"provider"`
	Model         string    `toml:"model"`
	Persona       string    `toml:"persona"`
	Temperature   *float64  `toml:"temperature"`
	MaxTokens     int       `toml:"max_tokens"`
	ContextWindow int       `toml:"context_window"`
	PriceIn       *float64  `toml:"price_in"`
	PriceOut      *float64  `toml:"price_out"`
}

// Profile returns the seat as the debate knows it.
func (s Seat) Profile() agents.Profile {
	return agents.Profile{
		ID: s.ID, Name: s.name(), Provider: s.Provider, Model: s.Model, Persona: s.Persona, Temperature: s.Temperature,
		MaxTokens: s.MaxTokens, ContextWindow: s.ContextWindow, PriceIn: s.PriceIn, PriceOut: s.PriceOut,
	}
}

func (s Seat) name() string {
	if s.Name != "" || s.ID == "" {
		return s.Name
	}
	id := string(s.ID)
	return strings.ToUpper(id[:1]) + id[1:]
}

// Panel is one [panels.NAME] table: who debates, and who helps.
type Panel struct {
	Agents []agents.ID `toml:"agents"`
	Chair  agents.ID   `toml:"chair"` // writes the verdict; "": a member does
	Light  agents.ID   `toml:"light"` // measures agreement and summarises; "": nobody measures, members summarise

	Perspectives []string `toml:"perspectives"` // for modes that divide some among the seats; none: the mode's own
}

// Context says how much agents may ask of the user, and how what was said is
// fitted into the models' windows.
type Context struct {
	Caps ledger.Caps       `toml:"caps"`
	Fit  debate.FitOptions `toml:"fit"`
}

// UI says how the interface looks and behaves.
type UI struct {
	Theme         string `toml:"theme"`         // auto, dark or light
	Symbols       string `toml:"symbols"`       // auto, unicode or ascii
	Mouse         bool   `toml:"mouse"`         // the wheel and clicks are the interface's
	Notifications bool   `toml:"notifications"` // ring when the debate waits and the window has no focus
}

// maxConfig is far more than any configuration needs.
const maxConfig = 1 << 20

// LoadConfig reads the configuration file. A file that does not exist is an
// error that is fs.ErrNotExist; a faulty one is a *ConfigError with all faults.
func LoadConfig(path string) (Config, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Config{}, fmt.Errorf("read config: %w", err)
	}
	if info.IsDir() {
		return Config{}, fmt.Errorf("read config: %s is a folder; name the file in it", path)
	}
	if info.Size() > maxConfig {
		return Config{}, fmt.Errorf("read config: %s has %d bytes; %d is the most", path, info.Size(), maxConfig)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return Config{}, fmt.Errorf("read config: %w", err)
	}
	return ParseConfig(path, raw)
}

// ParseConfig decodes and checks a configuration. Path is for messages, and says
// beside which file the user's modes are.
func ParseConfig(path string, raw []byte) (Config, error) {
	sum := sha256.Sum256(raw)
	doc := bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
	r := &reading{doc: doc, index: indexOf(doc), faulty: map[string]bool{}}
	cfg := r.decode()
	cfg.ModesDir = ModesBeside(path)
	if !r.broken {
		r.check(cfg)
	}
	if len(r.problems) > 0 {
		return Config{}, &ConfigError{Path: path, Problems: r.sorted()}
	}
	cfg.Hash = hex.EncodeToString(sum[:])
	return cfg, nil
}

// ModesBeside is the folder of the user's modes: beside the configuration file.
func ModesBeside(path string) string { return filepath.Join(filepath.Dir(path), "modes") }

// ReadableByOthers warns of a file that holds a key and that others can read. Windows
// has no such bits.
func ReadableByOthers(path string, cfg Config) string {
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS == "windows" || info.Mode().Perm()&0o077 == 0 {
		return ""
	}
	for _, p := range cfg.Providers {
		if len(p.Headers) > 0 {
			return fmt.Sprintf("others can read %s, and its headers may hold a key; run: chmod 600 %s", path, path)
		}
	}
	return ""
}

// reading collects what is wrong with one document.
type reading struct {
	doc      []byte
	index    index
	problems []Problem
	faulty   map[string]bool // keys that have a problem; nothing more is said of them
	broken   bool            // not TOML: nothing more can be said
}

// decode reads the document as far as it can be read. The decoder stops at the
// first value of a wrong type; so the value is blanked out, and it goes on.
func (r *reading) decode() Config {
	doc := bytes.Clone(r.doc)
	for {
		cfg := Empty()
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
			at := r.wrong(wrong)
			if at == nil {
				return cfg
			}
			blank(doc, *at)
		default:
			r.problems = append(r.problems, Problem{Line: 1, Column: 1, Text: safetext.Line(strings.TrimPrefix(err.Error(), "toml: "))})
			r.broken = true
			return cfg
		}
	}
}

// wrong notes what the decoder stumbled over, and returns the part of the
// document to leave out; nil where the document is not TOML at all.
func (r *reading) wrong(e *toml.DecodeError) *span {
	line, column := e.Position()
	raw := safetext.Line(strings.TrimPrefix(e.Error(), "toml: "))
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

// unknown notes a key that does not exist, with the likeliest one that does.
func (r *reading) unknown(e *toml.DecodeError) {
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
		raw += "; known here: " + strings.Join(known, ", ")
	}
	r.problems = append(r.problems, Problem{Line: line, Column: column, Text: raw})
}

// ConfigError lists all that is wrong with a configuration file.
type ConfigError struct {
	Path     string
	Problems []Problem
}

// Problem is one fault and where it stands.
type Problem struct {
	Line, Column int
	Text         string
}

// Error has a line for each problem, as in file:line:column: text.
func (e *ConfigError) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = fmt.Sprintf("%s:%d:%d: %s", e.Path, p.Line, p.Column, p.Text)
	}
	return strings.Join(lines, "\n")
}

// Empty is what counts where nothing is configured.
func Empty() Config {
	return Config{Context: Context{Caps: ledger.DefaultCaps, Fit: debate.FitOptions{Share: debate.DefaultShare}}, Endings: debate.EndConditions{Threshold: debate.DefaultThreshold}, Budget: debate.Budget{WarnAt: 0.8}, UI: UI{Theme: "auto", Symbols: "auto", Notifications: true}}
}

// Speaker returns the configured agent with that id, nil for none.
func (c Config) Speaker(id agents.ID) *agents.Profile {
	i := slices.IndexFunc(c.Agents, func(s Seat) bool { return s.ID == id && id != "" })
	if i < 0 {
		return nil
	}
	p := c.Agents[i].Profile()
	return &p
}

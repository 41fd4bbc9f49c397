package cli

import (
	"context"
	"errors"
	"io"
	"reflect"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/internal/crash"
	"roundtable/store"
	"roundtable/tui"
	"roundtable/tui/setup"
)

// Reporter is what headless commands report to.
type Reporter struct{ reporter }

// NewJSONL returns what --json reports to.
func NewJSONL(w io.Writer, deltas bool, now func() time.Time) Reporter {
	return Reporter{newJSONL(w, deltas, now)}
}

// NewLinear returns what people read.
func NewLinear(w io.Writer, quiet bool) Reporter { return Reporter{newLinear(w, quiet)} }

// Transcript returns what show prints of a session.
func Transcript(s debate.Session) string {
	var b strings.Builder
	newLinear(&b, false).transcript(s)
	return b.String()
}

// Begin, Event and End pass on.
func (r Reporter) Begin(s debate.Session, resumed bool) { r.begin(s, resumed) }

// Event passes an event on.
func (r Reporter) Event(ev debate.Event) { r.event(ev) }

// End passes the ending on; kind is the type of the last event.
func (r Reporter) End(s debate.Session, kind, reason string) {
	r.end(ending{kind: endKind(kind), session: s, reason: reason})
}

// Failed returns what could not be written.
func (r Reporter) Failed() error { return r.failed() }

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

// Guard catches the panics of a model.
type Guard struct{ *guard }

// NewGuard returns a guard around a model; stop ends the program.
func NewGuard(m tea.Model, stop func()) Guard { return Guard{&guard{model: m, stop: stop}} }

// Caught returns the first panic.
func (g Guard) Caught() *crash.Panic { return g.caught() }

// NewLibrary returns the sessions of a store as the interface has them.
func NewLibrary(st *store.Store, now func() time.Time) tui.Library {
	return newLibrary(st, Config{}, now)
}

// Scout looks for what a new debate can be made of.
type Scout struct {
	Config, Example Config
	Found           bool
	Panel           string
	Agents          []string
	Env             map[string]string
	Ollama          []string // its models; nil: it is not there
}

// Recipient names who receives what a provider is sent.
func (s Scout) Recipient(provider string) (name string, here bool) {
	return s.scout().recipient(provider)
}

// Offer returns what it has found.
func (s Scout) Offer(ctx context.Context) (setup.Options, error) { return s.scout().offer(ctx) }

func (s Scout) scout() scout {
	return scout{
		cfg: s.Config, example: s.Example, found: s.Found, wish: wish{panel: s.Panel, agents: s.Agents},
		env: func(name string) (string, bool) { v, ok := s.Env[name]; return v, ok },
		ollama: func(context.Context) ([]string, error) {
			if s.Ollama == nil {
				return nil, errors.New("connection refused")
			}
			return s.Ollama, nil
		},
	}
}

// ExportBeside writes what the interface exports.
func ExportBeside(s debate.Session, running bool, f tui.Format) (string, error) {
	return exportBeside(context.Background(), s, running, f)
}

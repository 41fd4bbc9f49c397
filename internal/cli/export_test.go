package cli

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/internal/config"
	"roundtable/internal/crash"
	"roundtable/store"
	"roundtable/tui"
	"roundtable/tui/setup"
)

// Guard catches the panics of a model.
type Guard struct{ *panicGuard }

// NewGuard returns a guard around a model; stop ends the program.
func NewGuard(m tea.Model, stop func()) Guard { return Guard{&panicGuard{model: m, stop: stop}} }

// Caught returns the first panic.
func (g Guard) Caught() *crash.Panic { return g.caught() }

// NewLibrary returns the sessions of a store as the interface has them.
func NewLibrary(st *store.Store, now func() time.Time) tui.Sessions {
	return newSessionService(st, config.Config{}, now)
}

// Scout looks for what a new debate can be made of.
type Scout struct {
	Config, Example config.Config
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
func (s Scout) Offer(ctx context.Context) (setup.Options, error) { return s.scout().setupOptions(ctx) }

func (s Scout) scout() discovery {
	return discovery{
		cfg: s.Config, example: s.Example, found: s.Found, wish: runOptions{panel: s.Panel, agents: s.Agents},
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

package app

import (
	"context"
	"errors"
	"time"

	"roundtable/agents"
	"roundtable/agents/openai"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/internal/config"
	"roundtable/store"
	"roundtable/tui"
	"roundtable/tui/setup"
)

// NewSessionService returns the sessions of a store as the interface has them.
func NewSessionService(st *store.Store, now func() time.Time) tui.Sessions {
	return &Sessions{Store: st, app: &App{Now: now}}
}

// Setup fills the form of a new debate.
type Setup struct {
	Config     config.Config
	Example    []byte
	Configured bool
	Path       string // of a config file that is written since
	Panel      string
	Agents     []string
	Question   string
	Unit       string
	Options    []string
	Env        map[string]string
	Ollama     []openai.LocalModel // its models; nil: it does not run
	Last       *debate.Choice      // of the last debate; nil: there was none
}

// Offer returns the choices of the form.
func (s Setup) Offer(ctx context.Context) (setup.Options, error) {
	env := func(name string) (string, bool) { v, ok := s.Env[name]; return v, ok }
	ollama := func(context.Context, openai.Config) ([]openai.LocalModel, error) {
		if s.Ollama == nil {
			return nil, errors.New("connection refused")
		}
		return s.Ollama, nil
	}
	return setupForm{
		Builder:   Builder{cfg: s.Config, configured: s.Configured},
		options:   debate.Plan{Panel: s.Panel, Agents: s.Agents, Question: s.Question, Unit: s.Unit, Options: s.Options},
		example:   s.Example,
		path:      s.Path,
		discovery: config.Discovery{Now: time.Now, Env: env, Ollama: ollama},
		last:      func(context.Context) (*debate.Choice, error) { return s.Last, nil },
		past:      func(context.Context, []agents.Profile) budget.Past { return nil },
	}.offer(ctx)
}

// ExportToFolder writes what the interface exports.
var ExportToFolder = exportToFolder

// CopyToFolder copies a database as the interface does.
var CopyToFolder = copyToFolder

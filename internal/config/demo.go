package config

import (
	"context"
	"time"

	"roundtable/agents"
	"roundtable/agents/demo"
)

// scripted is the kind of the built-in panel, which needs no model. It has no table.
var scripted = kind{
	tables: func(Config) map[string]provider { return nil },
	known:  func(ClientOptions) []knownProvider { return []knownProvider{{demo.Name, demoProvider{}}} },
}

type demoProvider struct{}

func (demoProvider) validate() error                                                 { return nil }
func (demoProvider) normalized(string) []string                                      { return nil }
func (demoProvider) keyVariable() string                                             { return "" }
func (demoProvider) missing(func(string) (string, bool)) string                      { return "" }
func (demoProvider) recipient(func(string) (string, bool)) (name string, local bool) { return "", true }

func (demoProvider) holdsSecrets() bool { return false }

func (demoProvider) silence() (first, between time.Duration) { return 0, 0 }

func (demoProvider) open(_ context.Context, _ string, o ClientOptions) (agents.Provider, error) {
	return demo.New(o.Pace), nil
}

package config

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"

	"roundtable/agents"
	"roundtable/agents/acp"
	"roundtable/internal/text"
)

// kindACP is the kind of agents that run a loop of their own and speak the Agent Client
// Protocol.
const kindACP = "acp"

// ownLoop is the kind of those agents.
var ownLoop = kind{tables: acpTables, known: func(ClientOptions) []knownProvider { return nil }}

func acpTables(cfg Config) map[string]provider {
	tables := map[string]provider{}
	for name, c := range cfg.Providers {
		if c.Kind == kindACP {
			tables[name] = acpProvider{c}
		}
	}
	return tables
}

// acpProvider is the program of an agent.
type acpProvider struct{ ProviderTable }

// config returns how to run the program.
func (p acpProvider) config() acp.Config {
	return acp.Config{
		Command: p.Command, Env: p.ProviderTable.Env, Start: time.Duration(p.Timeouts.Connect),
		First: time.Duration(p.Timeouts.FirstPayload), Silent: time.Duration(p.Timeouts.Idle),
	}
}

func (p acpProvider) validate() error {
	errs := []error{p.config().Validate()}
	for _, key := range []struct {
		name string
		set  bool
	}{
		{"preset", p.Preset != ""},
		{"base_url", p.BaseURL != ""},
		{"api_key_env", p.APIKeyEnv != ""},
		{"api_key_command", len(p.APIKeyCommand) > 0},
		{"headers", len(p.Headers) > 0},
		{"max_concurrent", p.MaxConcurrent != 0},
		{"allow_insecure", p.AllowInsecure},
	} {
		if key.set {
			errs = append(errs, fmt.Errorf("%s: is not for kind = %q, which runs a program", key.name, kindACP))
		}
	}
	return errors.Join(errs...)
}

func (p acpProvider) open(_ context.Context, name string, o ClientOptions) (agents.Provider, error) {
	client, err := acp.New(name, p.config(), acp.Options{Env: o.Env, Version: o.Version, Bridge: o.Bridge})
	if err != nil {
		return nil, err
	}
	return client, nil
}

func (acpProvider) normalized(string) []string { return nil }
func (acpProvider) keyVariable() string        { return "" }
func (acpProvider) holdsSecrets() bool         { return false }

// missing says that the program is not there.
func (p acpProvider) missing(func(string) (string, bool)) string {
	if len(p.Command) == 0 {
		return ""
	}
	if _, err := exec.LookPath(p.Command[0]); err != nil {
		return "install " + text.Label(p.Command[0])
	}
	return ""
}

// recipient names the program: where it sends what it is told is its own affair.
func (p acpProvider) recipient(func(string) (string, bool)) (name string, local bool) {
	if len(p.Command) == 0 {
		return "an agent", false
	}
	return "whom " + text.Label(p.Command[0]) + " asks", false
}

// silence returns when the wait for an agent is shown as a warning. It works on its own
// for minutes.
func (p acpProvider) silence() (first, between time.Duration) {
	first, between = time.Duration(p.Timeouts.SilentFirst), time.Duration(p.Timeouts.Silent)
	if first == 0 {
		first = 2 * time.Minute
	}
	if between == 0 {
		between = 2 * time.Minute
	}
	return first, between
}

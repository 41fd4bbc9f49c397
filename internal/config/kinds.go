package config

import (
	"context"
	"maps"
	"slices"
	"time"

	"roundtable/agents"
)

// kinds lists the kinds of provider. A new kind is a file of this package that
// adapts the package behind it, and a line here.
var kinds = []kind{openAICompatible, ownLoop, scripted}

// kind is a way to reach models: a protocol, a program or a script.
type kind struct {
	// tables returns the [providers.NAME] tables of this kind by name.
	tables func(cfg Config) map[string]provider
	// known returns the providers that work without a table, in the order in
	// which they are offered.
	known func(o ClientOptions) []knownProvider
	// discover looks for agents that could debate without a configuration. It is
	// nil for a kind that has nothing to look for.
	discover func(ctx context.Context, d Discovery) Found
}

// knownProvider is a provider with the name that agents refer to it by.
type knownProvider struct {
	name string
	provider
}

// provider is what this package needs from a provider, whatever its kind.
type provider interface {
	// validate reports everything that is wrong with the table. Each error begins
	// with the key at fault and a colon.
	validate() error
	// open returns the provider ready for use. Ctx ends the commands that a key
	// is asked of.
	open(ctx context.Context, name string, o ClientOptions) (agents.Provider, error)
	// normalized lists settings that are used otherwise than they are written.
	normalized(name string) []string
	// keyVariable names the environment variable that holds the key; "" if none does.
	keyVariable() string
	// missing says what the user has to do before the provider can be used, such
	// as "set OPENAI_API_KEY"; "" if it is ready.
	missing(env func(string) (string, bool)) string
	// recipient names who receives the prompts. Local is true if they do not
	// leave this machine.
	recipient(env func(string) (string, bool)) (name string, local bool)
	// holdsSecrets reports whether the table itself may contain a key.
	holdsSecrets() bool
	// silence returns how long its models may be silent before the first piece of an
	// answer, and between two pieces, until that is shown as a warning.
	silence() (first, between time.Duration)
}

// tables returns all [providers.NAME] tables.
func (c Config) tables() map[string]provider {
	all := map[string]provider{}
	for _, k := range kinds {
		maps.Copy(all, k.tables(c))
	}
	return all
}

// tableNames returns the names of all [providers.NAME] tables, sorted.
func (c Config) tableNames() []string { return slices.Sorted(maps.Keys(c.tables())) }

// known returns the providers of all kinds that need no table.
func known(o ClientOptions) []knownProvider {
	var all []knownProvider
	for _, k := range kinds {
		all = append(all, k.known(o)...)
	}
	return all
}

// provider returns the provider that agents refer to by name: a table of the
// configuration, or else a known one.
func (c Config) provider(name string) (provider, bool) {
	if p, ok := c.tables()[name]; ok {
		return p, true
	}
	for _, p := range known(ClientOptions{}) {
		if p.name == name {
			return p.provider, true
		}
	}
	return nil, false
}

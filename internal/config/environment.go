package config

import (
	"os"

	"roundtable/agents/openai"
)

// KeyVariables names the variables of the environment that hold keys.
func KeyVariables(cfg Config) []string {
	var names []string
	for _, p := range openai.Presets() {
		names = append(names, p.KeyEnv)
	}
	for _, p := range cfg.Providers {
		names = append(names, p.KeyVariable())
	}
	return names
}

// Withhold takes variables out of the environment that programs started from
// here get: an editor, a pager or a tool has no business with keys. What it
// returns knows them still.
func Withhold(env func(string) (string, bool), names []string) func(string) (string, bool) {
	kept := map[string]string{}
	for _, name := range names {
		if value, ok := env(name); ok && name != "" && os.Unsetenv(name) == nil {
			kept[name] = value
		}
	}
	return func(name string) (string, bool) {
		if value, ok := kept[name]; ok {
			return value, true
		}
		return env(name)
	}
}

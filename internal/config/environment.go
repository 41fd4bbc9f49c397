package config

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"roundtable/internal/secret"
	"roundtable/internal/text"
)

func keyVariables(cfg Config) []string {
	names := text.Each(known(), func(p knownProvider) string { return keyVariable(p.provider) })
	for _, table := range cfg.Providers {
		names = append(append(names, keyVariable(table.provider())), table.EnvAdd...)
	}
	return append(names, mcpVariables(cfg)...)
}

// Variables names the environment variables that debates with this configuration read:
// keys, addresses of servers that env sets, and what agents and tools are passed.
func (c Config) Variables(env func(string) (string, bool)) []string {
	names := mcpVariables(c)
	for _, table := range c.Providers {
		names = append(append(names, table.Env...), table.EnvAdd...)
		if p, ok := table.provider().(openAIProvider); ok {
			names = append(names, p.KeyVariable(), p.WithEnvironment(env).BaseURLVariable)
		}
	}
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(name string) bool { return name == "" })
}

func mcpVariables(cfg Config) []string {
	var names []string
	for _, c := range cfg.Tools.MCP {
		names = append(names, c.SecretVariables()...)
	}
	return names
}

// HoldsKey reports whether a variable may hold a key, by its name. Programs that tools
// start never see it.
func HoldsKey(cfg Config, name string) bool {
	return slices.Contains(keyVariables(cfg), name) || secret.Variable(name)
}

// Withhold removes the keys of providers, and whatever looks like a key or a token, from
// the process's environment, so that programs started from here, such as an editor,
// never see them. The function that it returns still finds them. The environment that
// it returns is for the commands that print keys: it lacks the keys of providers only.
func Withhold(env func(string) (string, bool), cfg Config) (all func(string) (string, bool), commands []string) {
	withheld, ofProviders := map[string]string{}, keyVariables(cfg)
	for _, entry := range os.Environ() {
		name, value, _ := strings.Cut(entry, "=")
		if !slices.Contains(ofProviders, name) {
			commands = append(commands, entry)
			if !secret.Variable(name) && !secret.Holds(value) {
				continue
			}
		}
		if os.Unsetenv(name) == nil {
			withheld[name] = value
		}
	}
	return func(name string) (string, bool) {
		if value, ok := withheld[name]; ok {
			return value, true
		}
		return env(name)
	}, commands
}

// ReadableByOthers returns a warning if the file holds a secret and other users can
// read it; "" otherwise. Windows has no permission bits to check.
func ReadableByOthers(path string, cfg Config) string {
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS == "windows" || info.Mode().Perm()&0o077 == 0 {
		return ""
	}
	holder := ""
	for _, c := range cfg.Tools.MCP {
		if c.HoldsSecrets() {
			holder = "the env of an MCP server"
		}
	}
	for _, t := range cfg.Providers {
		if len(t.Headers) > 0 {
			holder = "its headers"
		}
	}
	if holder == "" {
		return ""
	}
	return fmt.Sprintf("others can read %s, and %s may hold a key; run: %s", path, holder, text.Command([]string{"chmod", "600", path}))
}

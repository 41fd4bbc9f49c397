package mcp

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// environment looks up variables of Roundtable's own environment.
type environment func(name string) (string, bool)

// inherited are the variables that every server program gets.
var inherited = []string{
	"PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR",
	"SystemRoot", "SystemDrive", "ComSpec", "PATHEXT", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "TEMP", "TMP", // Windows
}

// variables returns the environment of a server program.
func (e environment) variables(c Config) ([]string, error) {
	var out []string
	for _, name := range inherited {
		if value, ok := e(name); ok {
			out = append(out, name+"="+value)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Env)) {
		value := c.Env[name]
		if source, ok := strings.CutPrefix(value, "$"); ok {
			var err error
			if value, err = e.value(source); err != nil {
				return nil, err
			}
		}
		out = append(out, name+"="+value)
	}
	return out, nil
}

// headers returns the values of the configured headers.
func (e environment) headers(c Config) (map[string]string, error) {
	out := map[string]string{}
	for header, name := range c.HeadersEnv {
		value, err := e.value(name)
		if err != nil {
			return nil, err
		}
		if strings.ContainsAny(value, "\r\n\x00") {
			return nil, fmt.Errorf("the variable %s has more than one line", name)
		}
		out[header] = value
	}
	return out, nil
}

func (e environment) value(name string) (string, error) {
	value, ok := e(name)
	if value = strings.TrimSpace(value); !ok || value == "" {
		return "", fmt.Errorf("the variable %s is not set", name)
	}
	return value, nil
}

// minSecret is the length of the shortest value that is taken for a secret.
const minSecret = 8

// isSecret reports whether a variable is named as one that holds a secret, such as
// "VAULT_TOKEN".
func isSecret(name string) bool {
	name = strings.ToUpper(name)
	return slices.ContainsFunc([]string{"KEY", "TOKEN", "SECRET", "PASS", "CREDENTIAL", "AUTH"},
		func(word string) bool { return strings.Contains(name, word) })
}

// masker returns a function that replaces in a text the secrets that a server was given
// and their parts, such as the key in "Bearer KEY". Secrets are the values of headers and
// of variables that are named like one.
func (e environment) masker(c Config) func(string) string {
	var values, secrets []string
	for _, name := range c.SecretVariables() {
		value, _ := e(name)
		values = append(values, value)
	}
	for name, value := range c.Env {
		if isSecret(name) && !strings.HasPrefix(value, "$") {
			values = append(values, value)
		}
	}
	for _, value := range values {
		for _, part := range append(strings.Fields(value), strings.TrimSpace(value)) {
			if len(part) >= minSecret {
				secrets = append(secrets, part)
			}
		}
	}
	slices.SortFunc(secrets, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	var pairs []string
	for _, s := range secrets {
		pairs = append(pairs, s, "[secret]")
	}
	return strings.NewReplacer(pairs...).Replace
}

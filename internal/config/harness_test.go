package config_test

import (
	"fmt"
	"strings"
	"testing"

	"roundtable/internal/config"
	"roundtable/internal/testing/must"
)

// parsed returns a configuration that must be right.
func parsed(t *testing.T, doc string) config.Config {
	t.Helper()
	return must.Get(config.Parse("c.toml", []byte(doc)))(t)
}

// checkParse checks what is said of a configuration; "" for nothing. No value is quoted.
func checkParse(t *testing.T, doc, want string) {
	t.Helper()
	_, err := config.Parse("c.toml", []byte(doc))
	if (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "canary")) {
		t.Errorf("%s\n%v, want %q", doc, err, want)
	}
}

// unset is an environment without variables.
func unset(string) (string, bool) { return "", false }

// variables is an environment.
type variables map[string]string

func (v variables) find(name string) (string, bool) {
	value, ok := v[name]
	return value, ok
}

// seated writes seats s0, s1 and so on, each "provider model" and what else is set of it.
func seated(seats ...string) string {
	var b strings.Builder
	for i, s := range seats {
		f := strings.SplitN(s+" ", " ", 3)
		fmt.Fprintf(&b, "[[agents]]\nid = 's%d'\nprovider = '%s'\nmodel = '%s'\n%s\n", i, f[0], f[1], f[2])
	}
	return b.String()
}

package acp

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Config says how to run the program of an agent.
type Config struct {
	Command []string          // program and arguments; no shell
	Env     []string          // the variables that the program gets; nil: DefaultEnv
	Set     map[string]string // variables that it gets besides, such as one that makes it ask before it acts
	Mode    string            // the mode of its sessions that asks before it acts, where it has modes; "": its own settings choose
	SignIn  string            // the command with which the user signs in; "": not known

	Start  time.Duration // until it is ready, and until a session of it is; 0: DefaultStart
	First  time.Duration // until it says anything in a turn; 0: DefaultFirst
	Silent time.Duration // until it goes on; 0: DefaultSilent
}

// The times that a Config leaves out.
const (
	DefaultStart  = time.Minute
	DefaultFirst  = 10 * time.Minute
	DefaultSilent = 10 * time.Minute
)

// DefaultEnv returns the names of the variables that a program gets unless its Config
// says otherwise: where things are, the language, proxies and certificates. None of them
// holds a key.
func DefaultEnv() []string {
	return []string{
		"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR",
		"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_DIRS", "XDG_DATA_DIRS",
		"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "no_proxy", "all_proxy",
		"SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE",
		"SystemRoot", "SystemDrive", "ComSpec", "PATHEXT", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "TEMP", "TMP", // Windows
	}
}

// Validate returns all that is wrong with the configuration. Each error names its key.
func (c Config) Validate() error {
	var errs []error
	switch {
	case len(c.Command) == 0 || strings.TrimSpace(c.Command[0]) == "":
		errs = append(errs, errors.New("command: give the program of the agent, such as [\"opencode\", \"acp\"]"))
	case strings.HasPrefix(c.Command[0], "~"):
		errs = append(errs, errors.New("command: no shell reads it: write the home folder out"))
	case filepath.Base(c.Command[0]) != c.Command[0] && !filepath.IsAbs(c.Command[0]):
		errs = append(errs, errors.New("command: name a program on PATH, or give its whole path"))
	}
	for i, name := range c.Env {
		if name == "" || strings.ContainsAny(name, "= \t\r\n\x00$") { // it may be a secret, so it is not quoted
			errs = append(errs, fmt.Errorf("env[%d]: is not the name of a variable", i))
		}
	}
	for _, t := range []struct {
		key  string
		time time.Duration
	}{{"timeouts.connect", c.Start}, {"timeouts.first_payload", c.First}, {"timeouts.idle", c.Silent}} {
		if t.time < 0 {
			errs = append(errs, fmt.Errorf("%s: %s is less than nothing", t.key, t.time))
		}
	}
	return errors.Join(errs...)
}

// environment returns the whole environment of the program.
func (c Config) environment(lookup func(string) (string, bool)) []string {
	names := c.Env
	if names == nil {
		names = DefaultEnv()
	}
	set := map[string]string{}
	for _, name := range names {
		if value, ok := lookup(name); ok {
			set[name] = value
		}
	}
	for name, value := range c.Set {
		set[name] = value
	}
	env := []string{}
	for name, value := range set {
		env = append(env, name+"="+value)
	}
	slices.Sort(env)
	return env
}

// orDefault returns the configuration with its defaults filled in.
func (c Config) orDefault() Config {
	for _, t := range []struct {
		of    *time.Duration
		value time.Duration
	}{{&c.Start, DefaultStart}, {&c.First, DefaultFirst}, {&c.Silent, DefaultSilent}} {
		if *t.of == 0 {
			*t.of = t.value
		}
	}
	return c
}

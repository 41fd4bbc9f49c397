package mcp

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/internal/secret"
	"roundtable/internal/text"
)

// Config is one [tools.mcp.NAME] table: a program that is started, or the address of a
// server that runs.
type Config struct {
	Command []string          `toml:"command"` // program and arguments; no shell
	Env     map[string]string `toml:"env"`     // of the program; "$NAME" is replaced by a variable of Roundtable's own
	URL     string            `toml:"url"`

	HeadersEnv    map[string]string `toml:"headers_env"` // headers by the variables that hold their values
	Allow         []string          `toml:"allow"`       // the tools that agents may call
	Timeout       string            `toml:"timeout"`     // of one call, such as "30s"
	AllowInsecure bool              `toml:"allow_insecure"`
}

// The limits of a configuration.
const (
	maxTimeout = 60 * time.Second
	minTimeout = time.Second
	maxAllowed = 128 // tools; some providers take no more in one request
)

const (
	letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	digits  = "0123456789"
)

func consistsOf(s, chars string) bool { return s != "" && strings.Trim(s, chars) == "" }

func isVariable(name string) bool {
	return consistsOf(name, letters+digits+"_") && !strings.Contains(digits, name[:1])
}

// ValidName reports whether a server may have the name. Two underscores separate it from
// the name of a tool.
func ValidName(name string) bool {
	return len(name) <= 32 && consistsOf(name, strings.ToLower(letters)+digits+"_-") && strings.Contains(letters, name[:1]) &&
		!strings.Contains(name, separator) && !strings.HasSuffix(name, "_")
}

// Validate returns all that is wrong with the configuration. Each error names its key.
// No error quotes a value that may be a secret.
func (c Config) Validate() error {
	var errs []error
	refuse := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	switch {
	case len(c.Command) == 0 && c.URL == "":
		refuse("command, url: give the program to start or the address of a server")
	case len(c.Command) > 0 && c.URL != "":
		refuse("command, url: give one of them, not both")
	case c.URL != "":
		if err := c.validateURL(); err != nil {
			refuse("url: %w", err)
		}
		if len(c.Env) > 0 {
			refuse("env: is for a command; a server at a url has headers_env")
		}
	default:
		if err := validateProgram(c.Command[0]); err != nil {
			refuse("command: %w", err)
		}
		if len(c.HeadersEnv) > 0 {
			refuse("headers_env: is for a url; a command has env")
		}
	}
	if _, err := c.timeout(); err != nil {
		refuse("timeout: %w", err)
	}
	return errors.Join(append(errs, c.validateNames())...)
}

func (c Config) validateNames() error {
	var errs []error
	refuse := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	for _, name := range slices.Sorted(maps.Keys(c.Env)) {
		switch value := c.Env[name]; {
		case !isVariable(name):
			refuse("env.%s: is not the name of a variable", text.Label(name))
		case strings.ContainsRune(value, 0):
			refuse("env.%s: has a NUL byte in it", name)
		case strings.HasPrefix(value, "$") && !isVariable(value[1:]):
			refuse("env.%s: a value that begins with $ is the name of a variable, such as \"$%s\"", name, name)
		}
	}
	for _, header := range slices.Sorted(maps.Keys(c.HeadersEnv)) {
		switch {
		case !consistsOf(header, letters+digits+"!#$%&'*+.^_`|~-"):
			refuse("headers_env.%s: is not the name of a header", text.Label(header))
		case !isVariable(c.HeadersEnv[header]): // it may be the secret itself, so it is not quoted
			refuse("headers_env.%s: is not the name of a variable; put the value into one and its name here", header)
		}
	}
	if len(c.Allow) > maxAllowed {
		refuse("allow: has %d tools; %d is the most", len(c.Allow), maxAllowed)
	}
	for i, name := range c.Allow {
		switch {
		case strings.TrimSpace(name) == "" || text.Line(name) != name:
			refuse("allow[%d]: is not the name of a tool", i)
		case slices.Index(c.Allow, name) < i:
			refuse("allow[%d]: %q is listed twice", i, text.Label(name))
		}
	}
	return errors.Join(errs...)
}

// validateProgram refuses a path that depends on the folder in which Roundtable was
// started.
func validateProgram(name string) error {
	switch {
	case strings.TrimSpace(name) == "":
		return errors.New("the first element is the program and must not be empty")
	case strings.HasPrefix(name, "~"):
		return errors.New("no shell reads it: write the home folder out")
	case filepath.Base(name) != name && !filepath.IsAbs(name):
		return errors.New("name a program on PATH, or give its whole path")
	}
	return nil
}

// validateURL refuses an address that cannot be asked, or to which the headers would
// travel in the clear.
func (c Config) validateURL() error {
	u, err := url.Parse(c.URL)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return errors.New("is not an address such as https://mcp.example.com/mcp")
	case u.User != nil:
		return errors.New("has a user or password in it; give it by headers_env")
	case u.RawQuery != "" || u.ForceQuery:
		return errors.New("has a query (the part after ?); give keys by headers_env")
	case u.Fragment != "":
		return errors.New("has a fragment (the part after #); leave it out")
	case u.Scheme == "http" && len(c.HeadersEnv) > 0 && !agents.IsLoopback(u.Hostname()) && !c.AllowInsecure:
		return errors.New("http sends the headers to another machine in the clear; use https, or set allow_insecure = true")
	}
	return nil
}

func (c Config) timeout() (time.Duration, error) {
	if c.Timeout == "" {
		return maxTimeout, nil
	}
	d, err := time.ParseDuration(c.Timeout)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%q is not a duration such as \"30s\"", text.Label(c.Timeout))
	case d < minTimeout || d > maxTimeout:
		return 0, fmt.Errorf("%s is not from %s to %s", d, minTimeout, maxTimeout)
	}
	return d, nil
}

// SecretVariables returns the names of the variables of Roundtable's own environment that
// hold secrets of the server: those of headers, and those that are named like one.
func (c Config) SecretVariables() []string {
	names := slices.Collect(maps.Values(c.HeadersEnv))
	for name, value := range c.Env {
		if source, ok := strings.CutPrefix(value, "$"); ok && (secret.Setting(name) || secret.Setting(source)) {
			names = append(names, source)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// HoldsSecrets reports whether the table itself may hold a key: a variable is named like
// one and has its value written out.
func (c Config) HoldsSecrets() bool {
	for name, value := range c.Env {
		if secret.Setting(name) && !strings.HasPrefix(value, "$") {
			return true
		}
	}
	return false
}

type environment func(name string) (string, bool)

var inherited = []string{
	"PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR",
	"SystemRoot", "SystemDrive", "ComSpec", "PATHEXT", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "TEMP", "TMP", // Windows
}

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

// masker returns a function that replaces in a text the secrets that a server was given
// and their parts, such as the key in "Bearer KEY". Secrets are the values of headers and
// of variables that are named like one.
func (e environment) masker(c Config) func(string) string {
	var values []string
	for _, name := range c.SecretVariables() {
		value, _ := e(name)
		values = append(values, value)
	}
	for name, value := range c.Env {
		if secret.Setting(name) && !strings.HasPrefix(value, "$") {
			values = append(values, value)
		}
	}
	for _, value := range values {
		values = append(values, strings.Fields(value)...)
	}
	return secret.NewValues("[secret]", values).Mask
}

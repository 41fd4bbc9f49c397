package openai

import (
	"context"
	"encoding"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"roundtable/internal/process"
)

const (
	keyTimeout   = 10 * time.Second
	maxKeyOutput = 8 << 10 // of the output of a key command
)

// Key returns the provider's key. It comes from the variable or the command that
// the configuration names, or else from the preset's variable. It is empty for a
// server that needs none. The command runs in the environment commandEnv; nil is that
// of the process. No error quotes the output of the command.
func (c Config) Key(ctx context.Context, env func(string) (string, bool), commandEnv []string) (string, error) {
	if len(c.APIKeyCommand) > 0 {
		return c.keyFromCommand(ctx, commandEnv)
	}
	name := c.KeyVariable()
	if name == "" {
		return "", nil
	}
	value, ok := env(name)
	switch {
	case !ok && c.keyless():
		return "", nil
	case !ok:
		return "", fmt.Errorf("the variable %s is not set; export it with the key in it, or name another in api_key_env", name)
	}
	value = strings.TrimSpace(value)
	if err := validateKey(value); err != nil {
		return "", fmt.Errorf("the variable %s %w; export it with the key in it", name, err)
	}
	return value, nil
}

// keyless reports whether a server may need no key: its address is from the environment,
// as that of many servers of the user's own is.
func (c Config) keyless() bool { return c.BaseURLVariable != "" && c.APIKeyEnv == "" }

// NeedsKey reports whether the server cannot be asked without the key in KeyVariable.
func (c Config) NeedsKey() bool {
	return len(c.APIKeyCommand) == 0 && c.KeyVariable() != "" && !c.keyless()
}

// KeyVariable returns the environment variable that holds the key. A preset's
// variable is used for the preset's host and for the one that the environment names
// in its place, since no other may see its key.
func (c Config) KeyVariable() string {
	if c.APIKeyEnv != "" {
		return c.APIKeyEnv
	}
	p, _ := PresetNamed(c.Preset)
	if c.BaseURL == "" || c.BaseURLVariable != "" || p.KeyEnv == "" {
		return p.KeyEnv
	}
	given, err := parseBase(c.BaseURL)
	own, ownErr := parseBase(p.BaseURL)
	if err != nil || ownErr != nil || given.Host != own.Host || given.Scheme != own.Scheme {
		return ""
	}
	return p.KeyEnv
}

func (c Config) keySource() string {
	if len(c.APIKeyCommand) > 0 {
		name := filepath.Base(c.APIKeyCommand[0])
		if looksLikeKey(name) {
			return "the command"
		}
		return "the command " + clean(name, 40)
	}
	return c.KeyVariable()
}

// validateKey refuses anything but one word of printable ASCII. Nothing else can
// be sent in a header.
func validateKey(s string) error {
	switch {
	case s == "":
		return errors.New("is empty")
	case strings.ContainsAny(s, "\r\n"):
		return errors.New("has more than one line")
	case strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7f }):
		return errors.New("has a space or a character in it that no key has")
	}
	return nil
}

// keyFromCommand runs the command and returns what it prints. A child that the
// command leaves behind is ended.
func (c Config) keyFromCommand(ctx context.Context, env []string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, keyTimeout)
	defer cancel()
	source := c.keySource()
	out := &process.Bounded{Room: maxKeyOutput}
	cmd := exec.CommandContext(ctx, c.APIKeyCommand[0], c.APIKeyCommand[1:]...)
	cmd.Env, cmd.Stdout = env, out
	process.EndWithContext(cmd, 500*time.Millisecond) // in a session of its own it cannot reach the terminal
	// Linux ends the command with the thread that started it, not with the process.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := cmd.Run()
	if cmd.Process != nil {
		process.KillGroup(cmd) // usually there is no process left
	}
	if errors.Is(err, exec.ErrWaitDelay) { // the command itself has succeeded
		err = nil
	}
	switch {
	case out.Room < 0:
		return "", fmt.Errorf("api_key_command: %s prints more than %d bytes; it must print the key alone", source, maxKeyOutput)
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "", fmt.Errorf("api_key_command: %s did not end within %s; run it by hand, it may be asking for something",
			source, keyTimeout)
	case ctx.Err() != nil:
		return "", fmt.Errorf("api_key_command: %w", ctx.Err())
	case err != nil:
		return "", fmt.Errorf("api_key_command: %s failed; run it by hand to see why: %w", source, bareError(err))
	}
	value := strings.TrimSpace(out.Kept.String())
	if err := validateKey(value); err != nil {
		return "", fmt.Errorf("api_key_command: what %s prints %w; it must print the key alone", source, err)
	}
	return value, nil
}

// bareError returns the exit code of a command, or why it did not run. It drops
// the command and its output, which may hold the key.
func bareError(err error) error {
	var exit *exec.ExitError
	var absent *exec.Error
	var path *fs.PathError
	switch {
	case errors.As(err, &exit):
		return errors.New(exit.ProcessState.String())
	case errors.As(err, &absent):
		return absent.Err
	case errors.As(err, &path):
		return path.Err
	}
	return err
}

// Secret is a string that may be a key. It is kept in a closure, so that no way of
// formatting a value that contains it can print it.
type Secret struct{ reveal func() string }

var (
	_ encoding.TextUnmarshaler = (*Secret)(nil)
	_ encoding.TextMarshaler   = Secret{}
)

// NewSecret returns s as a secret.
func NewSecret(s string) Secret { return Secret{func() string { return s }} }

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *Secret) UnmarshalText(text []byte) error {
	*s = NewSecret(string(text))
	return nil
}

// MarshalText hides the value.
func (Secret) MarshalText() ([]byte, error) { return []byte("[hidden]"), nil }

// Format hides the value, whatever the verb.
func (Secret) Format(f fmt.State, _ rune) {
	io.WriteString(f, "[hidden]") //nolint:errcheck // fmt.State does not fail
}

// Equal reports whether two secrets are the same.
func (s Secret) Equal(t Secret) bool { return s.value() == t.value() }

func (s Secret) value() string {
	if s.reveal == nil {
		return ""
	}
	return s.reveal()
}

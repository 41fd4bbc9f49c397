package openai

import (
	"bytes"
	"context"
	"encoding"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
	"unicode"
)

const (
	keyTimeout = 10 * time.Second
	keyBytes   = 8 << 10 // the longest output of a key command
)

// Secret is a string that may be a key. It is held behind a function, so that
// no way of formatting whatever contains it can print it.
type Secret struct{ reveal func() string }

var (
	_ encoding.TextUnmarshaler = (*Secret)(nil)
	_ encoding.TextMarshaler   = Secret{}
)

// NewSecret returns s as a secret.
func NewSecret(s string) Secret { return Secret{func() string { return s }} }

// UnmarshalText takes any text.
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

// Equal says whether two secrets are the same.
func (s Secret) Equal(t Secret) bool { return s.value() == t.value() }

func (s Secret) value() string {
	if s.reveal == nil {
		return ""
	}
	return s.reveal()
}

// Key resolves the provider's key: from the variable or the command that the
// configuration names, else from the preset's own variable. It is empty for a
// server that needs none. What the command prints is never part of an error.
func (c Config) Key(ctx context.Context, env func(string) (string, bool)) (string, error) {
	if len(c.APIKeyCommand) > 0 {
		return c.keyFromCommand(ctx)
	}
	name := c.KeyVariable()
	if name == "" {
		return "", nil
	}
	value, ok := env(name)
	if !ok {
		return "", fmt.Errorf("the variable %s is not set; export it with the key in it, or name another in api_key_env", name)
	}
	value = strings.TrimSpace(value)
	if err := checkKey(value); err != nil {
		return "", fmt.Errorf("the variable %s %w; export it with the key in it", name, err)
	}
	return value, nil
}

// KeyVariable is the variable the key stands in. A preset's own variable is
// used for the preset's own host only: its key belongs to nobody else.
func (c Config) KeyVariable() string {
	if c.APIKeyEnv != "" {
		return c.APIKeyEnv
	}
	p, _ := presetOf(c.Preset)
	if c.BaseURL == "" || p.KeyEnv == "" {
		return p.KeyEnv
	}
	given, _, err := repairURL(c.BaseURL)
	own, _, ownErr := repairURL(p.BaseURL)
	if err != nil || ownErr != nil || given.Host != own.Host || given.Scheme != own.Scheme {
		return ""
	}
	return p.KeyEnv
}

// keySource names where the key comes from, for messages.
func (c Config) keySource() string {
	if len(c.APIKeyCommand) > 0 {
		name := filepath.Base(c.APIKeyCommand[0])
		if likeKey(name) {
			return "the command"
		}
		return "the command " + clean(name, 40)
	}
	return c.KeyVariable()
}

// isVariable reports whether a text can be the name of a variable and is no key
// that was put in its place.
func isVariable(s string) bool {
	odd := func(r rune) bool {
		return r != '_' && (r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r))
	}
	return s != "" && !strings.ContainsFunc(s, odd) && !unicode.IsDigit(rune(s[0])) && !likeKey(s)
}

// likeKey reports whether a text is as long and as mixed as keys are, and names
// hardly ever.
func likeKey(s string) bool {
	digits, small := 0, false
	for _, r := range s {
		if unicode.IsDigit(r) {
			digits++
		}
		small = small || unicode.IsLower(r)
	}
	return len(s) >= 16 && digits >= 3 && small
}

// checkKey wants one line of printable ASCII: anything else cannot be sent in
// a header and was pasted or printed by mistake.
func checkKey(s string) error {
	switch {
	case s == "":
		return errors.New("is empty")
	case strings.ContainsAny(s, "\r\n"):
		return errors.New("has more than one line")
	case strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII }):
		return errors.New("has characters in it that no key has (not ASCII)")
	case strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r == 0x7f }):
		return errors.New("has a space or a control character in it")
	}
	return nil
}

func (c Config) keyFromCommand(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, keyTimeout)
	defer cancel()
	source := c.keySource()
	out := &capped{most: keyBytes, full: cancel}
	cmd := exec.CommandContext(ctx, c.APIKeyCommand[0], c.APIKeyCommand[1:]...)
	cmd.Stdout = out
	cmd.WaitDelay = time.Second // what it started may hold the pipe
	err := cmd.Run()
	switch {
	case out.over:
		return "", fmt.Errorf("api_key_command: %s prints more than %d bytes; it must print the key alone", source, keyBytes)
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "", fmt.Errorf("api_key_command: %s did not end within %s; run it by hand, it may be asking for something: %w", source, keyTimeout, ctx.Err())
	case ctx.Err() != nil:
		return "", fmt.Errorf("api_key_command: %w", ctx.Err())
	case err != nil:
		return "", fmt.Errorf("api_key_command: %s failed; run it by hand to see why: %w", source, plainExit(err))
	}
	value := strings.TrimSpace(out.buf.String())
	if err := checkKey(value); err != nil {
		return "", fmt.Errorf("api_key_command: what %s prints %w; it must print the key alone", source, err)
	}
	return value, nil
}

// plainExit keeps an exit error's code, or why nothing was run. It drops the output
// that the error may carry, and what was to be run.
func plainExit(err error) error {
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

// capped keeps what is written to it, up to a number of bytes.
type capped struct {
	buf  bytes.Buffer
	most int
	over bool
	full func()
}

// Write keeps a piece, or refuses one for which there is no room and calls full.
func (c *capped) Write(p []byte) (int, error) {
	if c.buf.Len()+len(p) > c.most {
		c.over = true
		c.full()
		return 0, errors.New("too much output")
	}
	return c.buf.Write(p)
}

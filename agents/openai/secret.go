package openai

import (
	"encoding"
	"fmt"
	"io"
)

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

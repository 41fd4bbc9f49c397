package text_test

import (
	"testing"

	"roundtable/internal/text"
)

func TestNumberLines(t *testing.T) {
	for _, c := range []struct {
		in   string
		from int
		want string
	}{
		{"", 1, "(empty)"},
		{"one", 1, "1| one"},
		{"one\n", 1, "1| one"},
		{"one\n\n three\n", 9, "9| one\n10|\n11|  three"},
		{"\n\n", 1, "1|\n2|"},
	} {
		if got := text.NumberLines(c.in, c.from); got != c.want {
			t.Errorf("%q from %d: %q, want %q", c.in, c.from, got, c.want)
		}
	}
}

func TestSentence(t *testing.T) {
	for _, c := range []struct{ name, got, want string }{
		{"an error", text.Sentence("öffnen failed"), "Öffnen failed."},
		{"a whole sentence", text.Sentence("No model answered."), "No model answered."},
		{"an empty error", text.Sentence(" "), ""},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, c.got, c.want)
		}
	}
}

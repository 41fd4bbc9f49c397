package text_test

import (
	"strings"
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

func TestCutNames_cutsNamesAndNotPathsOrSentences(t *testing.T) {
	long := strings.Repeat("n", 250)
	for _, tt := range []struct{ in, want string }{
		{"short", "short"},
		{"the branch \"" + long + "\" and " + long + "/" + long + " end", "the branch \"" + long[:199] + "…\" and " + long[:199] + "…/" + long[:199] + "… end"},
		{strings.Repeat("word ", 100), strings.Repeat("word ", 100)},
		{strings.Repeat("folder/", 100), strings.Repeat("folder/", 100)},
		{strings.Repeat("ü", 200) + " " + strings.Repeat("ü", 201), strings.Repeat("ü", 200) + " " + strings.Repeat("ü", 199) + "…"},
	} {
		if got := text.CutNames(tt.in); got != tt.want {
			t.Errorf("%q became %q", tt.in, got)
		}
	}
}

package text_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"roundtable/internal/text"
)

func TestCleanLines_keepsTheNumberOfLines(t *testing.T) {
	says(t, text.CleanLines, map[string]string{
		"":                              "",
		"plain\nlines\n":                "plain\nlines\n",
		"a\rb\nc\u2028d\u0085e\n":       "a b\nc\u2028de\n",
		"\tx\n\x1b[31mred\x1b[0m\n":     "\tx\nred\n",
		"open \x1b]0;title\nnext\u202e": "open \nnext",
	})
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.StringOf(rapid.RuneFrom([]rune("ab\n\r\t\x1b[]m\u2028\u0085\u202e\u0301é"))).Draw(t, "text")
		got := text.CleanLines(in)
		if strings.Count(got, "\n") != strings.Count(in, "\n") {
			t.Fatalf("%q: got %q", in, got)
		}
		if again := text.Clean(got); again != got {
			t.Fatalf("%q: %q is not clean, it becomes %q", in, got, again)
		}
	})
}

package text_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"roundtable/internal/text"
)

func TestClean_keepsTheBytes(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"what is text", "as it is\n\tindented, decomposed e\u0301, NFC é, 世界\u3000\u00a0", ""},
		{"what is invisible", "x\u200by\u00adz\ufeff \u200e\u061c \U000e0041 \u2028 a\u200db", ""},
		{"what styles", "👨\u200d👩\u200d👧 🇩🇪🇫 ❤️ 👍🏽 1️⃣ می\u200cخواهم क्\u200dष", ""},
		{"what piles up", "z" + strings.Repeat("\u0335", 20) + "\U00100001", ""},
		{"line ends", "a\r\nb\rc\n\rd", "a\nb\nc\n\nd"},
		{"controls", "a\x00b\ac\bd\u0085e\u009bmf\x7f", "abcdef"},
		{"escapes", "a\x1b[31mb\x1b]0;t\ac\x1bPq\x1b\\d", "abcd"},
		{"an escape sequence around a group", "a\x1b]0;👨\u200d👩\x07b", "ab"},
		{"overrides and isolates", "x\u202ey\u202c \u2066z\u2069", "xy z"},
		{"broken", "👨\u200d\xff \xf0\x9f", "👨\u200d\ufffd \ufffd"},
	} {
		if tt.want == "" {
			tt.want = tt.in
		}
		if got := text.Clean(tt.in); got != tt.want {
			t.Errorf("%s: %+q, want %+q", tt.name, got, tt.want)
		}
	}
}

// What is kept is shown like what came, and what a screen draws of it takes the same cells
// on a terminal with groups of characters and on one without.
func TestClean_isShownAlikeOnEveryTerminal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		came := anyText().Draw(t, "text")
		kept := text.Clean(came)
		if again := text.Clean(kept); again != kept || strings.ContainsAny(kept, "\x1b\r\x00\u202e\u2066\u009b") || !utf8.ValidString(kept) {
			t.Fatalf("%+q is kept as %+q, then %+q", came, kept, again)
		}
		shown := text.Sanitize(came)
		if of := text.Sanitize(kept); of != shown {
			t.Fatalf("%+q is shown as %+q, what is kept of it as %+q", came, shown, of)
		}
		for line := range strings.SplitSeq(shown, "\n") {
			if strings.ContainsFunc(line, isSpacing) {
				continue // libraries and terminals differ on letters with these, groups or not
			}
			if with, without := text.Width(line), ansi.StringWidthWc(line); with != without {
				t.Fatalf("%+q takes %d cells, without groups %d", line, with, without)
			}
		}
	})
}

// isSpacing reports whether a mark has a cell of its own on some terminals, as a vowel of an
// Indic script or an old Korean letter has.
func isSpacing(r rune) bool {
	return unicode.Is(unicode.Mc, r) || r >= 0x1100 && r <= 0x11ff || r >= 0xd7b0 && r <= 0xd7fb
}

func FuzzClean(f *testing.F) {
	f.Add("👨‍👩‍👧 🇩🇪 \x1b[2J a\u0301\u200d\u0301 \U00100003\xff\r\n\t")
	f.Fuzz(func(t *testing.T, s string) {
		got := text.Clean(s)
		if again := text.Clean(got); again != got || text.Sanitize(got) != text.Sanitize(s) {
			t.Errorf("%+q becomes %+q, then %+q", s, got, again)
		}
	})
}

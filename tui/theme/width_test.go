package theme_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"roundtable/tui/theme"
)

// Width agrees with ansi.StringWidth for all lines.
func TestWidth_equalsStringWidth(t *testing.T) {
	pieces := []string{
		"a", "Brook is right.", " ", "│", "╭──", "·", "•", "…", "“", "–", "‐", "‧", "▖", "█░", "▶", "✓", "●", "\x1b[38;2;1;2;3m", "\x1b[m",
		"\x1b[1", "\x1b[2J",
		"\x1b]8;;http://x\x1b\\", "\x1b", "\x7f", "\t", "請求", "한", "e\u0301", "\u0301", "\ufe0f", "\u200d", "👩‍👩‍👧", "1\ufe0f\u20e3", "🇩🇪",
		"\xe2", "\x94", "\x80", "\xe2\x94", "\xc2", "\u200b", "\u202e", "\u2028", "",
	}
	for _, p := range pieces {
		if got, want := theme.Width(p), ansi.StringWidth(p); got != want {
			t.Errorf("%q: %d, want %d", p, got, want)
		}
	}
	random := rand.New(rand.NewPCG(3, 5))
	for range 20_000 {
		var b strings.Builder
		for range 1 + random.IntN(6) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		if got, want := theme.Width(b.String()), ansi.StringWidth(b.String()); got != want {
			t.Fatalf("%q: %d, want %d", b.String(), got, want)
		}
	}
}

// Lines are no longer than asked, whatever is at their ends, and nothing is lost.
func TestWrap_noLineIsTooLong(t *testing.T) {
	for _, words := range []string{
		"give agents the folder with --workspace.", "run it with - or -- or -x, a well-known flag of --long-name", "one  two   three",
	} {
		for width := 3; width <= 60; width++ {
			lines := theme.Wrap(words, width)
			for _, l := range lines {
				if theme.Width(l) > width {
					t.Errorf("%q is longer than %d", l, width)
				}
			}
			if got, want := strings.Join(strings.Fields(strings.Join(lines, " ")), ""), strings.ReplaceAll(words, " ", ""); got != want {
				t.Errorf("%d: %q became %q", width, words, lines)
			}
		}
	}
}

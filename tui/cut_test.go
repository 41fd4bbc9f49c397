package tui_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
)

// atCursor returns the row with the cursor, up to the cursor and from it on.
func (r *harness) atCursor() (before, after string) {
	r.t.Helper()
	c := r.last.Load().Cursor
	if c == nil {
		r.t.Fatalf("there is no cursor on\n%s", r.screen())
	}
	row := strings.Split(r.screen(), "\n")[c.Y]
	return ansi.Cut(row, 0, c.X), strings.TrimRight(ansi.Cut(row, c.X, ansi.StringWidth(row)), " ")
}

// A text that is longer than its row takes further rows, up to four. What is scrolled off
// is marked.
func TestPrompt_wrapsAndMarksWhatIsScrolledOff(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *harness, _ *scripted) {
		r.press("i")
		r.paste("first " + strings.Repeat("word ", 9))
		if rows := strings.Join(strings.Split(r.screen(), "\n")[35:39], "\n"); strings.Contains(rows, "…") {
			t.Errorf("a text that fits is cut:\n%s", rows)
		}
		r.paste(strings.Repeat("word ", 120) + "漢字 end")
		if before, _ := r.atCursor(); !strings.HasSuffix(before, "漢字 end") {
			t.Errorf("%q stands before the cursor", before)
		}
		rows := strings.Split(r.screen(), "\n")[35:39]
		if text := strings.Join(rows, "\n"); !strings.Contains(rows[0], "…") || strings.Contains(text, "first") {
			t.Errorf("what is scrolled off is not marked:\n%s", text)
		}
		r.press("ctrl+a")
		if before, after := r.atCursor(); strings.Contains(before, "…") || !strings.HasPrefix(after, "first word") {
			t.Errorf("at the beginning, %q stands before the cursor, %q after it", before, after)
		}
	})
}

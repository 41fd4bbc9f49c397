package theme

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// Column is one cell of a table row.
type Column struct {
	Text  string // plain and safe, one line
	Width int    // in terminal cells
	Style lipgloss.Style
	Right bool // aligned to the right
}

// Columns draws columns side by side, each cut or padded to its width.
func (t *Theme) Columns(columns ...Column) string {
	var b strings.Builder
	for _, c := range columns {
		text := t.Truncate(c.Text, c.Width)
		pad := strings.Repeat(" ", max(c.Width-ansi.StringWidth(text), 0))
		if c.Right {
			text, pad = pad+text, ""
		}
		b.WriteString(c.Style.Render(text + pad))
	}
	return b.String()
}

// Truncate cuts plain text to at most width cells; the symbol Cut marks the cut.
func (t *Theme) Truncate(text string, width int) string {
	return ansi.Truncate(text, max(width, 0), t.Symbols.Cut)
}

// Wrap breaks plain text into lines of at most width cells.
func Wrap(text string, width int) []string {
	width = max(width, 1)
	var lines []string
	for l := range strings.SplitSeq(ansi.Wrap(text, width, ""), "\n") {
		if Width(l) <= width {
			lines = append(lines, l)
			continue
		}
		for part := range strings.SplitSeq(ansi.Hardwrap(l, width, true), "\n") { // ansi.Wrap does not count some hyphens
			lines = append(lines, strings.TrimRight(part, " "))
		}
	}
	return lines
}

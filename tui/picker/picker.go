// Package picker holds the screens on which a debate is chosen: the list of
// sessions with its search, the first start, and the form of a new debate.
//
// Its components are driven by verbs, and by HandleKey while a text field has
// the focus; they draw what stands between the top line and the notice row. They
// import theme, debate, ledger, agents and safetext. They do no I/O and must not
// know where sessions and offers come from, nor which key does what.
package picker

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/tui/theme"
)

// cell is one column of a row.
type cell struct {
	text  string // plain
	width int
	style lipgloss.Style
	right bool // aligned to the right
}

// cells draws columns side by side, each cut or padded to its width.
func cells(th *theme.Theme, columns ...cell) string {
	var b strings.Builder
	for _, c := range columns {
		text := ansi.Truncate(c.text, max(c.width, 0), th.Symbols.Cut)
		pad := strings.Repeat(" ", max(c.width-ansi.StringWidth(text), 0))
		if c.right {
			text, pad = pad+text, ""
		}
		b.WriteString(c.style.Render(text + pad))
	}
	return b.String()
}

// page returns exactly height of the lines, each of exactly width cells: those
// around the lines from top to bottom, which it moves as little as it can from
// what was shown from *from on. The first and the last of them say how many are
// hidden beyond.
func page(th *theme.Theme, lines []string, from *int, top, bottom, width, height int) string {
	if bottom >= *from+height {
		*from = bottom - height + 1
	}
	if top < *from {
		*from = top
	}
	*from = max(0, min(*from, len(lines)-height))
	var b strings.Builder
	for i := range height {
		if i > 0 {
			b.WriteByte('\n')
		}
		line := ""
		if n := *from + i; n < len(lines) {
			line = lines[n]
		}
		above, below := *from, len(lines)-*from-height
		switch {
		case i == 0 && above > 0 && height > 2:
			line = hiding(th, line, above, "above", width)
		case i == height-1 && below > 0 && height > 2:
			line = hiding(th, line, below, "below", width)
		}
		b.WriteString(th.Fit(line, width))
	}
	return b.String()
}

// hiding ends a line with how many more there are.
func hiding(th *theme.Theme, line string, n int, where string, width int) string {
	words := fmt.Sprintf(" %d %s ", n, where)
	return th.Fit(line, width-len(words)) + th.Muted.Render(words)
}

// fit cuts plain text to at most width cells.
func fit(th *theme.Theme, text string, width int) string {
	return ansi.Truncate(text, max(width, 0), th.Symbols.Cut)
}

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
	"slices"
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

// window is the part of a list's lines that is on the screen.
type window struct {
	from int // the first of them
	own  int // rows above it that say how many are hidden
}

// row returns where a line stands in the window, and line what stands in a row.
func (w window) row(line int) int { return line - w.from + w.own }
func (w window) line(row int) int { return row + w.from - w.own }

// page returns exactly height of the lines, each of exactly width cells: those
// around the lines from top to bottom, to which it moves the window as little as it
// can. How many are hidden beyond stands at the end of the first and of the last of
// them, or in a row of its own where that would cover text.
func page(th *theme.Theme, lines []string, w *window, top, bottom, width, height int) string {
	var v view
	for range settles {
		before := *w
		v = around(lines, w.from, top, bottom, width, height)
		w.from, w.own = v.at, v.over
		if *w == before {
			break
		}
	}
	shown := v.shown
	if v.over > 0 {
		shown = slices.Insert(shown, 0, "")
	}
	if v.under > 0 {
		shown = append(shown, "")
	}
	for i := range height {
		switch {
		case i >= len(shown):
			shown = append(shown, th.Fit("", width))
		case i == 0 && v.above != "" && height > 2:
			shown[i] = marked(th, shown[i], v.above, width)
		case i == height-1 && v.below != "" && height > 2:
			shown[i] = marked(th, shown[i], v.below, width)
		default:
			shown[i] = th.Fit(shown[i], width)
		}
	}
	return strings.Join(shown, "\n")
}

// settles is how often a window is placed again from where it has come to: once it
// has moved, the row above may need no row of its own any more. It is even, so that
// two places that lead to each other do not take turns on the screen.
const settles = 4

// view is a part of some lines, and what is told of the rest.
type view struct {
	at           int // of the first
	over, under  int // rows of their own
	shown        []string
	above, below string
}

// around places a window, that began at from, around the lines from top to bottom.
func around(lines []string, from, top, bottom, width, height int) (v view) {
	for {
		room := height - v.over - v.under
		v.at = max(0, min(from, max(top, 0), len(lines)-room), bottom-room+1)
		if v.at > top && top >= 0 { // not all that is wanted fits: its beginning counts
			v.at = top
		}
		v.shown = slices.Clone(lines[v.at:min(len(lines), v.at+room)])
		v.above, v.below = hidden(v.at, "above"), hidden(len(lines)-v.at-len(v.shown), "below")
		switch {
		case height > 3 && v.above != "" && v.over == 0 && covers(v.shown[0], v.above, width):
			v.over = 1
		case height > 3 && v.below != "" && v.under == 0 && covers(v.shown[len(v.shown)-1], v.below, width):
			v.under = 1
		default:
			return v
		}
	}
}

// hidden says how many lines there are more; "" for none.
func hidden(n int, where string) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(" %d %s ", n, where)
}

// covers reports whether words at the end of a line would hide some of it.
func covers(line, words string, width int) bool {
	return ansi.StringWidth(strings.TrimRight(ansi.Strip(line), " ")) > width-len(words)
}

// marked puts words at the end of a line.
func marked(th *theme.Theme, line, words string, width int) string {
	room := width - len(words)
	return th.Fit(ansi.Truncate(line, room, ""), room) + th.Muted.Render(words)
}

// fit cuts plain text to at most width cells.
func fit(th *theme.Theme, text string, width int) string {
	return ansi.Truncate(text, max(width, 0), th.Symbols.Cut)
}

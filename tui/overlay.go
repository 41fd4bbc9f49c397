package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// overlay draws a box over rows, its left edge at column x and its top at row y.
func overlay(rows, box []string, x, y int) []string {
	out := append([]string(nil), rows...)
	for i, b := range box {
		if y+i < 0 || y+i >= len(out) {
			continue
		}
		under, w := out[y+i], ansi.StringWidth(b)
		left := ansi.Truncate(under, x, "")
		left += strings.Repeat(" ", max(x-ansi.StringWidth(left), 0))
		right := ansi.TruncateLeft(under, x+w, "")
		// A wide character that is cut in half leaves a cell to fill.
		if over := ansi.StringWidth(under) - x - w - ansi.StringWidth(right); over > 0 {
			right = strings.Repeat(" ", over) + right
		}
		out[y+i] = left + b + right
	}
	return out
}

package pane

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"roundtable/tui/theme"
)

// wrapIndented wraps text with a hanging indent: the first line begins with first, the
// others with rest. Both count towards the width.
func wrapIndented(text string, width int, first, rest string) []string {
	room := width - max(ansi.StringWidth(first), ansi.StringWidth(rest))
	lines := theme.Wrap(strings.TrimRight(text, "\n "), max(room, 1))
	for i := range lines {
		lead := rest
		if i == 0 {
			lead = first
		}
		lines[i] = lead + lines[i]
	}
	return lines
}

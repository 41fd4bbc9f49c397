package pane

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// hang breaks text into lines of which the first begins with one lead and the
// others with another, both counted in.
func wrapIndented(text string, width int, first, rest string) []string {
	room := width - max(ansi.StringWidth(first), ansi.StringWidth(rest))
	lines := strings.Split(ansi.Wrap(strings.TrimRight(text, "\n "), max(room, 1), ""), "\n")
	for i := range lines {
		lead := rest
		if i == 0 {
			lead = first
		}
		lines[i] = lead + lines[i]
	}
	return lines
}

package attach

import (
	"fmt"
	"strings"

	"roundtable/tui/theme"
)

// Chip returns a file as a chip, such as "[notes.md · 3.1 KB]". A lead stands before
// the name.
func Chip(th *theme.Theme, lead string, f Found) string { return "[" + lead + f.label(th) + "]" }

// Unknown returns the chip of a path that was not found, or not yet.
func Unknown(th *theme.Theme, path string) string {
	return "[" + Short(path, maxName) + " " + th.Symbols.Sep + " ?]"
}

// Chips returns files as chips in one line; those without room are counted.
func Chips(th *theme.Theme, all []Found) string {
	const room = 60
	line := ""
	for i, f := range all {
		chip := Chip(th, "", f)
		if i > 0 && theme.Width(line+chip) > room {
			return fmt.Sprintf("%s and %d more", line, len(all)-i)
		}
		line = strings.TrimLeft(line+" "+chip, " ")
	}
	return line
}

package text

import (
	"fmt"
	"strings"
)

// SanitizeLines returns s made safe with the number of its lines unchanged: what would
// begin another line, such as a lone carriage return, becomes a space.
func SanitizeLines(s string) string {
	if isPlain(s) {
		return s
	}
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		if !isPlain(line) {
			lines[i] = strings.ReplaceAll(Sanitize(line), "\n", " ")
		}
	}
	return strings.Join(lines, "\n")
}

// NumberedLines returns lines made safe, each after its number and two spaces. The first
// line has the number from. The result ends with a line feed.
func NumberedLines(s string, from int) string {
	lines := strings.Split(SanitizeLines(s), "\n")
	width := len(fmt.Sprint(from + len(lines) - 1))
	var b strings.Builder
	for i, line := range lines {
		fmt.Fprintf(&b, "%s\n", strings.TrimRight(fmt.Sprintf("%*d  %s", width, from+i, line), " "))
	}
	return b.String()
}

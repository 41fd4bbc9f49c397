package text

import "strings"

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

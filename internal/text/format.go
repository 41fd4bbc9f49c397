package text

import (
	"fmt"
	"strings"

	"roundtable/agents/safetext"
)

// Label makes foreign text fit for a line of a message.
func Label(s string) string { return safetext.Clip(safetext.Line(s), 60) }

func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func Upper(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

func Indent(s string) string {
	return "  " + strings.ReplaceAll(strings.Trim(s, "\n"), "\n", "\n  ")
}

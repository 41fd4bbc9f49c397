package text

import (
	"strings"
	"unicode"
)

// Head returns the first n characters of s, without trailing space.
func Head(s string, n int) string {
	for i := range s {
		if n == 0 {
			return strings.TrimRightFunc(s[:i], unicode.IsSpace)
		}
		n--
	}
	return s
}

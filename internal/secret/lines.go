package secret

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

var masks = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[masked \d+ characters?(, shown to no seat)?\]`) })

// MaskLines replaces the values in a text that look like secrets by how long they are. The text
// keeps its lines. A value that may be code, or hold some, is marked as one that nobody sees.
func MaskLines(text string) string {
	return Mask(text, func(secret string) string {
		if masks().MatchString(secret) {
			return secret
		}
		lines := strings.Split(secret, "\n")
		for i, line := range lines {
			if line != "" {
				lines[i] = maskOf(line, len(lines) > 1)
			}
		}
		return strings.Join(lines, "\n")
	})
}

func maskOf(value string, ofKey bool) string {
	n, unit, seen := utf8.RuneCountInString(value), "characters", ""
	if n == 1 {
		unit = "character"
	}
	begins := strings.HasPrefix(strings.TrimLeft(value, " \t\"'+,"), "-----")
	if !ofKey && !begins && strings.ContainsAny(value, "(){};|&<>`$\"'\\") || ofKey && !begins && readable(value) {
		seen = ", shown to no seat"
	}
	return fmt.Sprintf("[masked %d %s%s]", n, unit, seen)
}

// readable reports whether a line of a key has no digit, no capital or no small letter: random
// base64 of some length has all of them.
func readable(line string) bool {
	return !strings.ContainsAny(line, "0123456789+/=") || strings.ToLower(line) == line || strings.ToUpper(line) == line
}

// Masked reports whether a line has a mask of MaskLines, and whether the value may be code.
func Masked(line string) (masked, code bool) {
	if !strings.Contains(line, "[masked ") {
		return false, false
	}
	for _, m := range masks().FindAllStringSubmatch(line, -1) {
		masked, code = true, code || m[1] != ""
	}
	return masked, code
}

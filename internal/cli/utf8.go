package cli

import (
	"strings"
	"unicode/utf8"

	"roundtable/agents/safetext"
)

// checkUTF8 refuses text of the user's that is not UTF-8, and says where: a character
// that is replaced is lost, and nobody sees that it was another.
func checkUTF8(what, text string) error {
	for at, r := range text {
		if r != utf8.RuneError {
			continue
		}
		if _, size := utf8.DecodeRuneInString(text[at:]); size > 1 {
			continue // written so
		}
		before := text[:at]
		return usagef("%s is not UTF-8: byte 0x%02x in line %d, column %d. Nothing was taken; convert it to UTF-8 first",
			safetext.Line(what), text[at], strings.Count(before, "\n")+1, utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])+1)
	}
	return nil
}

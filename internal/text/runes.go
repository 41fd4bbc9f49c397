package text

import (
	"unicode"

	"golang.org/x/text/width"
)

// isShapeless reports whether a character has no shape of its own, so that it
// can only hide, reorder, join or restyle others.
func isShapeless(r rune) bool {
	switch {
	case r < 0xad:
		return false
	case r >= 0x1f3fb && r <= 0x1f3ff: // skin tones: 0 or 2 cells by terminal
		return true
	case r&0xfffe == 0xfffe || r >= 0xfdd0 && r <= 0xfdef: // no characters at all
		return true
	}
	return unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// isMark reports whether a character stands on the one before it.
func isMark(r rune) bool {
	return r >= 0x300 && (unicode.Is(unicode.M, r) || isJamo(r))
}

// isJamo reports whether r is a vowel or final consonant that joins the Korean
// syllable before it. Unlike other marks it can stand alone.
func isJamo(r rune) bool {
	return r >= 0x1160 && r <= 0x11ff || r >= 0xd7b0 && r <= 0xd7fb
}

// respell returns the one or two characters that mean the same as r and, unlike
// it, have the same width everywhere; the second is 0 where there is none.
func respell(r rune) (first, second rune) {
	switch {
	case r == '\u2028' || r == '\u2029': // line and paragraph separator
		return '\n', 0
	case r >= 0x1f1e6 && r <= 0x1f1ff: // half a flag
		return 'A' + r - 0x1f1e6, 0
	case r == '\u0e33': // Thai am
		return '\u0e4d', '\u0e32'
	case r == '\u0eb3': // Lao am
		return '\u0ecd', '\u0eb2'
	}
	return r, 0
}

// cells returns how many columns a character takes.
func cells(r rune) int {
	if r < 0x1100 {
		return 1
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	default:
		return 1
	}
}

package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// SanitizeInput returns text that the user wrote, made safe to keep and to hand on. It is
// [Text], but for what changes the look of the character before it: joiners, which
// emoji and several scripts are written with, variation selectors, skin tones and
// flags stay where such a character is. They have no width that all terminals
// agree on, so what is shown of the text passes [Text] or [Line] all the same.
func SanitizeInput(s string) string {
	if strings.IndexFunc(s, isStyling) < 0 {
		return Sanitize(s)
	}
	var b strings.Builder
	based := false // a character stands before that can be changed
	for i, r := range s {
		switch {
		case r >= stand && r < stand+standsFor:
			continue // it would be taken for one of ours
		case !isStyling(r):
			b.WriteRune(r)
			based = hasShape(r) || based && unicode.Is(unicode.M, r)
			continue
		case isFlag(r):
			based = true
		case !based:
			continue
		case isJoiner(r):
			if next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):]); !hasShape(next) {
				continue
			}
			based = false // it joins once
		}
		b.WriteRune(standIn(r))
	}
	return strings.Map(stoodFor, Sanitize(b.String()))
}

// Text drops what styles others, so that stands aside while it works, behind
// characters that nobody has a use for: joiners, selectors, skin tones, flags.
const (
	stand     = 0x100000
	standsFor = 2 + 2 + 5 + 26
)

func standIn(r rune) rune {
	switch {
	case isJoiner(r):
		return stand + r - 0x200c
	case r <= 0xfe0f:
		return stand + 2 + r - 0xfe0e
	case isFlag(r):
		return stand + 9 + r - 0x1f1e6
	}
	return stand + 4 + r - 0x1f3fb
}

// stoodFor returns what a stand-in stands for, and any other character as it is.
func stoodFor(r rune) rune {
	switch n := r - stand; {
	case n < 0 || n >= standsFor:
		return r
	case n < 2:
		return 0x200c + n
	case n < 4:
		return 0xfe0e + n - 2
	case n < 9:
		return 0x1f3fb + n - 4
	default:
		return 0x1f1e6 + n - 9
	}
}

func isStyling(r rune) bool {
	return isJoiner(r) || r == '\ufe0e' || r == '\ufe0f' || r >= 0x1f3fb && r <= 0x1f3ff || isFlag(r)
}

func isJoiner(r rune) bool { return r == '\u200c' || r == '\u200d' }

// isFlag reports whether r is half a flag.
func isFlag(r rune) bool { return r >= 0x1f1e6 && r <= 0x1f1ff }

// hasShape reports whether r is a character that can be joined with another.
func hasShape(r rune) bool {
	return r != utf8.RuneError && unicode.IsGraphic(r) && !unicode.IsSpace(r) && !unicode.Is(unicode.M, r) && !isShapeless(r)
}

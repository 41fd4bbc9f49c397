package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

const (
	tabStop  = 4
	maxMarks = 8
	maxHeld  = 4096 // bytes
	// circle carries marks without a base character.
	circle    = '◌'
	firstFlag = '🇦' // of the halves of flags
)

// Stream makes text safe that arrives in pieces, however they are cut: what Write returned, and
// Peek after it, is [Sanitize] of the pieces put together. The zero value is ready for use.
//
// It holds back the last line. Of a line of more than 4 KB it only promises to be safe.
type Stream struct{ held string }

// Write takes the next piece and returns what is safe to show now.
func (t *Stream) Write(piece string) (safe string) {
	t.held += piece
	cut := settled(t.held)
	safe = Sanitize(t.held[:cut])
	t.held = t.held[cut:]
	return safe
}

// Peek returns what is held back but for an unfinished rune, for showing text that is still
// on its way. The stream is as it was; what comes next may change that text.
func (t *Stream) Peek() string { return Sanitize(t.held[:whole(t.held)]) }

// settled returns how many bytes of a text are shown: its lines, and of one that is longer than
// what is held back its words.
func settled(s string) int {
	line := 1 + strings.LastIndexByte(s, '\n')
	if len(s)-line <= maxHeld {
		return line
	}
	if at := strings.LastIndexByte(s[line:], ' '); at >= 0 {
		return line + at + 1
	}
	return whole(s)
}

// whole returns how many bytes come before an unfinished rune at the end of s.
func whole(s string) int {
	for n := 1; n < utf8.UTFMax && n <= len(s); n++ {
		if end := s[len(s)-n:]; utf8.RuneStart(end[0]) {
			if !utf8.FullRuneInString(end) {
				return len(s) - n
			}
			break
		}
	}
	return len(s)
}

// introduces reports whether an escape sequence may begin with a character.
func introduces(r rune) bool { return r == 0x1b || r >= 0x80 && r <= 0x9f }

// spelling spells the Thai and the Lao am as two characters, whose width is the same everywhere.
var spelling = strings.NewReplacer("\u0e33", "\u0e4d\u0e32", "\u0eb3", "\u0ecd\u0eb2", "\u2028", "\n", "\u2029", "\n")

// shape drops what has no shape of its own and too many marks, puts marks without a base on
// a circle, and expands tabs.
func shape(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	col := 0
	put := func(r rune, cells int) {
		b.WriteRune(r)
		col += cells
	}
	var last, joiner rune // the last character that is no mark, and a joiner after it
	marks := 0
	for _, r := range s {
		switch {
		case isJoiner(r):
			joiner = r
			continue
		case isFlag(r):
			r += 'A' - firstFlag
		case isShapeless(r), isMark(r) && marks == maxMarks:
			continue
		}
		if joiner != 0 && unicode.In(last, joining...) && unicode.In(r, joining...) {
			put(joiner, 0)
		}
		joiner = 0
		if isMark(r) {
			if (last == 0 || last == ' ' || last == '\n') && !isJamo(r) {
				last = circle
				put(last, 1)
			}
			marks++
			put(r, 0)
			continue
		}
		last, marks = r, 0
		switch {
		case r == '\n':
			put(r, -col)
		case r == '\t':
			last = ' '
			b.WriteString("    "[col%tabStop:])
			col += tabStop - col%tabStop
		default:
			put(r, cells(r))
		}
	}
	return b.String()
}

// joining are the scripts whose words are spelled with joiners.
var joining = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mandaic, unicode.Nko, unicode.Mongolian, unicode.Adlam, unicode.Hanifi_Rohingya,
	unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil,
	unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Tibetan,
}

// TakesJoiner reports whether a joiner behind a text has a meaning: it ends with a letter that is
// spelled with joiners.
func TakesJoiner(s string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(s, isMark))
	return unicode.In(last, joining...)
}

func isJoiner(r rune) bool { return r == '\u200c' || r == '\u200d' }

// isTone reports whether r is a skin tone, which has 0 or 2 cells by terminal.
func isTone(r rune) bool { return r >= 0x1f3fb && r <= 0x1f3ff }

// isFlag reports whether r is half a flag.
func isFlag(r rune) bool { return r >= firstFlag && r <= '🇿' }

// isShapeless reports whether a character has no shape of its own, so that it
// can only hide, reorder, join or restyle others.
func isShapeless(r rune) bool {
	switch {
	case r < 0xad:
		return false
	case isTone(r):
		return true
	case r&0xfffe == 0xfffe || r >= 0xfdd0 && r <= 0xfdef: // no characters at all
		return true
	}
	return unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

func isMark(r rune) bool {
	return r >= 0x300 && (unicode.Is(unicode.M, r) || isJamo(r))
}

// isJamo reports whether r is a vowel or final consonant that joins the Korean
// syllable before it. Unlike other marks it can stand alone.
func isJamo(r rune) bool {
	return r >= 0x1160 && r <= 0x11ff || r >= 0xd7b0 && r <= 0xd7fb
}

func cells(r rune) int {
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	default:
		return 1
	}
}

package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// joining are the scripts whose words are spelled with joiners.
var joining = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mandaic, unicode.Nko, unicode.Mongolian, unicode.Adlam, unicode.Hanifi_Rohingya,
	unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil,
	unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Tibetan,
}

// joins reports whether a joiner has a meaning between two characters: letters of the same
// kind of script, or the parts of an emoji.
func joins(a, b rune) bool {
	return isPictograph(b) && (isPictograph(a) || isTone(a)) || unicode.In(a, joining...) && unicode.In(b, joining...)
}

// Plain returns safe text for a field, which counts cells by character: groups fall apart.
func Plain(s string) string {
	before := rune(0)
	return Sanitize(strings.Map(func(r rune) rune {
		last := before
		if before = r; isJoiner(r) && unicode.In(last, joining...) {
			return r
		}
		return alone(r)
	}, Sanitize(s)))
}

func alone(r rune) rune {
	switch {
	case isFlag(r):
		return 'A' + r - 0x1f1e6
	case isStyling(r):
		return -1
	}
	return r
}

// Ungroup prepares a drawn screen for a terminal without grapheme clusters (mode 2027). It keeps
// only the first character of each emoji sequence, padded to the same number of cells.
func Ungroup(screen string) string {
	if strings.IndexFunc(screen, isStyling) < 0 {
		return screen
	}
	var b strings.Builder
	for screen != "" {
		if len(screen) == 1 || screen[0] < utf8.RuneSelf && screen[1] < utf8.RuneSelf {
			b.WriteByte(screen[0])
			screen = screen[1:]
			continue
		}
		group, width := ansi.FirstGraphemeCluster(screen, ansi.GraphemeWidth)
		screen = screen[len(group):]
		first, size := utf8.DecodeRuneInString(group)
		if strings.IndexFunc(group, isStyling) >= 0 && !unicode.In(first, joining...) {
			if !isFlag(first) {
				group = group[:size]
			}
			group = strings.Map(alone, group)
			group += strings.Repeat(" ", max(0, width-ansi.StringWidthWc(group)))
		}
		b.WriteString(group)
	}
	return b.String()
}

// isStyling reports whether a character changes the look of those beside it.
func isStyling(r rune) bool { return isJoiner(r) || isSelector(r) || isTone(r) || isFlag(r) }

func isJoiner(r rune) bool { return r == '\u200c' || r == '\u200d' }

func isSelector(r rune) bool { return r == '\ufe0e' || r == '\ufe0f' }

func isTone(r rune) bool { return r >= 0x1f3fb && r <= 0x1f3ff }

// isFlag reports whether r is half a flag.
func isFlag(r rune) bool { return r >= 0x1f1e6 && r <= 0x1f1ff }

func isPictograph(r rune) bool {
	return r >= 0xa9 && unicode.Is(unicode.So, r) && r != utf8.RuneError && !isFlag(r)
}

package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold returns a text for comparison, without case and compatibility forms. Databases
// store folded texts and hashes of them, so what it returns must not change.
func Fold(s string) string { return strings.ToLower(norm.NFKC.String(s)) }

// FoldWithOffsets is like Fold and also returns, for each byte of the folded text, the
// offset in s that it comes from.
func FoldWithOffsets(s string) (folded string, offsets []int) {
	var out strings.Builder
	var it norm.Iter
	offsets = make([]int, 0, len(s))
	for it.InitString(norm.NFKC, s); !it.Done(); {
		at := it.Pos()
		out.WriteString(strings.ToLower(string(it.Next())))
		for len(offsets) < out.Len() {
			offsets = append(offsets, at)
		}
	}
	return out.String(), offsets
}

// FoldName folds a text more loosely than Fold, so that a name in it is found however it is
// spelled: without accents and invisible characters too, and with one kind of space, hyphen and
// apostrophe. It also returns, for each byte of the folded text and its end, the offset in s of the
// character that it comes from.
func FoldName(s string) (folded string, offsets []int) {
	var out strings.Builder
	for at, n := 0, 0; at < len(s); at += n {
		if n = 1; s[at] >= utf8.RuneSelf || at+1 < len(s) && s[at+1] >= utf8.RuneSelf {
			n = norm.NFKD.NextBoundaryInString(s[at:], true)
		}
		for _, r := range norm.NFKD.String(s[at : at+n]) {
			switch {
			case Ignorable(r), r >= '\u0300' && r <= '\u036f': // an accent
				continue
			case unicode.IsSpace(r):
				if r = ' '; strings.HasSuffix(out.String(), " ") {
					continue
				}
			case r == 'ß' || r == 'ẞ':
				out.WriteByte('s')
				r = 's'
			case r >= '\u2010' && r <= '\u2013' || r == '\u2212':
				r = '-'
			case r == '\u2019' || r == '\u02bc':
				r = '\''
			}
			out.WriteRune(unicode.ToLower(unicode.ToUpper(r)))
			for len(offsets) < out.Len() {
				offsets = append(offsets, at)
			}
		}
	}
	return out.String(), append(offsets, len(s))
}

// Ignorable reports whether a character is invisible, such as a soft hyphen.
func Ignorable(r rune) bool { return unicode.Is(unicode.Cf, r) }

// InWord reports whether a character can be part of a word.
func InWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// Begins reports whether a word can begin with the letter first after the character before.
func Begins(before, first rune) bool {
	return !InWord(before) || writing(before) != writing(first) || writing(first) == unspaced
}

// Ends reports whether a word can end with the letter last before the character next.
func Ends(last, next rune) bool {
	if !InWord(next) {
		return true
	}
	return !unicode.IsMark(next) && (writing(last) != writing(next) || writing(last) == unspaced || writing(last) == hangul)
}

// How words are told apart. A change from one to another is the end of a word.
const (
	spaced   = iota // by what is not a letter
	unspaced        // not at all
	katakana        // as runs in texts without spaces
	hangul          // by spaces before them; endings are written to them
)

func writing(r rune) int {
	switch {
	case r < '\u0e00':
		return spaced
	case unicode.Is(unicode.Katakana, r), r == 'ー':
		return katakana
	case unicode.Is(unicode.Hangul, r):
		return hangul
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
		return unspaced
	default:
		return spaced
	}
}

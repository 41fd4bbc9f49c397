package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold returns a text for comparison, without case and compatibility forms. Databases
// store folded texts and hashes of them, so what it returns must not change.
func Fold(s string) string {
	var out strings.Builder
	out.Grow(len(s))
	foldSegments(s, func(lower string, _ int) { out.WriteString(lower) })
	return out.String()
}

// FoldWithOffsets is like Fold and also returns, for each byte of the folded text, the
// offset in s that it comes from.
func FoldWithOffsets(s string) (folded string, offsets []int) {
	var out strings.Builder
	offsets = make([]int, 0, len(s))
	foldSegments(s, func(lower string, at int) {
		out.WriteString(lower)
		for range len(lower) {
			offsets = append(offsets, at)
		}
	})
	return out.String(), offsets
}

func foldSegments(s string, add func(lower string, at int)) {
	var it norm.Iter
	it.InitString(norm.NFKC, s)
	for !it.Done() {
		at := it.Pos()
		add(strings.ToLower(string(it.Next())), at)
	}
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

// Parted reports whether a word can end between two characters: where one is in no word, or is
// written without spaces between words.
func Parted(a, b rune) bool {
	return !InWord(a) || !InWord(b) || unspaced(a) != unspaced(b) || unspaced(a) && !unicode.IsMark(b)
}

func unspaced(r rune) bool {
	return r >= '\u0e00' && (r == 'ー' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar))
}

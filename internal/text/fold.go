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

// FoldName folds a name more loosely than Fold, so that it is found however it is
// spelled: without accents and invisible characters too, and with one kind of space,
// hyphen and apostrophe.
func FoldName(text string) []rune {
	var out []rune
	for i := 0; i < len(text); {
		_, n := utf8.DecodeRuneInString(text[i:])
		out = append(out, foldOne(text[i:i+n])...)
		i += n
	}
	return []rune(strings.Join(strings.Fields(string(out)), " "))
}

func foldOne(one string) []rune {
	if len(one) == 1 {
		return []rune{FoldRune(rune(one[0]))}
	}
	var out []rune
	for _, r := range norm.NFD.String(one) {
		switch {
		case Ignorable(r), accent(r):
		case r == 'ß' || r == 'ẞ':
			out = append(out, FoldRune('s'), FoldRune('s'))
		default:
			out = append(out, FoldRune(r))
		}
	}
	return out
}

// Initial returns the first rune of the folded text of one rune, or 0 if folding removes it.
func Initial(one string) rune {
	if len(one) == 1 {
		return FoldRune(rune(one[0]))
	}
	if f := foldOne(one); len(f) > 0 {
		return f[0]
	}
	return 0
}

// PrefixFolded returns how many bytes at the beginning of a text fold to a word, including
// invisible characters after it, or 0 if the text does not begin with it.
func PrefixFolded(text string, word []rune) int {
	at, i := 0, 0
	for at < len(text) {
		r, n := utf8.DecodeRuneInString(text[at:])
		if i > 0 && i < len(word) && word[i] == ' ' && unicode.IsSpace(r) {
			at += len(text[at:]) - len(strings.TrimLeftFunc(text[at:], unicode.IsSpace))
			i++
			continue
		}
		next := foldOne(text[at : at+n])
		if i == len(word) && len(next) > 0 {
			break
		}
		for _, f := range next {
			if i == len(word) || f != word[i] {
				return 0
			}
			i++
		}
		at += n
	}
	if i < len(word) {
		return 0
	}
	return at
}

// FoldRune returns the same rune for all cases of a letter, and for all hyphens,
// apostrophes and spaces.
func FoldRune(r rune) rune {
	switch r {
	case '\u0131': // the dotless i is an i in capitals
		r = 'i'
	case '\u2010', '\u2011', '\u2012', '\u2013', '\u2212':
		return '-'
	case '\u2019', '\u02bc':
		return '\''
	}
	if unicode.IsSpace(r) {
		return ' '
	}
	least := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		least = min(least, f)
	}
	return least
}

// accent reports whether a mark is one that is often left out.
func accent(r rune) bool { return r >= '\u0300' && r <= '\u036f' }

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

package agents

import (
	"unicode"
	"unicode/utf8"
)

// Tokens estimates how many tokens a text has. The estimate is within a fifth of
// the count of current models' vocabularies; older ones need up to twice as many
// for scripts other than Latin.
func Tokens(s string) int {
	sum := 0
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		k := classOf(r)
		n, accents := 1, 0
		if k == latin && r >= utf8.RuneSelf {
			accents++
		}
		for before := r; k.grouped(); n++ {
			if k == latin && size < len(s) && 'a' <= s[size] && s[size] <= 'z' { // most of most texts
				before, size = rune(s[size]), size+1
				continue
			}
			next, more := utf8.DecodeRuneInString(s[size:])
			if more == 0 || classOf(next) != k || k == latin && unicode.IsUpper(next) && unicode.IsLower(before) {
				break
			}
			if k == latin && next >= utf8.RuneSelf {
				accents++
			}
			before, size = next, size+more
		}
		sum += k.weight(s[:size], n, accents)
		s = s[size:]
	}
	return (sum + 99) / 100
}

// The tokens of a request besides those of its texts.
const (
	tokensPerRequest = 3
	tokensPerMessage = 4
	tokensPerTool    = 12 // also for a call
)

// count returns the request, which is not changed any more, with the result of Tokens:
// a long one is not counted again by each that needs it.
func (r Request) count() Request {
	r.tokens = r.Tokens()
	return r
}

// Tokens estimates how many tokens the request has.
func (r Request) Tokens() int {
	if r.tokens > 0 {
		return r.tokens
	}
	n := tokensPerRequest + Tokens(string(r.Schema)) + ToolTokens(r.Tools)
	for _, m := range r.Messages {
		n += tokensPerMessage + Tokens(m.Text)
		for _, c := range m.Calls {
			n += tokensPerTool + Tokens(c.Name) + Tokens(c.Args)
		}
	}
	return n
}

// ToolTokens estimates how many tokens the descriptions of tools have.
func ToolTokens(tools []ToolSpec) int {
	n := 0
	for _, t := range tools {
		n += tokensPerTool + Tokens(t.Name) + Tokens(t.Description) + Tokens(string(t.Schema))
	}
	return n
}

// runeClass classifies characters by how vocabularies split them.
type runeClass int

const (
	latin runeClass = iota // letters; a new word begins at a capital in camelCase
	greek                  // and Cyrillic
	digit
	lineEnd
	space
	punct
	han
	kana
	hangul
	emoji
	joiner // joins emoji to one
	letter // of any other script
	symbol
)

// grouped reports whether a run of the class is weighed as a whole.
func (k runeClass) grouped() bool { return k <= space }

// weight returns the size of a run in hundredths of a token. The weights are fitted
// to counts of the o200k vocabulary for prose in thirty languages, source code and
// Markdown.
func (k runeClass) weight(run string, runes, accents int) int {
	switch k {
	case latin:
		return 87 + 42*max(0, runes-6) + 70*accents
	case greek:
		return 155 + 5*max(0, runes-4)
	case digit:
		return 140 * ((runes + 2) / 3)
	case lineEnd:
		return 135
	case space:
		if run == " " { // part of the word that follows
			return 0
		}
		return 95
	case punct:
		return 48
	case han:
		return 68
	case kana:
		return 73
	case hangul:
		return 66
	case emoji:
		return 200
	case joiner:
		return 120
	case letter:
		return 170
	default:
		return 125
	}
}

func classOf(r rune) runeClass {
	switch {
	case r >= utf8.RuneSelf:
		return classOfNonASCII(r)
	case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z':
		return latin
	case r >= '0' && r <= '9':
		return digit
	case r == '\n' || r == '\r':
		return lineEnd
	case r == ' ' || r == '\t':
		return space
	default:
		return punct
	}
}

func classOfNonASCII(r rune) runeClass {
	switch {
	case unicode.Is(unicode.Latin, r), unicode.Is(unicode.Mn, r) && r < 0x370:
		return latin
	case unicode.In(r, unicode.Greek, unicode.Cyrillic):
		return greek
	case unicode.Is(unicode.Han, r):
		return han
	case unicode.In(r, unicode.Hiragana, unicode.Katakana), r == 'ー':
		return kana
	case unicode.Is(unicode.Hangul, r):
		return hangul
	case r == 0x200d, r == 0x20e3, r >= 0xfe00 && r <= 0xfe0f, r >= 0x1f3fb && r <= 0x1f3ff:
		return joiner
	case r >= 0x1f000 && r <= 0x1ffff, r >= 0x2600 && r <= 0x27bf, r >= 0x2b00 && r <= 0x2bff, r >= 0x2300 && r <= 0x23ff:
		return emoji
	case unicode.IsLetter(r), unicode.IsMark(r):
		return letter
	default:
		return symbol
	}
}

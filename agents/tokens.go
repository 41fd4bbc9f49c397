package agents

import (
	"unicode"
	"unicode/utf8"
)

// Tokens estimates how many tokens a text is: within a fifth of what the
// vocabularies of current models make of it. Older ones need up to twice as
// many for scripts other than Latin.
func Tokens(s string) int {
	sum := 0
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		k := kindOf(r)
		n, accents := 1, 0
		if k == latin && r >= utf8.RuneSelf {
			accents++
		}
		for before := r; k.runs(); n++ {
			next, more := utf8.DecodeRuneInString(s[size:])
			if more == 0 || kindOf(next) != k || k == latin && unicode.IsUpper(next) && unicode.IsLower(before) {
				break
			}
			if k == latin && next >= utf8.RuneSelf {
				accents++
			}
			before, size = next, size+more
		}
		sum += k.weigh(s[:size], n, accents)
		s = s[size:]
	}
	return (sum + 99) / 100
}

// Tokens that a request has besides those of its texts.
const (
	perRequest = 3
	perMessage = 4
	perTool    = 12 // also of a call
)

// Tokens estimates what the request is to the model that reads it.
func (r Request) Tokens() int {
	n := perRequest + Tokens(string(r.Schema)) + ToolTokens(r.Tools)
	for _, m := range r.Messages {
		n += perMessage + Tokens(m.Text)
		for _, c := range m.Calls {
			n += perTool + Tokens(c.Name) + Tokens(c.Args)
		}
	}
	return n
}

// ToolTokens estimates what the descriptions of tools add to a request.
func ToolTokens(tools []ToolSpec) int {
	n := 0
	for _, t := range tools {
		n += perTool + Tokens(t.Name) + Tokens(t.Description) + Tokens(string(t.Schema))
	}
	return n
}

// kind sorts characters by how vocabularies treat them.
type kind int

const (
	latin kind = iota // letters; a hump of camelCase is a word of its own
	greek             // and Cyrillic
	digit
	lineEnd
	space
	punct
	han
	kana
	hangul
	emoji
	joiner // makes one picture of several
	letter // of any other script
	symbol
)

// runs reports whether a run of that kind is weighed as a whole.
func (k kind) runs() bool { return k <= space }

// weigh returns hundredths of a token. The weights are fitted to counts of the
// o200k vocabulary over prose in thirty languages, source code and Markdown.
func (k kind) weigh(run string, runes, accents int) int {
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

func kindOf(r rune) kind {
	switch {
	case r >= utf8.RuneSelf:
		return foreign(r)
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

func foreign(r rune) kind {
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

package agents

import (
	"cmp"
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
		for before := r; k <= space; n++ {
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

// Tokens of a request that are not part of its texts.
const (
	tokensPerRequest = 3
	tokensPerMessage = 4
	tokensPerTool    = 12 // also for a call
)

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
	syllable // of Chinese, Japanese and Korean
	letter   // of any other script
	symbol   // and emoji
)

var weights = [...]int{punct: 48, syllable: 69, letter: 170, symbol: 125}

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
	default:
		return weights[k]
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
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul), r == 'ー':
		return syllable
	case unicode.IsLetter(r), unicode.IsMark(r):
		return letter
	default:
		return symbol
	}
}

// DefaultWindow is the context window of a model that is not known. Nearly every
// model that is served today has a larger one.
const DefaultWindow = 32_768

// Window returns the context window of the speaker's model in tokens: as configured or told by
// its server or the catalog, or else DefaultWindow, for which known is false.
func (p Profile) Window() (tokens int, known bool) {
	return cmp.Or(p.ContextWindow, DefaultWindow), p.ContextWindow > 0
}

// Bounds of the prompt and of the answer of a speaker without max_tokens.
const (
	defaultOutput  = 4_096
	minPromptShare = 4 // 1/minPromptShare of the window is always left for the prompt
)

// MaxPromptTokens returns how many tokens a prompt of the speaker may have, so that
// prompt and answer together stay within a share of the window.
func (p Profile) MaxPromptTokens(share float64) int {
	window, _ := p.Window()
	out := p.MaxTokens
	if out == 0 {
		out = min(defaultOutput, window/minPromptShare)
	}
	return max(int(share*float64(window))-out, window/minPromptShare)
}

// PromptCut says that a server read a prompt only in part.
type PromptCut struct {
	Server   string `json:"server"`           // a name for the user
	Read     int    `json:"read"`             // tokens
	Estimate int    `json:"estimate"`         // tokens of the whole prompt
	Remedy   string `json:"remedy,omitempty"` // a sentence
}

// Worse returns the one of two cuts that lost more.
func (c *PromptCut) Worse(o *PromptCut) *PromptCut {
	if c == nil || o != nil && o.Estimate-o.Read > c.Estimate-c.Read {
		return o
	}
	return c
}

// MinWindow is a number of tokens that every server reads, whatever its window.
const MinWindow = 512

// LowCount reports whether a server counted too few tokens for a whole prompt. Some servers
// leave out of the count what they took from their cache.
func LowCount(estimate, counted, cached int) bool {
	least := 0.6 * float64(estimate) // less is too little for any vocabulary
	return counted > 0 && float64(counted) < least && (cached == 0 || float64(counted+cached) < least)
}

package agents

import (
	"cmp"
	"unicode"
	"unicode/utf8"
)

// Tokens estimates how many tokens a text has. For current models the estimate is within a fifth,
// rather above than below; older ones need up to twice as many for scripts other than Latin.
func Tokens(s string) int { return (Weight(s) + 99) / 100 }

// Weight is Tokens in hundredths of a token, which those of the parts of a text add up to.
func Weight(s string) int {
	sum := 0
	for _, r := range s {
		sum += weight(r)
	}
	return sum
}

// weight returns the size of a character in hundredths of a token, fitted to counts of the o200k
// vocabulary for prose, source code and Markdown.
func weight(r rune) int {
	switch {
	case r == ' ' || r == '\t':
		return 8
	case r == '\n' || r == '\r':
		return 100
	case 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z':
		return 24
	case '0' <= r && r <= '9':
		return 50
	case r < utf8.RuneSelf || unicode.Is(unicode.Latin, r):
		return 60
	case unicode.In(r, unicode.Greek, unicode.Cyrillic):
		return 27
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul), r == 'ー':
		return 69
	}
	return 175 // letters of other scripts, marks, symbols and emoji
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

const lowCount = 0.6 // of the estimate: less is too little for any vocabulary

// LowCount reports whether a server counted too few tokens for a whole prompt. Some servers
// leave out of the count what they took from their cache.
func LowCount(estimate, counted, cached int) bool {
	least := lowCount * float64(estimate)
	return counted > 0 && float64(counted) < least && (cached == 0 || float64(counted+cached) < least)
}

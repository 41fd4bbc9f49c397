package agents

import "strings"

// DefaultWindow is taken for a model of which nothing is known: what fits into
// it fits into nearly every model that is served today.
const DefaultWindow = 32_768

// windows are the tokens that hosted models read, by the beginnings of their
// names, as their providers' pages said in the autumn of 2025. Models that people
// serve themselves are not here: what they read is what their server was told.
var windows = []struct {
	prefix string
	tokens int
}{
	{"claude-", 200_000},
	{"codestral", 256_000},
	{"command-a", 256_000},
	{"command-r", 128_000},
	{"deepseek-chat", 128_000},
	{"deepseek-reasoner", 128_000},
	{"gemini-1.5-pro", 2_097_152},
	{"gemini-", 1_048_576},
	{"gpt-3.5-turbo", 16_385},
	{"gpt-4", 8_192},
	{"gpt-4-turbo", 128_000},
	{"gpt-4.1", 1_047_576},
	{"gpt-4o", 128_000},
	{"gpt-5", 400_000},
	{"grok-3", 131_072},
	{"grok-4", 256_000},
	{"llama-3.1-8b-instant", 131_072},
	{"llama-3.3-70b-versatile", 131_072},
	{"mistral-large", 128_000},
	{"mistral-medium", 128_000},
	{"mistral-small", 128_000},
	{"o1", 200_000},
	{"o1-mini", 128_000},
	{"o3", 200_000},
	{"o4-mini", 200_000},
	{"qwen-max", 32_768},
	{"qwen-plus", 131_072},
}

// Window returns how many tokens the speaker's model reads and writes at most:
// as configured, else as published for the model, else DefaultWindow, of which
// known is false.
func (p Profile) Window() (tokens int, known bool) {
	if p.ContextWindow > 0 {
		return p.ContextWindow, true
	}
	name := strings.ToLower(p.Model)
	name = name[strings.LastIndexByte(name, '/')+1:] // routers put the maker in front
	best := ""
	for _, w := range windows {
		if strings.HasPrefix(name, w.prefix) && len(w.prefix) > len(best) {
			best, tokens = w.prefix, w.tokens
		}
	}
	if best == "" {
		return DefaultWindow, false
	}
	return tokens, true
}

// Output bounds of a speaker that has none of its own.
const (
	defaultOutput = 4_096
	leastPrompt   = 4 // a prompt may always take this part of the window
)

// Room returns how many tokens a prompt of the speaker may take, so that prompt
// and answer together stay within a share of the window.
func (p Profile) Room(share float64) int {
	window, _ := p.Window()
	out := p.MaxTokens
	if out == 0 {
		out = min(defaultOutput, window/leastPrompt)
	}
	return max(int(share*float64(window))-out, window/leastPrompt)
}

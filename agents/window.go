package agents

import "strings"

// DefaultWindow is the context window of a model that is not known. Nearly every
// model that is served today has a larger one.
const DefaultWindow = 32_768

// windows are the context windows of hosted models by the beginnings of their names,
// as published by their providers in the autumn of 2025. Models that people serve
// themselves are left out, since their windows are set at the server.
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

// Window returns the context window of the speaker's model in tokens: as configured,
// or else as published, or else DefaultWindow, for which known is false.
func (p Profile) Window() (tokens int, known bool) {
	if p.ContextWindow > 0 {
		return p.ContextWindow, true
	}
	name := strings.ToLower(p.Model)
	name = name[strings.LastIndexByte(name, '/')+1:] // routers put the maker before it
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

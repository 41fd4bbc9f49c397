package agents

import "slices"

// Room of the answer to an auxiliary request: a summary, an analysis, lists, or the JSON
// block of a statement. A model that thinks takes its thinking from it.
const (
	roomFactor = 4     // times the text that is wanted
	minRoom    = 2_000 // tokens
)

// ForAuxiliary returns the profile that is asked for a text of about so many tokens beside
// the debate: with the lowest effort that its model is known to have, and with room for
// thoughts. A higher max_tokens of its own holds, and prompt and answer stay within a known
// window. A program with a loop of its own takes neither.
func (p Profile) ForAuxiliary(wanted int, msgs []Message) Profile {
	if p.Loop {
		return p
	}
	// Servers with efforts know "low", and only some a lower one. Without an effort, or with one
	// in words of the server's own, nothing is known of what the model takes.
	if slices.Contains([]string{"medium", "high", "xhigh", "max"}, p.ReasoningEffort) {
		p.ReasoningEffort = "low"
	}
	p.MaxTokens = max(roomFactor*wanted, minRoom, p.MaxTokens)
	if window, known := p.Window(); known {
		const margin = 125 // of a window a prompt takes at most so much of its estimate, in percent
		left := window - Request{Messages: msgs}.Tokens()*margin/100
		p.MaxTokens = min(p.MaxTokens, max(left, wanted))
	}
	return p
}

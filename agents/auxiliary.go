package agents

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
	p.ReasoningEffort = lowestEffort(p.ReasoningEffort)
	room := max(roomFactor*wanted, minRoom, p.MaxTokens)
	p.MaxTokens = min(room, max(p.mostRoom(Request{Messages: msgs}), wanted))
	return p
}

// lowestEffort returns the lowest effort of a model that has the given one: servers with
// efforts know "low", and only some a lower one. Without an effort, or with one in words
// of the server's own, nothing is known of what the model takes.
func lowestEffort(configured string) string {
	switch configured {
	case "medium", "high", "xhigh", "max":
		return "low"
	}
	return configured
}

// estimateMargin is how much of a window a prompt takes at most, in percent of its estimate.
const estimateMargin = 125

func (p Profile) mostRoom(req Request) int {
	const unlimited = 1 << 30
	window, known := p.Window()
	if !known {
		return unlimited
	}
	return window - req.Tokens()*estimateMargin/100
}

package report

import (
	"roundtable/debate"
	"roundtable/debate/prompt"
	"roundtable/internal/text"
)

// EndQuestion asks whether to end a debate now, and says what comes of it; running says
// whether a round is under way.
func EndQuestion(s debate.Session, running bool) string {
	_, chair := prompt.LikelyChair(s)
	var ids []string
	for _, r := range s.Unanswered() {
		ids = append(ids, r.ID)
	}
	who := text.List(ids)
	if len(ids) > 3 {
		who = text.Count(len(ids), "required request")
	}
	switch {
	case !chair && running:
		return "End now? Nobody has answered yet. Unfinished answers are cut off, and no chair writes a verdict."
	case !chair:
		return "End now? Nobody has answered, so no chair writes a verdict."
	case running:
		return "End now? Unfinished answers are cut off, and the chair writes the verdict without them."
	case len(ids) > 0:
		return "End now? " + who + text.Inflect(len(ids), " stays", " stay") + " unanswered, and the chair writes the verdict without " +
			text.Inflect(len(ids), "it.", "them.")
	}
	return "End now? The chair writes the verdict."
}

package demo

import (
	"cmp"
	"slices"
	"strings"
)

var (
	followUpLine = lazyRegexp(`(?s)The user asks:\n(.+)\n\nAnswer it now\.`)
	memberLine   = lazyRegexp(`You were a member \(seat \d+, `)
)

// followUp returns the answer to a follow-up question: what the verdict says, or the
// position of the member that is asked.
func followUp(p prompt) string {
	conclusion, why := p.result()
	start := fill(key("follow-up", "chair"), "conclusion", conclusion, "why", why)
	if memberLine().MatchString(p.system) {
		start = key("follow-up", "silent")
		for _, s := range slices.Backward(p.statements()) {
			if s.own {
				start = fill(key("follow-up", "member"), "position", cmp.Or(s.position, conclusion+"."))
				break
			}
		}
	}
	fact := key("follow-up", "no fact")
	for _, f := range p.facts() {
		if f.answered {
			fact = fill(key("follow-up", "fact"), "id", f.id, "answer", f.answer)
			break
		}
	}
	question := clip(strings.Join(strings.Fields(lastMatch(followUpLine(), p.user)), " "))
	return fill(text("follow-up"), "start", start, "fact", fact, "question", question, "note", text("note"))
}

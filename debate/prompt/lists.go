package prompt

import (
	"fmt"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
)

func ListMessages(s debate.Session, lists []debate.List) []agents.Message {
	shape := make([]string, len(lists))
	for i, l := range lists {
		shape[i] = fmt.Sprintf(`"%s": ["...", "..."]`, l)
	}
	return []agents.Message{
		{Role: agents.System, Text: "You prepare a structured debate. You take no side and answer nothing of the question itself."},
		{Role: agents.User, Text: fmt.Sprintf("The question of the debate, which has %d members:\n%s\n\n%s\n\nAnswer with one JSON object and nothing besides:\n{%s}\nEach list has two to %d entries.",
			len(s.Seats), strings.TrimSpace(s.Topic), strings.TrimSpace(s.Mode.Fill), strings.Join(shape, ", "), debate.MaxListItems)},
	}
}

// DescribeLists shows lists in one line.
func DescribeLists(m debate.Mode, lists []debate.List) string {
	parts := make([]string, len(lists))
	for i, l := range lists {
		parts[i] = fmt.Sprintf("%s %s", l, strings.Join(m.List(l), ", "))
	}
	return strings.Join(parts, "; ")
}

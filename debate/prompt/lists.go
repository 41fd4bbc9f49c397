package prompt

import (
	"fmt"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
)

// listExample returns an example of each list, in JSON.
func listExample(l debate.List) string {
	switch l {
	case debate.OptionsList:
		return `["mend the north pier", "build a new bridge"]`
	case debate.CriteriaList:
		return `["cost over its whole life", "time until it carries traffic"]`
	default:
		return `["bridge engineering", "traffic planning"]`
	}
}

// ListMessages returns the request for a mode's lists.
func ListMessages(s debate.Session, lists []debate.List) []agents.Message {
	shape := make([]string, len(lists))
	for i, l := range lists {
		shape[i] = fmt.Sprintf("%q: %s", l, listExample(l))
	}
	return []agents.Message{
		{Role: agents.System, Text: "You prepare a structured debate. You take no side and answer nothing of the question itself. " +
			"Write in the language of the question."},
		{Role: agents.User, Text: fmt.Sprintf("The question of the debate, which has %d members:\n%s\n\n%s\n\nAnswer with "+
			"one JSON object of the form of this example, which is about another question, and nothing besides:\n{%s}\n"+
			"Each list has two to %d entries.",
			len(s.Seats), strings.TrimSpace(s.Topic), strings.TrimSpace(s.Mode.Fill), strings.Join(shape, ", "), debate.MaxListItems)},
	}
}

// DescribeLists formats lists in one line.
func DescribeLists(m debate.Mode, lists []debate.List) string {
	parts := make([]string, len(lists))
	for i, l := range lists {
		parts[i] = fmt.Sprintf("%s %s", l, strings.Join(m.List(l), ", "))
	}
	return strings.Join(parts, "; ")
}

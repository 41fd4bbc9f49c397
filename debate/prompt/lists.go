package prompt

import (
	"encoding/json"
	"errors"
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

// FillLists returns the mode with the lists that an answer names. It is an error where
// one of them is missing, or has fewer than two entries.
func ReadLists(m debate.Mode, answer string, lists []debate.List) (debate.Mode, error) {
	from, to := strings.IndexByte(answer, '{'), strings.LastIndexByte(answer, '}')
	var members map[string]json.RawMessage
	if from < 0 || to < from || json.Unmarshal([]byte(answer[from:to+1]), &members) != nil {
		return m, errors.New("the answer is no JSON object")
	}
	out := m
	for _, l := range lists {
		items := debate.TidyItems(debate.StringList(members[string(l)]))
		if len(items) < 2 {
			return m, fmt.Errorf("the answer has no %s", l)
		}
		var err error
		if out, err = out.WithList(l, items[:min(len(items), debate.MaxListItems)]); err != nil {
			return m, err
		}
	}
	return out, nil
}

// ListNames shows lists in one line.
func DescribeLists(m debate.Mode, lists []debate.List) string {
	parts := make([]string, len(lists))
	for i, l := range lists {
		parts[i] = fmt.Sprintf("%s %s", l, strings.Join(m.Items(l), ", "))
	}
	return strings.Join(parts, "; ")
}

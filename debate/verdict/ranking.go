package verdict

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/text"
)

// ReadBallot reads a ranking of the others' answers, and notes entries that do not count.
func ReadBallot(s debate.Session, x debate.Response, answers []agents.ID) (order []agents.ID, notes []string) {
	others := slices.DeleteFunc(slices.Clone(answers), func(id agents.ID) bool { return id == x.Turn.Agent })
	for _, entry := range x.Statement.Ranking {
		id := seatNamed(s, entry)
		if !slices.Contains(others, id) || slices.Contains(order, id) {
			notes = append(notes, fmt.Sprintf("%q in its ranking was not counted", text.Head(entry, maxQuotedLength)))
			continue
		}
		order = append(order, id)
	}
	if left := len(others) - len(order); left > 0 {
		notes = append(notes, fmt.Sprintf("its ranking leaves out %d of the answers", left))
	}
	return order, notes
}

// listNumber is a list number in front of an entry, such as "1." or "2)".
var listNumber = regexp.MustCompile(`^\s*\d+\s*[.):]\s+`)

// seatNamed returns the member named by label, name, id or number, or with its label first; "" for none.
func seatNamed(s debate.Session, entry string) agents.ID {
	word := text.Fold(strings.Trim(listNumber.ReplaceAllString(entry, ""), " \t#.:()[]*\"'`"))
	begins := agents.ID("")
	for i, p := range s.Seats {
		label := text.Fold(s.PromptName(p.ID))
		if slices.Contains([]string{label, text.Fold(p.Name), text.Fold(string(p.ID)), strconv.Itoa(i + 1)}, word) {
			return p.ID
		}
		if rest, ok := strings.CutPrefix(word, label); ok && s.Mode.Label != "" && strings.Trim(rest[:1], "0123456789") != "" {
			begins = p.ID
		}
	}
	return begins
}

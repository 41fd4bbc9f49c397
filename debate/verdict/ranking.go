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

// ReadBallot reads a ranking of the others' answers. Entries that do not count are
// noted: those that name nobody, several members, the member itself, or one for the
// second time.
func ReadBallot(s debate.Session, x debate.Response, answers []agents.ID) (order []agents.ID, notes []string) {
	for _, entry := range x.Statement.Ranking {
		named := text.Head(entry, maxQuotedLength)
		switch ids := namedSeats(s, entry); {
		case len(ids) > 1:
			notes = append(notes, fmt.Sprintf("%q in its ranking names more than one seat", named))
		case len(ids) == 0 || !slices.Contains(answers, ids[0]) && ids[0] != x.Turn.Agent:
			notes = append(notes, fmt.Sprintf("%q in its ranking is no seat's answer", named))
		case ids[0] == x.Turn.Agent:
			notes = append(notes, "its own answer in its ranking was not counted")
		case slices.Contains(order, ids[0]):
			notes = append(notes, fmt.Sprintf("%q is in its ranking twice; the first counts", named))
		default:
			order = append(order, ids[0])
		}
	}
	left := len(answers) - len(order)
	if slices.Contains(answers, x.Turn.Agent) {
		left--
	}
	if left > 0 {
		notes = append(notes, fmt.Sprintf("its ranking leaves out %d of the answers", left))
	}
	return order, notes
}

// listNumber is a list number in front of an entry, such as "1." or "2)".
var listNumber = regexp.MustCompile(`^\s*\d+\s*[.):]\s+`)

// namedSeats returns the members that an entry names: by label, else name or id, else a bare number.
func namedSeats(s debate.Session, entry string) []agents.ID {
	entry = listNumber.ReplaceAllString(entry, "")
	if ids := labelledSeats(s, entry); len(ids) > 0 {
		return ids
	}
	word := strings.Trim(entry, " \t#.:()[]*\"'`")
	for i, p := range s.Seats {
		if text.Fold(word) == text.Fold(p.Name) || strings.EqualFold(word, string(p.ID)) || word == strconv.Itoa(i+1) {
			return []agents.ID{p.ID}
		}
	}
	return nil
}

// labelledSeats returns the members named by the mode's label; "" is one that does not exist.
func labelledSeats(s debate.Session, entry string) []agents.ID {
	if s.Mode.Label == "" {
		return nil
	}
	pattern := regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(s.Mode.Label) + `[\s\-_#.:]*(\d+)`)
	var ids []agents.ID
	for _, m := range pattern.FindAllStringSubmatch(entry, -1) {
		var id agents.ID
		if n, err := strconv.Atoi(m[1]); err == nil && n >= 1 && n <= len(s.Seats) {
			id = s.Seats[n-1].ID
		}
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

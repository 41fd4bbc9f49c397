package verdict

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

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

// listNumber is a list number in front of an entry, such as "1.", "1st:" or "first place -".
var listNumber = regexp.MustCompile(`(?i)^\s*(?:#\s*\d+\s*[.:)\-–—]?|\(?\d+\s*[.):]|\d+(?:st|nd|rd|th)(?:\s+place)?\s*[.:)\-–—]?|` +
	`(?:first|second|third|fourth|fifth|sixth|seventh|eighth|last|best)(?:\s+place)?\s*[.:)\-–—]|\d+\s+[\-–—])\s*`)

// namedSeats returns the members that an entry names: by label, else name or id, else a bare number.
func namedSeats(s debate.Session, entry string) []agents.ID {
	if rest := listNumber.ReplaceAllString(entry, ""); strings.TrimSpace(rest) != "" {
		entry = rest
	}
	if ids := labelledSeats(s, entry); len(ids) > 0 {
		return ids
	}
	var ids []agents.ID
	for _, p := range s.Seats {
		if text.Fold(strings.TrimSpace(entry)) == text.Fold(p.Name) {
			return []agents.ID{p.ID}
		}
	}
	for _, p := range s.Seats {
		if containsWord(entry, p.Name) || containsWord(entry, string(p.ID)) {
			ids = append(ids, p.ID)
		}
	}
	if len(ids) > 0 {
		return ids
	}
	n, err := strconv.Atoi(strings.Trim(entry, " \t#.:()[]*\"'`"))
	if err != nil || n < 1 || n > len(s.Seats) {
		return nil
	}
	return []agents.ID{s.Seats[n-1].ID}
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

func containsWord(content, name string) bool {
	rest, name := text.Fold(content), text.Fold(strings.TrimSpace(name))
	before := ' '
	for name != "" {
		head, tail, found := strings.Cut(rest, name)
		if !found {
			return false
		}
		if head != "" {
			before, _ = utf8.DecodeLastRuneInString(head)
		}
		after, size := utf8.DecodeRuneInString(tail)
		if !text.InWord(before) && (size == 0 || !text.InWord(after)) {
			return true
		}
		before, _ = utf8.DecodeLastRuneInString(name)
		rest = tail
	}
	return false
}

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

// Results returns the results of the ballots of the last round up to the given one in which
// they were held, nil if none was.
func Results(s debate.Session, round int) *debate.Results {
	var out debate.Results
	for i := range s.History[:min(round, len(s.History))] {
		r := s.History[i]
		for _, p := range append([]debate.Phase{s.Mode.Phase("")}, s.Mode.Phases...) {
			if p.Asks == debate.AsksRanking && heldBy(s, r, p.Name, s.SeatIDs()) {
				out.Ranking = rankingOf(s, r, p.Name)
			}
		}
	}
	if out == (debate.Results{}) {
		return nil
	}
	return &out
}

func responsesInPhase(s debate.Session, r debate.Round, phase string) []debate.Response {
	var out []debate.Response
	latest := r.Latest()
	for _, p := range s.Seats {
		for _, x := range latest {
			if x.Turn.Agent == p.ID && x.Phase == phase && x.HasStatement() {
				out = append(out, x)
			}
		}
	}
	return out
}

// rankingOf counts the ballots of a phase, nil if there are none. A ballot without a
// readable entry has an empty order and gives no points.
func rankingOf(s debate.Session, r debate.Round, phase string) *debate.Ranking {
	ballots := responsesInPhase(s, r, phase)
	if len(ballots) == 0 {
		return nil
	}
	out := &debate.Ranking{Round: r.Number, Seed: r.Manifest.Seed, Due: max(len(ballots), dueIn(s, r, phase))}
	var answers []agents.ID
	for _, x := range responsesInPhase(s, r, "") {
		answers = append(answers, x.Turn.Agent)
		out.Places = append(out.Places, debate.Place{Agent: x.Turn.Agent})
	}
	for _, x := range ballots {
		order, _ := ReadBallot(s, x, answers)
		out.Ballots = append(out.Ballots, debate.Ballot{Agent: x.Turn.Agent, Order: order})
		best := len(answers) - 1
		if slices.Contains(answers, x.Turn.Agent) {
			best--
		}
		for i := range out.Places {
			if len(order) > 0 && out.Places[i].Agent != x.Turn.Agent {
				out.Places[i].Stood++
			}
		}
		for i, id := range order {
			index := slices.IndexFunc(out.Places, func(p debate.Place) bool { return p.Agent == id })
			out.Places[index].Points += best - i
			if i == 0 {
				out.Places[index].Firsts++
			}
		}
	}
	slices.SortStableFunc(out.Places, func(a, b debate.Place) int { return comparePlaces(b, a) })
	for i := range out.Places {
		switch {
		case out.Places[i].Stood == 0:
		case i > 0 && comparePlaces(out.Places[i], out.Places[i-1]) == 0:
			out.Places[i].Place = out.Places[i-1].Place
		default:
			out.Places[i].Place = i + 1
		}
	}
	return out
}

// comparePlaces compares two answers by their points per ballot on which they could stand.
func comparePlaces(a, b debate.Place) int {
	if a.Stood == 0 || b.Stood == 0 {
		return a.Stood - b.Stood
	}
	return a.Points*b.Stood - b.Points*a.Stood
}

func dueIn(s debate.Session, r debate.Round, phase string) int {
	seats := map[agents.ID]bool{}
	for _, step := range s.Mode.Steps(seatsIn(s, r), r.Number, max(r.Manifest.Rounds, r.Number)) {
		for _, id := range step.Seats {
			seats[id] = seats[id] || step.Phase == phase
		}
	}
	n := 0
	for _, due := range seats {
		if due {
			n++
		}
	}
	return n
}

func readableBallots(r debate.Ranking) int {
	n := 0
	for _, b := range r.Ballots {
		if len(b.Order) > 0 {
			n++
		}
	}
	return n
}

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

// listNumber is a list number in front of an entry, such as "1.", "1st:", "#1" or
// "first place -".
var listNumber = regexp.MustCompile(`(?i)^\s*(?:#\s*\d+\s*[.:)\-–—]?|\(?\d+\s*[.):]|\d+(?:st|nd|rd|th)(?:\s+place)?\s*[.:)\-–—]?|` +
	`(?:first|second|third|fourth|fifth|sixth|seventh|eighth|last|best)(?:\s+place)?\s*[.:)\-–—]|\d+\s+[\-–—])\s*`)

// namedSeats returns the members that an entry names: by the mode's label, or else by
// name or id, or else by a bare number.
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

// labelledSeats returns the members that are named by the mode's label, each once; "" is
// a member that does not exist.
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
	content, name = text.Fold(content), text.Fold(strings.TrimSpace(name))
	if name == "" {
		return false
	}
	for at := 0; ; {
		i := strings.Index(content[at:], name)
		if i < 0 {
			return false
		}
		start, end := at+i, at+i+len(name)
		before, after := []rune(content[:start]), []rune(content[end:])
		if (len(before) == 0 || !text.InWord(before[len(before)-1])) && (len(after) == 0 || !text.InWord(after[0])) {
			return true
		}
		at = start + 1
		for at < len(content) && content[at]&0xc0 == 0x80 {
			at++
		}
	}
}

const maxDecimals = 6

func placesLine(r *debate.Ranking, nameOf func(agents.ID) string) string {
	places := make([]string, len(r.Places))
	for i, p := range r.Places {
		places[i] = fmt.Sprintf("%d. %s, %s on %s", p.Place, nameOf(p.Agent), text.Count(p.Points, "point"), text.Count(p.Stood, "ballot"))
		switch {
		case p.Stood == 0 && p.Place > 0: // of an earlier version
			places[i] = fmt.Sprintf("%d. %s, %d", p.Place, nameOf(p.Agent), p.Points)
		case p.Place == 0:
			places[i] = nameOf(p.Agent) + " could stand on none"
		}
	}
	ballots := text.Count(len(r.Ballots), "ballot")
	if readableBallots(*r) == 0 {
		return fmt.Sprintf("No ranking in round %d: none of %s could be read.", r.Round, ballots)
	}
	return fmt.Sprintf("Ranking of round %d, by points per ballot on which an answer could stand, %d of %s: %s.", r.Round,
		readableBallots(*r), ballots, strings.Join(places, "; "))
}

// ResultLines describes ballots in a sentence. NameOf returns the name of an agent.
func ResultLines(r *debate.Results, nameOf func(agents.ID) string) []string {
	if r == nil || r.Ranking == nil {
		return nil
	}
	return []string{placesLine(r.Ranking, nameOf)}
}

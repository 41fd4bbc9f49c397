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

// rankingOf counts the ballots of a phase; nil where there are none.
func rankingOf(s debate.Session, r debate.Round, phase string) *debate.Ranking {
	ballots := responsesInPhase(s, r, phase)
	if len(ballots) == 0 {
		return nil
	}
	out := &debate.Ranking{Round: r.Number, Seed: r.Manifest.Seed}
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
		for i, id := range order {
			at := slices.IndexFunc(out.Places, func(p debate.Place) bool { return p.Agent == id })
			out.Places[at].Points += best - i
			if i == 0 {
				out.Places[at].Firsts++
			}
		}
	}
	slices.SortStableFunc(out.Places, func(a, b debate.Place) int { return b.Points - a.Points })
	for i := range out.Places {
		out.Places[i].Place = i + 1
		if i > 0 && out.Places[i].Points == out.Places[i-1].Points {
			out.Places[i].Place = out.Places[i-1].Place
		}
	}
	return out
}

var numeral = regexp.MustCompile(`\d+`)

// ReadBallot reads a ranking: the others' answers as it names them, by label, seat or
// name. What it names twice, itself, and what is no answer do not count; notes say so.
func ReadBallot(s debate.Session, x debate.Response, answers []agents.ID) (order []agents.ID, notes []string) {
	for _, entry := range x.Statement.Ranking {
		id := namedSeat(s, entry)
		switch {
		case id == x.Turn.Agent:
			notes = append(notes, "its own answer in its ranking was not counted")
		case id == "" || !slices.Contains(answers, id):
			notes = append(notes, fmt.Sprintf("%q in its ranking is no member's answer", text.Head(entry, maxQuotedLength)))
		case slices.Contains(order, id):
			notes = append(notes, fmt.Sprintf("%q is in its ranking twice; the first counts", text.Head(entry, maxQuotedLength)))
		default:
			order = append(order, id)
		}
	}
	if left := len(answers) - len(order) - countOf(answers, x.Turn.Agent); left > 0 {
		notes = append(notes, fmt.Sprintf("its ranking leaves out %d of the answers", left))
	}
	return order, notes
}

func countOf(ids []agents.ID, id agents.ID) int {
	n := 0
	for _, x := range ids {
		if x == id {
			n++
		}
	}
	return n
}

// namedSeat returns the seat that a text names; "" for none.
func namedSeat(s debate.Session, text string) agents.ID {
	for _, p := range s.Seats {
		if strings.EqualFold(strings.TrimSpace(text), p.Name) || strings.EqualFold(strings.TrimSpace(text), string(p.ID)) {
			return p.ID
		}
	}
	n, err := strconv.Atoi(numeral.FindString(text))
	if err != nil || n < 1 || n > len(s.Seats) {
		return ""
	}
	return s.Seats[n-1].ID
}

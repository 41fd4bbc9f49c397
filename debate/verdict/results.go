package verdict

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
)

// Of returns what the structured parts of the rounds come to, up to the given
// one; nil where no round asked for any. Polls count over all of the rounds: the
// first one is before, the last one after. Of rankings and scores the newest count.
func Of(s debate.Session, round int) *debate.Results {
	var out debate.Results
	polls := PollsOf(s.Mode)
	for i := range s.History[:min(round, len(s.History))] {
		r := s.History[i]
		for _, p := range append([]debate.Phase{s.Mode.Phase("")}, s.Mode.Phases...) {
			switch p.Asks {
			case debate.AsksRanking:
				if got := rankingOf(s, r, p.Name); got != nil {
					out.Ranking = got
				}
			case debate.AsksScores:
				if got := matrixOf(s, r, p.Name); got != nil {
					out.Matrix = got
				}
			case debate.AsksStance, debate.AsksVote:
			}
		}
	}
	if len(polls) == 2 {
		out.Shift = shiftOf(s, s.History[:min(round, len(s.History))], polls[0], polls[1])
	}
	if out == (debate.Results{}) {
		return nil
	}
	return &out
}

// PollsOf names the phases in which votes are cast.
func PollsOf(m debate.Mode) []string {
	var out []string
	for _, p := range m.Phases {
		if p.Asks == debate.AsksVote {
			out = append(out, p.Name)
		}
	}
	return out
}

// inPhase returns what was said in one phase of a round, by seat.
func inPhase(s debate.Session, r debate.Round, phase string) []debate.Response {
	var out []debate.Response
	for _, p := range s.Seats {
		for _, x := range r.Latest() {
			if x.Turn.Agent == p.ID && x.Phase == phase && x.HasStatement() {
				out = append(out, x)
			}
		}
	}
	return out
}

// rankingOf counts the ballots of a phase; nil where there are none.
func rankingOf(s debate.Session, r debate.Round, phase string) *debate.Ranking {
	ballots := inPhase(s, r, phase)
	if len(ballots) == 0 {
		return nil
	}
	out := &debate.Ranking{Round: r.Number, Seed: r.Manifest.Seed}
	var answers []agents.ID
	for _, x := range inPhase(s, r, "") {
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
		id := named(s, entry)
		switch {
		case id == x.Turn.Agent:
			notes = append(notes, "its own answer in its ranking was not counted")
		case id == "" || !slices.Contains(answers, id):
			notes = append(notes, fmt.Sprintf("%q in its ranking is no member's answer", debate.Clipped(entry)))
		case slices.Contains(order, id):
			notes = append(notes, fmt.Sprintf("%q is in its ranking twice; the first counts", debate.Clipped(entry)))
		default:
			order = append(order, id)
		}
	}
	if left := len(answers) - len(order) - occurrences(answers, x.Turn.Agent); left > 0 {
		notes = append(notes, fmt.Sprintf("its ranking leaves out %d of the answers", left))
	}
	return order, notes
}

func occurrences(ids []agents.ID, id agents.ID) int {
	n := 0
	for _, x := range ids {
		if x == id {
			n++
		}
	}
	return n
}

// named returns the seat that a text names; "" for none.
func named(s debate.Session, text string) agents.ID {
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

// shiftOf compares the first poll with the last.
func shiftOf(s debate.Session, history []debate.Round, before, after string) *debate.VoteShift {
	votes := map[agents.ID]*debate.VotePair{}
	for _, r := range history {
		for _, x := range append(inPhase(s, r, before), inPhase(s, r, after)...) {
			v := votes[x.Turn.Agent]
			if v == nil {
				v = &debate.VotePair{Agent: x.Turn.Agent}
				votes[x.Turn.Agent] = v
			}
			switch {
			case x.Phase == after:
				v.After = x.Statement.Stance
			case v.Before == "":
				v.Before = x.Statement.Stance
			}
		}
	}
	if len(votes) == 0 {
		return nil
	}
	out := &debate.VoteShift{Before: map[debate.Stance]int{}, After: map[debate.Stance]int{}}
	for _, p := range s.Seats {
		v := votes[p.ID]
		if v == nil {
			continue
		}
		out.Votes = append(out.Votes, *v)
		if v.Before != "" && v.After != "" {
			out.Before[v.Before]++
			out.After[v.After]++
		}
	}
	out.Shift = out.After[debate.Yes] - out.After[debate.No] - out.Before[debate.Yes] + out.Before[debate.No]
	switch {
	case out.Shift > 0:
		out.Winner = debate.Yes
	case out.Shift < 0:
		out.Winner = debate.No
	}
	return out
}

// matrixOf gathers the scores of a phase; nil where there are none.
func matrixOf(s debate.Session, r debate.Round, phase string) *debate.Matrix {
	out := &debate.Matrix{Round: r.Number, Options: s.Mode.Options, Criteria: s.Mode.Criteria}
	out.Cells = make([]debate.Cell, len(out.Options)*len(out.Criteria))
	scored := false
	for _, x := range inPhase(s, r, phase) {
		for _, sc := range x.Statement.Scores {
			o, c := debate.IndexFold(out.Options, sc.Option), debate.IndexFold(out.Criteria, sc.Criterion)
			if o < 0 || c < 0 {
				continue
			}
			cell := &out.Cells[o*len(out.Criteria)+c]
			if slices.ContainsFunc(cell.Scores, func(m debate.MemberScore) bool { return m.Agent == x.Turn.Agent }) {
				continue
			}
			cell.Scores = append(cell.Scores, debate.MemberScore{Agent: x.Turn.Agent, Score: sc.Score, Reason: sc.Reason})
			scored = true
		}
	}
	if !scored {
		return nil
	}
	totalMatrix(out)
	return out
}

// totalMatrix computes the means, and which option is ahead.
func totalMatrix(m *debate.Matrix) {
	m.Totals = make([]*float64, len(m.Options))
	best, tie := -1, false
	for o := range m.Options {
		var means []float64
		for c := range m.Criteria {
			cell := &m.Cells[o*len(m.Criteria)+c]
			var scores []float64
			for _, sc := range cell.Scores {
				scores = append(scores, sc.Score)
			}
			if cell.Mean = mean(scores); cell.Mean != nil {
				means = append(means, *cell.Mean)
			}
		}
		m.Totals[o] = mean(means)
		switch {
		case m.Totals[o] == nil:
		case best < 0 || *m.Totals[o] > *m.Totals[best]:
			best, tie = o, false
		case *m.Totals[o] == *m.Totals[best]:
			tie = true
		}
	}
	if best >= 0 && !tie {
		m.Best = m.Options[best]
	}
}

// mean rounds to hundredths, so that equal scores tie; nil for no values.
func mean(values []float64) *float64 {
	if len(values) == 0 {
		return nil
	}
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	m := math.Round(100*sum/float64(len(values))) / 100
	return &m
}

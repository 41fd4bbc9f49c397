package debate

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"roundtable/agents"
)

// Results are what the structured parts of a round come to, computed without a
// model. They are stored with the round and with the verdict.
type Results struct {
	Ranking *Ranking   `json:"ranking,omitempty"` // of the round's answers; nil: nobody was asked to rank
	Shift   *VoteShift `json:"shift,omitempty"`   // of the votes before and after; nil: there were none
	Matrix  *Matrix    `json:"matrix,omitempty"`  // of options by criteria; nil: nobody was asked for scores
}

// Ranking is a Borda count: of n answers that a ballot could rank, its first has
// n-1 points and its last none. What a ballot leaves out has no points of it.
type Ranking struct {
	Round   int      `json:"round"`
	Seed    string   `json:"seed"`    // of the orders in which the answers were shown
	Ballots []Ballot `json:"ballots"` // by seat
	Places  []Place  `json:"places"`  // by points
}

// Ballot is one member's ranking of the others.
type Ballot struct {
	Agent agents.ID   `json:"agent"`
	Order []agents.ID `json:"order"` // the best first
}

// Place is where an answer came in a ranking. Equal points share a place.
type Place struct {
	Agent  agents.ID `json:"agent"`
	Place  int       `json:"place"` // from 1
	Points int       `json:"points"`
	Firsts int       `json:"firsts"` // ballots that have it first
}

// VoteShift is how the votes moved between two polls of the same members.
type VoteShift struct {
	Votes  []VotePair     `json:"votes"`  // by seat
	Before map[Stance]int `json:"before"` // of those who voted both times,
	After  map[Stance]int `json:"after"`
	Shift  int            `json:"shift"`            // what yes has gained on no
	Winner Stance         `json:"winner,omitempty"` // the side that gained; "": neither
}

// VotePair is one member's vote before and after; "" where there is none.
type VotePair struct {
	Agent  agents.ID `json:"agent"`
	Before Stance    `json:"before,omitempty"`
	After  Stance    `json:"after,omitempty"`
}

// Matrix is what the members give each option by each criterion.
type Matrix struct {
	Round    int        `json:"round"`
	Options  []string   `json:"options"`
	Criteria []string   `json:"criteria"`
	Cells    []Cell     `json:"cells"`          // option by option, each criterion in turn
	Totals   []*float64 `json:"totals"`         // the mean of each option's cells; nil: it has no score
	Best     string     `json:"best,omitempty"` // the option with the highest total; "": none, or several
}

// Cell is one option by one criterion.
type Cell struct {
	Mean   *float64      `json:"mean"`             // 0..10; nil: no score
	Scores []MemberScore `json:"scores,omitempty"` // by seat
}

// MemberScore is a score with who gave it and why.
type MemberScore struct {
	Agent  agents.ID `json:"agent"`
	Score  float64   `json:"score"`
	Reason string    `json:"reason,omitempty"`
}

// Score is one entry of a statement's matrix.
type Score struct {
	Option    string  `json:"option"`
	Criterion string  `json:"criterion"`
	Score     float64 `json:"score"` // 0..10
	Reason    string  `json:"reason,omitempty"`
}

// Results returns what the structured parts of the rounds come to, up to the given
// one; nil where no round asked for any. Polls count over all of the rounds: the
// first one is before, the last one after. Of rankings and scores the newest count.
func (s Session) Results(round int) *Results {
	var out Results
	polls := pollsOf(s.Mode)
	for i := range s.History[:min(round, len(s.History))] {
		r := s.History[i]
		for _, p := range append([]Phase{s.Mode.phase("")}, s.Mode.Phases...) {
			switch p.Asks {
			case AsksRanking:
				if got := s.ranking(r, p.Name); got != nil {
					out.Ranking = got
				}
			case AsksScores:
				if got := s.matrix(r, p.Name); got != nil {
					out.Matrix = got
				}
			case AsksStance, AsksVote:
			}
		}
	}
	if len(polls) == 2 {
		out.Shift = s.shift(s.History[:min(round, len(s.History))], polls[0], polls[1])
	}
	if out == (Results{}) {
		return nil
	}
	return &out
}

// pollsOf names the phases in which votes are cast.
func pollsOf(m Mode) []string {
	var out []string
	for _, p := range m.Phases {
		if p.Asks == AsksVote {
			out = append(out, p.Name)
		}
	}
	return out
}

// inPhase returns what was said in one phase of a round, by seat.
func (s Session) inPhase(r Round, phase string) []Response {
	var out []Response
	for _, p := range s.Seats {
		for _, x := range r.Latest() {
			if x.Turn.Agent == p.ID && x.Phase == phase && x.said() {
				out = append(out, x)
			}
		}
	}
	return out
}

// ranking counts the ballots of a phase; nil where there are none.
func (s Session) ranking(r Round, phase string) *Ranking {
	ballots := s.inPhase(r, phase)
	if len(ballots) == 0 {
		return nil
	}
	out := &Ranking{Round: r.Number, Seed: r.Manifest.Seed}
	var answers []agents.ID
	for _, x := range s.inPhase(r, "") {
		answers = append(answers, x.Turn.Agent)
		out.Places = append(out.Places, Place{Agent: x.Turn.Agent})
	}
	for _, x := range ballots {
		order, _ := s.ballot(x, answers)
		out.Ballots = append(out.Ballots, Ballot{Agent: x.Turn.Agent, Order: order})
		best := len(answers) - 1
		if slices.Contains(answers, x.Turn.Agent) {
			best--
		}
		for i, id := range order {
			at := slices.IndexFunc(out.Places, func(p Place) bool { return p.Agent == id })
			out.Places[at].Points += best - i
			if i == 0 {
				out.Places[at].Firsts++
			}
		}
	}
	slices.SortStableFunc(out.Places, func(a, b Place) int { return b.Points - a.Points })
	for i := range out.Places {
		out.Places[i].Place = i + 1
		if i > 0 && out.Places[i].Points == out.Places[i-1].Points {
			out.Places[i].Place = out.Places[i-1].Place
		}
	}
	return out
}

var numeral = regexp.MustCompile(`\d+`)

// ballot reads a ranking: the others' answers as it names them, by label, seat or
// name. What it names twice, itself, and what is no answer do not count; notes say so.
func (s Session) ballot(x Response, answers []agents.ID) (order []agents.ID, notes []string) {
	for _, entry := range x.Statement.Ranking {
		id := s.named(entry)
		switch {
		case id == x.Turn.Agent:
			notes = append(notes, "its own answer in its ranking was not counted")
		case id == "" || !slices.Contains(answers, id):
			notes = append(notes, fmt.Sprintf("%q in its ranking is no member's answer", clipped(entry)))
		case slices.Contains(order, id):
			notes = append(notes, fmt.Sprintf("%q is in its ranking twice; the first counts", clipped(entry)))
		default:
			order = append(order, id)
		}
	}
	if left := len(answers) - len(order) - count(answers, x.Turn.Agent); left > 0 {
		notes = append(notes, fmt.Sprintf("its ranking leaves out %d of the answers", left))
	}
	return order, notes
}

func count(ids []agents.ID, id agents.ID) int {
	n := 0
	for _, x := range ids {
		if x == id {
			n++
		}
	}
	return n
}

// named returns the seat that a text names; "" for none.
func (s Session) named(text string) agents.ID {
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

// shift compares the first poll with the last.
func (s Session) shift(history []Round, before, after string) *VoteShift {
	votes := map[agents.ID]*VotePair{}
	for _, r := range history {
		for _, x := range append(s.inPhase(r, before), s.inPhase(r, after)...) {
			v := votes[x.Turn.Agent]
			if v == nil {
				v = &VotePair{Agent: x.Turn.Agent}
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
	out := &VoteShift{Before: map[Stance]int{}, After: map[Stance]int{}}
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
	out.Shift = out.After[Yes] - out.After[No] - out.Before[Yes] + out.Before[No]
	switch {
	case out.Shift > 0:
		out.Winner = Yes
	case out.Shift < 0:
		out.Winner = No
	}
	return out
}

// matrix gathers the scores of a phase; nil where there are none.
func (s Session) matrix(r Round, phase string) *Matrix {
	out := &Matrix{Round: r.Number, Options: s.Mode.Options, Criteria: s.Mode.Criteria}
	out.Cells = make([]Cell, len(out.Options)*len(out.Criteria))
	scored := false
	for _, x := range s.inPhase(r, phase) {
		for _, sc := range x.Statement.Scores {
			o, c := indexFold(out.Options, sc.Option), indexFold(out.Criteria, sc.Criterion)
			if o < 0 || c < 0 {
				continue
			}
			cell := &out.Cells[o*len(out.Criteria)+c]
			if slices.ContainsFunc(cell.Scores, func(m MemberScore) bool { return m.Agent == x.Turn.Agent }) {
				continue
			}
			cell.Scores = append(cell.Scores, MemberScore{x.Turn.Agent, sc.Score, sc.Reason})
			scored = true
		}
	}
	if !scored {
		return nil
	}
	out.total()
	return out
}

// total computes the means, and which option is ahead.
func (m *Matrix) total() {
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

// indexFold finds a name whatever its case and the space around it; -1: it is not there.
func indexFold(list []string, name string) int {
	name = strings.Join(strings.Fields(name), " ")
	return slices.IndexFunc(list, func(s string) bool { return strings.EqualFold(strings.Join(strings.Fields(s), " "), name) })
}

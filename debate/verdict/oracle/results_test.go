package oracle_test

import (
	"fmt"
	"math/big"
	"slices"
)

// ranking is a Borda count of the ballots of a round.
type ranking struct {
	round   int
	due     int           // members who should have ranked
	cast    int           // ballots
	ballots map[int][]int // readable ones: seats, the best first
	points  map[int]int   // of each answer of the round
	stood   map[int]int   // readable ballots on which an answer could stand
	firsts  map[int]int
}

// first returns who has the most points per ballot on which it could stand.
func (r ranking) first() []int {
	var out []int
	var top *big.Rat
	for seat := range 8 {
		if r.stood[seat] == 0 {
			continue
		}
		mean := big.NewRat(int64(r.points[seat]), int64(r.stood[seat]))
		switch {
		case top == nil || mean.Cmp(top) > 0:
			out, top = []int{seat}, mean
		case mean.Cmp(top) == 0:
			out = append(out, seat)
		}
	}
	return out
}

// rank counts the ballots of the last round in which they were held; nil if there are none.
func rank(p panel) *ranking {
	for n := len(p.rounds); n > 0; n-- {
		if !held(p, n, "ranking", everybody(p)) {
			continue
		}
		r := ranking{
			round: n, due: len(p.names),
			ballots: map[int][]int{}, points: map[int]int{}, stood: map[int]int{}, firsts: map[int]int{},
		}
		for seat := range p.names {
			if _, ok := p.spoken(n, "", seat); ok {
				r.points[seat] = 0
			}
		}
		for seat := range p.names {
			t, ok := p.spoken(n, "ranking", seat)
			if !ok {
				continue
			}
			r.cast++
			var order []int
			for _, e := range t.means.ballot {
				_, answered := r.points[e.seat]
				if answered && e.seat != seat && !slices.Contains(order, e.seat) {
					order = append(order, e.seat)
				}
			}
			if len(order) == 0 {
				continue
			}
			r.ballots[seat] = order
			r.firsts[order[0]]++
			others := 0
			for choice := range r.points {
				if choice != seat {
					r.stood[choice]++
					others++
				}
			}
			for place, choice := range order {
				r.points[choice] += others - 1 - place
			}
		}
		if r.cast == 0 {
			return nil
		}
		return &r
	}
	return nil
}

// matrix holds the scores of a round.
type matrix struct {
	round   int
	counted []bool       // by criterion
	means   [][]*big.Rat // by option and criterion, where the criterion counts
	totals  []*big.Rat   // by option; nil if no criterion counts
	missing []string     // cells without any score
	best    string
	tied    []string     // options that share the highest total
	members map[int]bool // seats that scored all options on a criterion
}

// score counts the scores of the last round in which they were held; nil if there are none.
func score(p panel) *matrix {
	round := len(p.rounds)
	for round > 0 && !held(p, round, "", everybody(p)) {
		round--
	}
	if round == 0 || !slices.ContainsFunc(votesOf(p, round), hasScore) {
		return nil
	}
	m := matrix{round: round, members: map[int]bool{}, means: make([][]*big.Rat, len(p.options)), totals: make([]*big.Rat, len(p.options))}
	number := int64(0) // of the criteria that count
	for _, criterion := range p.criteria {
		sums := make([]*big.Rat, len(p.options))
		for i := range sums {
			sums[i] = new(big.Rat)
		}
		members := int64(0)
		for _, t := range votesOf(p, round) {
			if row := rowOf(p, t, criterion); row != nil {
				members++
				m.members[t.seat] = true
				for i := range sums {
					sums[i].Add(sums[i], row[i])
				}
			}
		}
		m.counted = append(m.counted, members > 0)
		if members > 0 {
			number++
		}
		for i := range p.options {
			if members == 0 {
				m.means[i] = append(m.means[i], nil)
				continue
			}
			mean := sums[i].Quo(sums[i], big.NewRat(members, 1))
			m.means[i] = append(m.means[i], mean)
			if m.totals[i] == nil {
				m.totals[i] = new(big.Rat)
			}
			m.totals[i].Add(m.totals[i], mean)
		}
	}
	for _, t := range m.totals {
		if t != nil {
			t.Quo(t, big.NewRat(number, 1))
		}
	}
	m.missing = missingCells(p, round)
	m.tied = highest(p, m.totals)
	if len(m.tied) == 1 && int(2*number) >= len(p.criteria) {
		m.best = m.tied[0]
	}
	return &m
}

func hasScore(t turn) bool {
	return slices.ContainsFunc(t.means.scores, func(s scoreEntry) bool { return s.score != nil })
}

// rowOf returns a member's scores of all options on a criterion; nil if one is missing.
func rowOf(p panel, t turn, criterion string) []*big.Rat {
	var out []*big.Rat
	for _, option := range p.options {
		i := slices.IndexFunc(t.means.scores, func(s scoreEntry) bool {
			return s.option == option && s.criterion == criterion && s.score != nil
		})
		if i < 0 {
			return nil
		}
		out = append(out, t.means.scores[i].score)
	}
	return out
}

func missingCells(p panel, round int) []string {
	var out []string
	for _, criterion := range p.criteria {
		for _, option := range p.options {
			if !slices.ContainsFunc(votesOf(p, round), func(t turn) bool {
				return slices.ContainsFunc(t.means.scores, func(s scoreEntry) bool {
					return s.option == option && s.criterion == criterion && s.score != nil
				})
			}) {
				out = append(out, fmt.Sprintf("%s by %s", option, criterion))
			}
		}
	}
	return out
}

func highest(p panel, totals []*big.Rat) []string {
	var out []string
	var top *big.Rat
	for i, t := range totals {
		switch {
		case t == nil:
		case top == nil || t.Cmp(top) > 0:
			top, out = t, []string{p.options[i]}
		case t.Cmp(top) == 0:
			out = append(out, p.options[i])
		}
	}
	return out
}

// written writes the total of an option with as many decimals as tell different totals
// apart.
func (m matrix) written(option int) string {
	for n := 1; ; n++ {
		apart := true
		for i, a := range m.totals {
			for _, b := range m.totals[:i] {
				apart = apart && (a.Cmp(b) == 0 || rounded(a, n) != rounded(b, n))
			}
		}
		if apart {
			return rounded(m.totals[option], n)
		}
	}
}

func rounded(r *big.Rat, decimals int) string {
	f, _ := r.Float64()
	return fmt.Sprintf("%.*f", decimals, f)
}

func (m matrix) countedCriteria() int {
	n := 0
	for _, c := range m.counted {
		if c {
			n++
		}
	}
	return n
}

// second returns the option with the highest total besides the best.
func (m matrix) second(p panel) string {
	second := ""
	for i, o := range p.options {
		if o != m.best && m.totals[i] != nil && (second == "" || m.totals[i].Cmp(m.totals[slices.Index(p.options, second)]) > 0) {
			second = o
		}
	}
	return second
}

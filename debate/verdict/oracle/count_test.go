package oracle_test

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// vote is a voter's vote with its side.
type vote struct {
	turn
	side
}

// tally is a count of votes.
type tally struct {
	voters    int
	votes     map[string]int
	weights   map[string]int // in hundredths
	sides     []string
	undecided int
	majority  string
	weighted  string
	half      bool     // a side has exactly half of the weight
	median    *big.Rat // of estimates
	low, high float64
	unit      string
	estimates int
	others    int // estimates in other units
	unread    int // votes that cannot be read
	unsure    int // votes for a side without a confidence
}

// answer is what a count says.
func (t tally) answer() string {
	switch {
	case t.median != nil:
		return withUnit(number(t.median), t.unit)
	case t.majority != "":
		return t.majority
	case len(t.sides) > 0:
		return "split"
	default:
		return "undecided"
	}
}

func (t tally) taken() int {
	n := 0
	for _, v := range t.votes {
		n += v
	}
	return n
}

// count counts votes, which are by seat.
func count(p panel, votes []vote) tally {
	t := tally{voters: len(voters(p)), votes: map[string]int{}, weights: map[string]int{}}
	if p.kind == "estimate" {
		return countEstimates(p, t, votes)
	}
	weight := 0
	for _, v := range votes {
		if v.name == "" {
			t.undecided++
			continue
		}
		if t.votes[v.name] == 0 {
			t.sides = append(t.sides, v.name)
		}
		w := v.means.confidence
		if w < 0 {
			w = 50
			t.unsure++
		}
		t.votes[v.name]++
		t.weights[v.name] += w
		weight += w
	}
	slices.SortStableFunc(t.sides, func(a, b string) int { return t.votes[b] - t.votes[a] })
	for _, s := range t.sides {
		if 2*t.votes[s] > t.taken() {
			t.majority = s
		}
		if 2*t.weights[s] > weight {
			t.weighted = s
		}
		t.half = t.half || 2*t.weights[s] == weight
	}
	return t
}

func countEstimates(p panel, t tally, votes []vote) tally {
	units := map[string]int{}
	for _, v := range votes {
		if v.means.estimate != nil {
			units[oneUnit(v.means.estimate.unit)]++
		}
	}
	for _, v := range votes { // the first of the units that most use
		if e := v.means.estimate; e != nil && (t.unit == "" || units[oneUnit(e.unit)] > units[t.unit]) {
			t.unit = oneUnit(e.unit)
		}
	}
	var values []*big.Rat
	for _, v := range votes {
		e := v.means.estimate
		if e == nil || oneUnit(e.unit) != t.unit {
			t.undecided++
			if e != nil {
				t.others++
			}
			continue
		}
		values = append(values, new(big.Rat).SetFloat64(e.value))
		low, high := e.value, e.value
		if e.ranged {
			low, high = min(low, e.low), max(high, e.high)
		}
		if t.estimates == 0 {
			t.low, t.high = low, high
		}
		t.low, t.high = min(t.low, low), max(t.high, high)
		t.estimates++
	}
	if t.estimates == 0 {
		return t
	}
	t.unit = unitName(p, t.unit)
	slices.SortFunc(values, (*big.Rat).Cmp)
	n := len(values)
	t.median = new(big.Rat).Add(values[(n-1)/2], values[n/2])
	t.median.Quo(t.median, big.NewRat(2, 1))
	return t
}

// number writes a number as short as it can be.
func number(r *big.Rat) string {
	f, _ := r.Float64()
	return fmt.Sprint(f)
}

// comparison compares first and last votes.
type comparison struct {
	first, last           int
	blind                 bool
	before, after         tally
	onlyBefore, onlyAfter []int
	both                  []int
	result                string
}

// votesIn returns the votes of a phase in a round that can be read, by seat.
func votesIn(p panel, r reader, round int, phase string) []vote {
	var out []vote
	for _, seat := range voters(p) {
		if t, ok := p.spoken(round, phase, seat); ok && readable(t.means) {
			out = append(out, vote{t, r.read(t.means)})
		}
	}
	return out
}

// readable reports whether a vote says anything about a side.
func readable(m meaning) bool {
	return strings.TrimSpace(m.stance+m.choice) != "" || m.estimate != nil
}

// unreadIn counts the votes of a phase in a round that cannot be read.
func unreadIn(p panel, round int, phase string) int {
	n := 0
	for _, seat := range voters(p) {
		if t, ok := p.spoken(round, phase, seat); ok && !readable(t.means) {
			n++
		}
	}
	return n
}

// oneUnit returns the same text for a week and for weeks.
func oneUnit(unit string) string {
	switch unit = folded(unit); unit {
	case "$":
		return "usd"
	case "week", "month":
		return unit + "s"
	}
	return unit
}

// withUnit returns a number with a unit, which is in the singular after 1.
func withUnit(number, unit string) string {
	if number == "1" {
		unit = strings.TrimSuffix(unit, "s")
	}
	return number + " " + unit
}

// unitName returns how a unit is written: as it was first used with a final s.
func unitName(p panel, unit string) string {
	name := ""
	for n := range p.rounds {
		for _, t := range votesOf(p, n+1) {
			if e := t.means.estimate; e != nil && oneUnit(e.unit) == unit {
				if plural := strings.HasSuffix(e.unit, "s"); name == "" || plural && !strings.HasSuffix(name, "s") {
					name = e.unit
				}
			}
		}
	}
	return name
}

// firstAndLast returns the first and the last votes with their rounds; 0 where there are
// none. Same says that they are the same votes.
func firstAndLast(p panel, r reader) (first, last []vote, from, to int, same bool) {
	m := builtinMode(p.mode, p.old())
	for n := 1; n <= len(p.rounds); n++ {
		if v := votesIn(p, r, n, m.votes); len(v) > 0 {
			if from == 0 {
				first, from = v, n
			}
			last, to = v, n
		}
	}
	if m.poll == "" {
		return first, last, from, to, from == to
	}
	first, from = votesIn(p, r, 1, m.poll), 1
	if len(first) == 0 {
		from = 0
	}
	return first, last, from, to, false
}

// compare compares the votes of those who voted first and last; nil without two votes.
func compare(p panel, r reader) *comparison {
	first, last, from, to, same := firstAndLast(p, r)
	if same || from == 0 || to == 0 {
		return nil
	}
	c := &comparison{first: from, last: to}
	var before, after []vote
	for _, seat := range voters(p) {
		a, voted := find(first, seat)
		b, again := find(last, seat)
		switch {
		case voted && again:
			before, after, c.both = append(before, a), append(after, b), append(c.both, seat)
		case voted:
			c.onlyBefore = append(c.onlyBefore, seat)
		case again:
			c.onlyAfter = append(c.onlyAfter, seat)
		}
	}
	m := builtinMode(p.mode, p.old())
	c.blind = from == 1 && (m.poll != "" || !m.sequential && m.votes == "")
	c.before, c.after = count(p, before), count(p, after)
	x, y := c.before.answer(), c.after.answer()
	switch {
	case 2*len(c.both) < len(voters(p)):
		c.result = "incomparable"
	case x == y:
		c.result = "same"
	case c.before.majority != "" && c.after.majority != "" && anyIncomparable(r, []string{c.before.majority, c.after.majority}),
		(c.before.majority == "" || c.after.majority == "") &&
			anyIncomparable(r, append(slices.Clone(c.before.sides), c.after.sides...)):
		c.result = "relabeled"
	default:
		c.result = "changed"
	}
	return c
}

// anyIncomparable reports whether among sides are two whose meaning nobody compared.
func anyIncomparable(r reader, sides []string) bool {
	for i, a := range sides {
		for _, b := range sides[:i] {
			if a != b && !r.comparable(a, b) {
				return true
			}
		}
	}
	return false
}

func find(votes []vote, seat int) (vote, bool) {
	for _, v := range votes {
		if v.seat == seat {
			return v, true
		}
	}
	return vote{}, false
}

// dissenters returns who voted last for another side than the majority's.
func dissenters(p panel, last []vote) []vote {
	var out []vote
	majority := count(p, last).majority
	for _, v := range last {
		if majority != "" && v.name != "" && v.name != majority {
			out = append(out, v)
		}
	}
	return out
}

// sideOfVoters returns the side that more than half of all voters hold; "" without one.
func sideOfVoters(t tally) string {
	for _, s := range t.sides {
		if 2*t.votes[s] > t.voters {
			return s
		}
	}
	return ""
}

// unstated returns who spoke in the last round and gave neither a position nor an answer.
func unstated(p panel) []int {
	var out []int
	for seat := range p.names {
		spoke, stated := false, false
		for _, t := range p.rounds[len(p.rounds)-1].turns {
			if t.seat != seat || t.failed != "" || t.phase == "ranking" { // a ballot is asked for no position
				continue
			}
			spoke = true
			stated = stated || t.means.position != "" || strings.TrimSpace(t.means.stance) != "" || t.means.choice != "" ||
				t.means.estimate != nil
		}
		if spoke && !stated {
			out = append(out, seat)
		}
	}
	return out
}

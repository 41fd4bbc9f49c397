package oracle_test

import (
	"math/big"
	"slices"
	"strconv"
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
	sides     []string
	undecided int
	majority  string
	median    *big.Rat // of estimates
	low, high float64
	unit      string
	estimates int
	others    int      // estimates in other units
	amounts   []string // estimates without a common unit
	unread    int      // votes that cannot be read
}

// answer is what a count says; "" if it has no answer.
func (t tally) answer() string {
	if t.median != nil {
		return withUnit(t.value(), t.unit)
	}
	return t.majority
}

// value returns the median as a number.
func (t tally) value() float64 {
	f, _ := t.median.Float64()
	return f
}

func (t tally) taken() int {
	n := 0
	for _, v := range t.votes {
		n += v
	}
	return n
}

// count counts votes, which are by seat, of all voters.
func (r reader) count(votes []vote, voters int) tally {
	t := tally{voters: voters, votes: map[string]int{}}
	if r.kind == "estimate" {
		return r.countEstimates(t, votes)
	}
	for _, v := range votes {
		if v.name == "" {
			t.undecided++
			continue
		}
		if t.votes[v.name] == 0 {
			t.sides = append(t.sides, v.name)
		}
		t.votes[v.name]++
	}
	slices.SortStableFunc(t.sides, func(a, b string) int { return t.votes[b] - t.votes[a] })
	for _, s := range t.sides {
		if 2*t.votes[s] > t.voters {
			t.majority = s
		}
	}
	return t
}

func (r reader) countEstimates(t tally, votes []vote) tally {
	units := map[string]int{}
	all := 0
	for _, v := range votes {
		if e := r.figure(v.means); e != nil {
			units[r.oneUnit(e.unit)]++
			all++
		}
	}
	var values []*big.Rat
	for _, v := range votes {
		e := r.figure(v.means)
		if e == nil {
			t.undecided++
			continue
		}
		if unit := r.oneUnit(e.unit); 2*units[unit] <= all {
			t.undecided++
			t.others++
			t.amounts = append(t.amounts, v.name)
			continue
		}
		t.unit = r.unitName(e.unit)
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
	t.amounts = nil
	slices.SortFunc(values, (*big.Rat).Cmp)
	n := len(values)
	t.median = new(big.Rat).Add(values[(n-1)/2], values[n/2])
	t.median.Quo(t.median, big.NewRat(2, 1))
	return t
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
		if t, ok := p.spoken(round, phase, seat); ok && r.readable(t.means) {
			out = append(out, vote{t, r.read(t.means)})
		}
	}
	return out
}

// readable reports whether a vote says anything about a side.
func (r reader) readable(m meaning) bool {
	return strings.TrimSpace(m.stance+m.choice) != "" || r.figure(m) != nil
}

// unreadIn returns whose votes of a phase in a round cannot be read.
func unreadIn(p panel, r reader, round int, phase string) []int {
	var out []int
	for _, seat := range voters(p) {
		if t, ok := p.spoken(round, phase, seat); ok && !r.readable(t.means) {
			out = append(out, seat)
		}
	}
	return out
}

// figure returns the estimate of a vote; nil if it has none, or if it can be two numbers
// and no other figure of the debate tells which.
func (r reader) figure(m meaning) *estimate {
	e := m.estimate
	if e == nil || e.separator == "" {
		return e
	}
	shown := map[string]bool{}
	for n := range r.panel.rounds {
		for _, t := range votesOf(r.panel, n+1) {
			if t.means.estimate != nil {
				for word := range strings.FieldsSeq(t.means.estimate.shows) {
					shown[word] = true
				}
			}
		}
	}
	read := *e
	switch groups, decimal := shown[e.separator+"groups"], shown[e.separator+"decimal"]; {
	case groups == decimal:
		return nil
	case groups:
		read.value = e.other
	}
	return &read
}

// oneUnit returns the same text for all spellings of a unit. No unit is that of all others,
// if they share one.
func (r reader) oneUnit(unit string) string {
	if unit != "" {
		return unitKey(unit)
	}
	if units := r.units(); len(units) > 0 && !slices.ContainsFunc(units, func(u string) bool { return unitKey(u) != unitKey(units[0]) }) {
		return unitKey(units[0])
	}
	return ""
}

// units lists the units of all votes that have one.
func (r reader) units() []string {
	var out []string
	for n := range r.panel.rounds {
		for _, t := range votesOf(r.panel, n+1) {
			if e := r.figure(t.means); e != nil && e.unit != "" {
				out = append(out, e.unit)
			}
		}
	}
	return out
}

func unitKey(unit string) string {
	switch unit = folded(unit); unit {
	case "$":
		return "usd"
	case "€":
		return "eur"
	case "week", "month":
		return unit + "s"
	}
	return unit
}

// unitName returns how a unit is written: as it was first used with a final s, or else as
// it was first used.
func (r reader) unitName(unit string) string {
	name := ""
	for _, u := range r.units() {
		if unitKey(u) != r.oneUnit(unit) {
			continue
		}
		if plural := strings.HasSuffix(u, "s"); name == "" || plural && !strings.HasSuffix(name, "s") {
			name = u
		}
	}
	return name
}

// withUnit returns a number with a unit, which is in the plural but after 1. From 10,000
// on, digits are grouped.
func withUnit(number float64, unit string) string {
	switch key := unitKey(unit); {
	case number == 1:
		unit = strings.TrimSuffix(unit, "s")
	case key == "weeks" || key == "months":
		unit = strings.TrimSuffix(unit, "s") + "s"
	}
	text := strconv.FormatFloat(number, 'f', -1, 64)
	if whole, _, _ := strings.Cut(text, "."); len(whole) > 4 {
		for i := len(whole) - 3; i > 0; i -= 3 {
			text = text[:i] + "," + text[i:]
		}
	}
	return strings.TrimSpace(text + " " + unit)
}

// firstAndLast returns the first votes that can be read and the last that were held, with
// their rounds; 0 where there are none.
func firstAndLast(p panel, r reader) (first, last []vote, from, to int) {
	m := builtinMode(p.mode, p.old())
	for n := 1; n <= len(p.rounds); n++ {
		if held(p, n, m.votes, voters(p)) {
			last, to = votesIn(p, r, n, m.votes), n
			if from == 0 && len(last) > 0 {
				first, from = last, n
			}
		}
	}
	if m.poll == "" {
		return first, last, from, to
	}
	if first, from = votesIn(p, r, 1, m.poll), 1; len(first) == 0 || !held(p, 1, m.poll, voters(p)) {
		first, from = nil, 0
	}
	return first, last, from, to
}

// compare compares the votes of those who voted first and last; nil without two votes.
func compare(p panel, r reader) *comparison {
	m := builtinMode(p.mode, p.old())
	first, last, from, to := firstAndLast(p, r)
	if from == 0 || len(last) == 0 || m.poll == "" && from == to {
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
	c.blind = from == 1 && (m.poll != "" || !m.sequential && m.votes == "")
	c.before, c.after = r.count(before, len(before)), r.count(after, len(after))
	x, y := c.before.answer(), c.after.answer()
	switch {
	case 2*len(c.both) < len(voters(p)), c.before.median != nil && c.after.median != nil && unitKey(c.before.unit) != unitKey(c.after.unit),
		len(c.before.amounts)+len(c.after.amounts) > 0:
		c.result = "incomparable"
	case x == y:
		c.result = "same"
	case x != "" && y != "" && anyIncomparable(r, []string{x, y}),
		(x == "" || y == "") && anyIncomparable(r, append(slices.Clone(c.before.sides), c.after.sides...)):
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
func dissenters(last []vote, majority string) []vote {
	return slices.DeleteFunc(slices.Clone(last), func(v vote) bool { return majority == "" || v.name == "" || v.name == majority })
}

// unstated returns who spoke in the last round and gave neither a position nor an answer.
func unstated(p panel, r reader) []int {
	var out []int
	for seat := range p.names {
		spoke, stated := false, false
		for _, t := range p.rounds[len(p.rounds)-1].turns {
			if t.seat != seat || t.failed != "" || t.phase == "ranking" { // a ballot is asked for no position
				continue
			}
			spoke = true
			stated = stated || t.means.position != "" || r.readable(t.means)
		}
		if spoke && !stated {
			out = append(out, seat)
		}
	}
	return out
}

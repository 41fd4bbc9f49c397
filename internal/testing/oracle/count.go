package oracle

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

func (d *debate) result() Result {
	switch {
	case d.Mode.Kind == "ranking":
		return d.ranking()
	case d.Mode.Kind == "review":
		return d.review()
	case d.Mode.Kind == "critique":
		return d.critique()
	case !d.counted():
		return Result{Kind: "none", Sides: []SideCount{}, Places: []Place{}}
	}
	cells := make([]cell, 0, len(d.free))
	for _, s := range d.free {
		cells = append(cells, d.vote(s))
	}
	return d.count(cells)
}

// count is the result of one vote a seat.
func (d *debate) count(cells []cell) Result {
	res := Result{Of: len(cells), Sides: []SideCount{}, Places: []Place{}}
	var keys []string
	var numbers []float64
	held := map[string]int{}
	for _, o := range d.Question.sides() {
		keys = append(keys, fold(o))
	}
	for _, c := range cells {
		switch {
		case c.state == undecided:
			res.Undecided++
		case c.state == "read" && d.Question.Kind == "estimate":
			numbers = append(numbers, *c.turn.Value)
		case c.state == "read":
			if held[c.key]++; !slices.Contains(keys, c.key) {
				keys = append(keys, c.key)
			}
		}
	}
	if d.Question.Kind == "estimate" {
		return d.estimate(res, numbers)
	}
	for _, k := range keys {
		if held[k] > 0 {
			res.Sides = append(res.Sides, SideCount{d.spelling(k), held[k]})
		}
	}
	slices.SortStableFunc(res.Sides, func(a, b SideCount) int { return b.Count - a.Count })
	switch {
	case len(res.Sides) > 0 && 2*res.Sides[0].Count > res.Of:
		res.Kind, res.Side, res.Count = "side", res.Sides[0].Side, res.Sides[0].Count
	case 2*res.Undecided > res.Of:
		res.Kind, res.Count = undecided, res.Undecided
	case len(res.Sides) > 1:
		res.Kind = "split"
	case len(res.Sides) == 1 || res.Undecided > 0:
		res.Kind = "no_majority"
	default:
		res.Kind = "no_votes"
	}
	return res
}

// spelling returns a side as the first seat of the newest round in which it is held writes it.
func (d *debate) spelling(key string) string {
	for r := d.last; r > 0; r-- {
		for _, s := range d.free {
			if c := d.cell(s, r); c.state == "read" && c.key == key {
				return c.side
			}
		}
	}
	return key
}

func (d *debate) estimate(res Result, numbers []float64) Result {
	slices.Sort(numbers)
	if d.Question.Unit != "none" {
		res.Unit = d.Question.Unit
	}
	n := len(numbers)
	switch {
	case 2*n > res.Of:
		median := (numbers[(n-1)/2] + numbers[n/2]) / 2
		res.Kind, res.Count, res.Median, res.Least, res.Greatest = "estimate", n, &median, &numbers[0], &numbers[n-1]
	case 2*res.Undecided > res.Of:
		res.Kind, res.Count = undecided, res.Undecided
	case n == 0 && res.Undecided == 0:
		res.Kind = "no_votes"
	default:
		res.Kind, res.Count = "no_majority", n
	}
	return res
}

// comparison returns the result of the first votes where it differs from that of the newest, or that it is the same.
func (d *debate) comparison() (*Result, bool) {
	if !d.counted() || d.Question.Kind == "open" {
		return nil, false
	}
	var firsts, newest []cell
	for _, s := range d.free {
		f, n := d.cell(s, 1), d.vote(s)
		if !f.readable() || !n.readable() || n.round == 1 || f.turn.Maker != n.turn.Maker || f.turn.Model != n.turn.Model {
			return nil, false
		}
		firsts, newest = append(firsts, f), append(newest, n)
	}
	was, now := d.count(firsts), d.count(newest)
	differs := was.Kind != now.Kind || was.Side != now.Side
	if d.Question.Kind == "estimate" {
		differs = differs || was.Median != nil && *was.Median != *now.Median
	} else if was.Side == "" {
		differs = differs || held(was) != held(now) || leading(was) != leading(now)
	}
	if differs {
		return &was, false
	}
	return nil, true
}

func held(r Result) string {
	var sides []string
	for _, s := range r.Sides {
		sides = append(sides, s.Side)
	}
	slices.Sort(sides)
	return strings.Join(sides, "\n")
}

// leading returns the side that more hold than any other, "" in a tie.
func leading(r Result) string {
	if len(r.Sides) == 0 || len(r.Sides) > 1 && r.Sides[0].Count == r.Sides[1].Count {
		return ""
	}
	return r.Sides[0].Side
}

func (d *debate) moved() []Moved {
	var moved []Moved
	for _, s := range d.free {
		if d.cell(s, 1).key == d.vote(s).key {
			continue
		}
		m := Moved{Seat: d.Seats[s].ID}
		for _, v := range d.table() {
			if v.Seat == m.Seat && v.By != "" {
				m.By = v.By
			}
		}
		moved = append(moved, m)
	}
	return moved
}

// ballot returns the answers that a seat ranked in a round, if it named each that it was shown once.
func (d *debate) ballot(seat, round int) ([]int, bool) {
	t := d.statement(round, d.main.Name, seat)
	if t == nil {
		return nil, false
	}
	shown := slices.DeleteFunc(d.answers(round), func(s int) bool { return s == seat })
	ballot := slices.Clone(t.Ballot)
	slices.Sort(ballot)
	return t.Ballot, len(shown) > 0 && slices.Equal(shown, ballot)
}

// answers returns the seats whose answer of a round can be ranked.
func (d *debate) answers(round int) []int {
	var seats []int
	for s := range d.Seats {
		if slices.ContainsFunc(d.Mode.Phases, func(p Phase) bool { return !p.Ranks && d.statement(round, p.Name, s) != nil }) {
			seats = append(seats, s)
		}
	}
	return seats
}

func (d *debate) ranking() Result {
	res := Result{Kind: "no_votes", Sides: []SideCount{}, Places: []Place{}, Due: len(d.free), Of: len(d.free)}
	points, firsts := map[int]int{}, map[int]int{}
	for _, s := range d.free {
		ballot, ok := d.ballot(s, d.last)
		if !ok {
			continue
		}
		res.Ballots++
		firsts[ballot[0]]++
		for i, a := range ballot {
			points[a] += len(ballot) - 1 - i
		}
	}
	if res.Count = res.Ballots; res.Ballots == 0 {
		return res
	}
	if res.Kind = "no_majority"; 2*res.Ballots <= res.Due {
		return res
	}
	res.Kind = "ranking"
	answers := d.answers(d.last)
	slices.SortStableFunc(answers, func(a, b int) int { return cmp.Compare(points[b], points[a]) })
	for i, a := range answers {
		place := i + 1
		if i > 0 && points[a] == points[answers[i-1]] {
			place = res.Places[i-1].Place
		}
		res.Places = append(res.Places, Place{d.Seats[a].ID, place, points[a], firsts[a]})
	}
	return res
}

// finding is a defect with who found it and who judged.
type finding struct {
	severities []string
	finders    []int
	yes, no    int
}

func (f *finding) state() string {
	held := len(f.finders) + f.yes
	switch {
	case f.no == 0 && held >= 2:
		return "agreed"
	case f.no == 0:
		return "single"
	case held == 1 && f.no >= 2:
		return "refuted"
	}
	return "disputed"
}

// severity is the median, of an even number the higher middle.
func (f *finding) severity() string {
	order := []string{"low", "medium", "high"}
	ranks := make([]int, 0, len(f.severities))
	for _, s := range f.severities {
		ranks = append(ranks, slices.Index(order, s))
	}
	slices.Sort(ranks)
	return order[ranks[len(ranks)/2]]
}

func (d *debate) findings() []*finding {
	byKey := map[string]*finding{}
	var list []*finding
	for _, s := range d.free {
		if t := d.statement(1, d.main.Name, s); t != nil {
			for _, f := range t.Findings {
				if byKey[f.Key] == nil {
					byKey[f.Key] = &finding{}
					list = append(list, byKey[f.Key])
				}
				if e := byKey[f.Key]; !slices.Contains(e.finders, s) {
					e.finders, e.severities = append(e.finders, s), append(e.severities, f.Severity)
				}
			}
		}
	}
	for _, s := range d.free {
		if t := d.statement(2, d.main.Name, s); t != nil {
			for _, j := range t.Judgements {
				if e := byKey[j.Key]; e != nil && !slices.Contains(e.finders, s) && j.True == "yes" {
					e.yes++
				} else if e != nil && !slices.Contains(e.finders, s) && j.True == "no" {
					e.no++
				}
			}
		}
	}
	return list
}

func (d *debate) review() Result {
	res := Result{Kind: "findings", Of: len(d.free), Sides: []SideCount{}, Places: []Place{}, Findings: &FindingCounts{}}
	for _, s := range d.free {
		if t := d.statement(1, d.main.Name, s); t != nil && t.Findings != nil {
			res.Count++
		}
	}
	n := res.Findings
	for _, f := range d.findings() {
		state := f.state()
		*map[string]*int{"agreed": &n.Agreed, "disputed": &n.Disputed, "single": &n.Single, "refuted": &n.Refuted}[state]++
		if state != "refuted" && f.severity() == "high" {
			n.High++
		}
	}
	return res
}

// concerns returns the critics without readable concerns, and the ids of all concerns with what the author did.
func (d *debate) concerns() (silent []int, ids []string, does map[string]string) {
	does = map[string]string{}
	for s := 1; s < len(d.Seats); s++ {
		read := false
		for r := 1; r <= d.newest; r++ {
			if t := d.statement(r, "concerns", s); t != nil && t.Concerns != nil {
				read = true
				for range t.Concerns {
					ids = append(ids, fmt.Sprintf("H%d", len(ids)+1))
				}
			}
		}
		if !read {
			silent = append(silent, s)
		}
	}
	for _, t := range d.Turns {
		if t.Seat == 0 && t.State == "done" {
			for _, r := range t.Replies {
				does[r.Concern] = r.Does
			}
		}
	}
	return silent, ids, does
}

func (d *debate) critique() Result {
	silent, _, _ := d.concerns()
	text := &Text{Which: "none", Seat: d.Seats[0].ID, Critics: len(d.Seats) - 1 - len(silent)}
	for _, t := range d.Turns {
		if t.Seat == 0 && t.State == "done" && t.Round%2 == 0 {
			text.Which = "final"
		} else if t.Seat == 0 && t.State == "done" && text.Which == "none" {
			text.Which = "draft"
		}
	}
	return Result{Kind: "text", Sides: []SideCount{}, Places: []Place{}, Text: text}
}

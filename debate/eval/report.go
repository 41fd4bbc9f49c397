package eval

import (
	"fmt"
	"math"
	"slices"

	"roundtable/debate"
	"roundtable/debate/statement"
	"roundtable/debate/stats"
)

// Report is what an evaluation came to.
type Report struct {
	Name     string   `json:"name"`
	Panel    string   `json:"panel"`
	Baseline string   `json:"baseline"` // the seat that the panel is compared with
	Summary  string   `json:"summary"`  // the comparison that was named beforehand, in a sentence
	Can      string   `json:"can_show"` // what this number of questions can show
	Read     int      `json:"questions"`
	Bad      []BadRow `json:"unreadable"`
	Groups   []Group  `json:"groups"`
}

// Group is all questions in one mode, with or without facts.
type Group struct {
	Mode    string   `json:"mode"`
	Facts   string   `json:"facts"`
	Played  int      `json:"played"`
	Open    int      `json:"not_played"` // not begun, or not at their end
	Arms    []Arm    `json:"arms"`
	Seats   Shared   `json:"seats"`
	Same    Share    `json:"unanimous"` // questions on which the first votes agreed, right by that vote
	Split   Share    `json:"split"`     // all others, right by the verdict
	Turns   []Turned `json:"turned"`
	Results []Result `json:"results"`

	// Consistency says how often the baseline was asked the same; nil if it was not.
	Consistency *Consistency `json:"consistency,omitempty"`

	// Against is the panel of this group against that of the first one; nil for the first.
	Against *Comparison `json:"against_first,omitempty"`
}

// Share is how many of a number of questions were right.
type Share struct {
	Right int `json:"right"`
	Of    int `json:"of"`
}

// Turned counts the seats whose answer became right or wrong in the debate, by what moved them.
type Turned struct {
	Right bool          `json:"right"`
	By    debate.Change `json:"by"`
	Count int           `json:"count"`
}

// Arm is one way to answer all questions.
type Arm struct {
	Arm  string `json:"arm"`
	Name string `json:"name"`
	Share
	Low  *float64 `json:"low"` // Wilson interval at 95 %; null for fewer than five questions
	High *float64 `json:"high"`

	Grades  map[Grade]int `json:"grades"`
	Dollars *float64      `json:"dollars"` // null: unknown
	Tokens  int           `json:"tokens"`
	P50     float64       `json:"seconds_p50"`
	P90     float64       `json:"seconds_p90"`

	Sure    *Calibration `json:"confidence,omitempty"` // of a seat
	Versus  *Comparison  `json:"versus_baseline,omitempty"`
	Flatter bool         `json:"chosen_afterwards,omitempty"` // the best seat, which was chosen after the results were known
}

// Calibration says how well the confidences that a seat stated fit.
type Calibration struct {
	Stated   int      `json:"stated"`
	Unstated int      `json:"unstated"`
	Brier    *float64 `json:"brier"`          // null for fewer than five
	Sure     int      `json:"above_90"`       // stated above 0.9
	Wrong    int      `json:"above_90_wrong"` // of those
}

// Comparison compares two arms over the questions that neither lost.
type Comparison struct {
	Pairs    int     `json:"pairs"`
	Lost     int     `json:"lost"`
	Right    int     `json:"right"` // of this arm
	Other    int     `json:"other"` // right of the other
	Better   int     `json:"better"`
	Worse    int     `json:"worse"`
	P        float64 `json:"p"`    // McNemar mid-p
	Adjusted bool    `json:"holm"` // P is adjusted for all comparisons that were not named beforehand
}

// Shared says how much the errors of the seats have in common.
type Shared struct {
	Questions int      `json:"questions"` // that none of them lost
	Pairs     int      `json:"pairs"`     // of seats that each were right and wrong at least once
	Of        int      `json:"of_pairs"`
	Rho       *float64 `json:"rho"`       // mean phi of those; null under two pairs or 20 questions
	Effective *float64 `json:"effective"` // independent seats that these are worth
	BothWrong int      `json:"both_wrong"`
	SameWrong int      `json:"same_wrong_answer"`
}

// leastForCorrelation is the least number of questions for a correlation.
const leastForCorrelation = 20

// Seat names a seat of the panel.
type Seat struct{ ID, Name string }

// NewGroup computes the figures of a group.
func NewGroup(mode, facts string, seats []Seat, baseline string, results []Result, open int) Group {
	g := Group{Mode: mode, Facts: facts, Played: len(results), Open: open, Results: results, Arms: []Arm{}}
	for _, n := range append(slices.Clone(seats), commonArms()...) {
		if arm := newArm(n, results); arm.Of+arm.Grades[GradeLost] > 0 {
			if n.ID != baseline && n.ID != ArmCeiling {
				arm.Versus = compare(results, results, n.ID, baseline)
			}
			g.Arms = append(g.Arms, arm)
		}
	}
	g.markBest(min(len(seats), len(g.Arms)), baseline)
	for i, arm := range g.Arms[:min(len(seats), len(g.Arms))] {
		g.Arms[i].Sure = calibration(results, arm.Arm)
	}
	g.Seats = shared(seats, results)
	if g.arm(ArmConsistency) != nil {
		g.Consistency = consistencyOf(results)
	}
	g.countAgreement()
	return g
}

// markBest marks the seats that were right most often, if the baseline was not: they are known
// only now.
func (g *Group) markBest(seats int, baseline string) {
	best := 0.0
	for _, a := range g.Arms[:seats] {
		best = max(best, a.rate())
	}
	if b := g.arm(baseline); b == nil || b.rate() == best {
		return
	}
	for i, a := range g.Arms[:seats] {
		g.Arms[i].Flatter = a.rate() == best
	}
}

// rate returns the share of right answers, 0 of none.
func (s Share) rate() float64 { return float64(s.Right) / float64(max(s.Of, 1)) }

func newArm(n Seat, results []Result) Arm {
	arm := Arm{Arm: n.ID, Name: n.Name, Grades: map[Grade]int{}, Dollars: new(float64)}
	var seconds []float64
	for _, r := range results {
		o, ok := r.Outcome(n.ID)
		if !ok {
			continue
		}
		arm.Grades[o.Grade]++
		arm.Dollars, arm.Tokens = sum(arm.Dollars, o.Dollars), arm.Tokens+o.Tokens
		if o.Grade == GradeLost {
			continue
		}
		arm.Of++
		seconds = append(seconds, o.Seconds)
		if o.Right() {
			arm.Right++
		}
	}
	if arm.Of >= stats.LeastForRate {
		low, high := stats.Wilson(arm.Right, arm.Of)
		arm.Low, arm.High = &low, &high
	}
	arm.P50, arm.P90 = stats.Percentile(seconds, 50), stats.Percentile(seconds, 90)
	return arm
}

// compare compares an arm of some results with an arm of others, over the same questions.
func compare(results, others []Result, arm, other string) *Comparison {
	var c Comparison
	for _, r := range results {
		i := slices.IndexFunc(others, func(o Result) bool { return o.Item.identity() == r.Item.identity() })
		if i < 0 {
			continue
		}
		a, ok := r.Outcome(arm)
		b, both := others[i].Outcome(other)
		switch {
		case !ok || !both:
			continue
		case a.Grade == GradeLost || b.Grade == GradeLost:
			c.Lost++
			continue
		case a.Right() && !b.Right():
			c.Better++
		case !a.Right() && b.Right():
			c.Worse++
		}
		c.Pairs++
		if a.Right() {
			c.Right++
		}
		if b.Right() {
			c.Other++
		}
	}
	c.P = stats.McNemar(c.Better, c.Worse)
	return &c
}

func calibration(results []Result, seat string) *Calibration {
	var c Calibration
	var stated []float64
	var right []bool
	for _, r := range results {
		o, ok := r.Outcome(seat)
		switch {
		case !ok || o.Grade == GradeLost:
		case o.Confidence == nil:
			c.Unstated++
		default:
			stated, right = append(stated, *o.Confidence), append(right, o.Right())
			if *o.Confidence > 0.9 {
				c.Sure++
				if !o.Right() {
					c.Wrong++
				}
			}
		}
	}
	if c.Stated = len(stated); c.Stated >= stats.LeastForRate {
		b := stats.Brier(stated, right)
		c.Brier = &b
	}
	return &c
}

// shared measures how far the seats err together, over the questions that none of them lost.
func shared(seats []Seat, results []Result) Shared {
	var s Shared
	var errs [][]bool
	var answers [][]string
	for _, seat := range seats {
		var e []bool
		var a []string
		for _, r := range results {
			if slices.ContainsFunc(seats, func(p Seat) bool { o, ok := r.Outcome(p.ID); return !ok || o.Grade == GradeLost }) {
				continue
			}
			o, _ := r.Outcome(seat.ID)
			e, a = append(e, !o.Right()), append(a, statement.FoldLabel(o.Answer))
		}
		errs, answers, s.Questions = append(errs, e), append(answers, a), len(e)
	}
	total := 0.0
	for i := range seats {
		for k := range i {
			s.Of++
			if phi, ok := stats.Phi(errs[i], errs[k]); ok {
				s.Pairs++
				total += phi
			}
			for n := range errs[i] {
				if errs[i][n] && errs[k][n] {
					s.BothWrong++
					if answers[i][n] != "" && answers[i][n] == answers[k][n] {
						s.SameWrong++
					}
				}
			}
		}
	}
	if s.Pairs >= 2 && s.Questions >= leastForCorrelation {
		rho := total / float64(s.Pairs)
		effective := stats.EffectiveSeats(len(seats), rho)
		s.Rho, s.Effective = &rho, &effective
	}
	return s
}

// countAgreement counts the questions by whether the first votes agreed, and the seats that
// turned.
func (g *Group) countAgreement() {
	g.Turns = []Turned{}
	for _, r := range g.Results {
		share, arm := &g.Split, ArmPanel
		if r.Unanimous {
			share, arm = &g.Same, ArmVote
		}
		if o, ok := r.Outcome(arm); ok && o.Grade != GradeLost {
			share.Of++
			if o.Right() {
				share.Right++
			}
		}
		for _, t := range r.Turns {
			i := slices.IndexFunc(g.Turns, func(k Turned) bool { return k.Right == t.Right && k.By == t.By })
			if i < 0 {
				i = len(g.Turns)
				g.Turns = append(g.Turns, Turned{Right: t.Right, By: t.By})
			}
			g.Turns[i].Count++
		}
	}
	slices.SortStableFunc(g.Turns, func(a, b Turned) int { return b.Count - a.Count })
}

// arm returns the figures of an arm; nil if it answered nothing.
func (g Group) arm(name string) *Arm {
	i := slices.IndexFunc(g.Arms, func(a Arm) bool { return a.Arm == name })
	if i < 0 {
		return nil
	}
	return &g.Arms[i]
}

// NewReport compares the panel of the first group with the baseline, which was named
// beforehand, and adjusts the p-values of all other comparisons.
func NewReport(name, panel string, baseline Seat, set Set, groups []Group) Report {
	r := Report{Name: name, Panel: panel, Baseline: baseline.ID, Read: len(set.Items), Bad: set.Bad, Groups: groups}
	var others []*Comparison
	for i, g := range groups {
		if i > 0 {
			groups[i].Against = compare(g.Results, groups[0].Results, ArmPanel, ArmPanel)
			others = append(others, groups[i].Against)
		}
		for k, a := range g.Arms {
			if a.Versus != nil && !(i == 0 && a.Arm == ArmPanel) {
				others = append(others, g.Arms[k].Versus)
			}
		}
	}
	ps := make([]float64, len(others))
	for i, c := range others {
		ps[i] = c.P
	}
	for i, p := range stats.Holm(ps) {
		others[i].P, others[i].Adjusted = p, true
	}
	r.Summary, r.Can = "No question has been played to its end.", CanShow(r.Read)
	if len(groups) > 0 && groups[0].arm(ArmPanel) != nil && groups[0].arm(ArmPanel).Versus != nil {
		c := *groups[0].arm(ArmPanel).Versus
		r.Summary = summary(baseline.Name, c)
		if len(groups) > 1 {
			r.Summary = fmt.Sprintf("%s, facts %s: %s", groups[0].Mode, groups[0].Facts, r.Summary)
		}
		if c.Pairs > 0 {
			r.Can = CanShow(c.Pairs)
		}
	}
	return r
}

// Complete reports whether all questions were played to their end.
func (r Report) Complete() bool {
	return !slices.ContainsFunc(r.Groups, func(g Group) bool { return g.Open > 0 })
}

// points returns a difference of questions in percentage points.
func points(n, of int) int { return int(math.Round(100 * float64(n) / float64(of))) }

package oracle_test

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/debatetest"
	"roundtable/debate/verdict"
)

// differences collects what the program computes otherwise than the oracle.
type differences []string

func (d *differences) equal(what string, want, got any) {
	if a, b := fmt.Sprint(want), fmt.Sprint(got); a != b {
		*d = append(*d, fmt.Sprintf("%s: want %s, got %s", what, a, b))
	}
}

// compareVerdict compares the verdict of a session with the figures of its panel.
func compareVerdict(p panel, f *debatetest.Scenario) differences {
	want := compute(p)
	v := verdict.Compute(f.Session)
	if p.noChair {
		verdict.AddFallback(&v, f.Session, []string{"Ann failed: timed out"})
	} else {
		verdict.AddReport(&v, f.Session, f.Seats[0], agents.Reply{Text: "## Report\n\nThis is the report.", Finish: agents.FinishStop})
	}
	var d differences
	d.equal("outcome", want.outcome, v.Outcome)
	side := ""
	if v.Side != nil {
		side = string(*v.Side)
	}
	d.equal("side", want.side, side)
	d.equal("unstated", idsOf(p, want.unstated), v.Unstated)
	d.compareMoves(p, want.moves, v.Moves)
	d.compareDissent(p, want.dissent, v.Dissent)
	m := builtinMode(p.mode, p.old())
	if m.asks != "ranking" {
		d.compareTally("baseline", want.baseline, v.Baseline)
		d.compareTally("final", want.final, v.Final)
	}
	d.compareComparison(p, want.comparison, v)
	if want.ranking != nil {
		d.compareRanking(p, *want.ranking, v.Results)
	}
	if want.matrix != nil {
		d.compareMatrix(*want.matrix, v.Results)
	}
	d.compareHeadline(p, want, v.Headline)
	return d
}

func idsOf(p panel, seats []int) []agents.ID {
	var out []agents.ID
	for _, s := range seats {
		out = append(out, seatID(p.names[s]))
	}
	return out
}

func (d *differences) compareTally(what string, want tally, got debate.Tally) {
	d.equal(what+" voters", want.voters, got.Voters)
	d.equal(what+" undecided", want.undecided, got.Undecided)
	d.equal(what+" unreadable", want.unread, got.Unread)
	d.equal(what+" majority", want.majority, got.Majority)
	if want.median != nil || got.Median != nil {
		d.compareMedian(what, want, got)
		return
	}
	d.equal(what+" none", len(want.sides) == 0, got.None)
	d.equal(what+" split", len(want.sides) > 0 && want.majority == "", got.Split)
	d.equal(what+" sides", want.sides, got.Sides)
	d.equal(what+" votes", want.votes, nonZero(got.Votes))
	d.equal(what+" weighted", want.weighted, got.Weighted)
	d.equal(what+" without a confidence", want.unsure, got.NoConfidence)
	for _, s := range want.sides {
		d.equal(what+" weight of "+s, fmt.Sprintf("%.4f", float64(want.weights[s])/100), fmt.Sprintf("%.4f", got.Weights[debate.Side(s)]))
	}
}

func nonZero(votes map[debate.Side]int) map[debate.Side]int {
	out := maps.Clone(votes)
	maps.DeleteFunc(out, func(_ debate.Side, n int) bool { return n == 0 })
	if out == nil {
		out = map[debate.Side]int{}
	}
	return out
}

func (d *differences) compareMedian(what string, want tally, got debate.Tally) {
	text := "none"
	if m := got.Median; m != nil {
		text = withUnit(fmt.Sprint(m.Value), m.Unit)
		if m.Low != nil && m.High != nil {
			text += fmt.Sprintf(" from %v to %v", *m.Low, *m.High)
		}
	}
	expected := "none"
	if want.median != nil {
		expected = fmt.Sprintf("%s from %v to %v", want.answer(), want.low, want.high)
	}
	d.equal(what+" median", expected, text)
	d.equal(what+" estimates", want.estimates, got.Estimates)
	d.equal(what+" other units", want.others, got.OtherUnits)
}

func (d *differences) compareMoves(p panel, want []move, got []debate.Move) {
	var a, b []string
	for _, m := range want {
		slices.Sort(m.cites)
		a = append(a, fmt.Sprintf("%s r%d %s %q %v", seatID(p.names[m.seat]), m.round, m.change, m.side, m.cites))
	}
	for _, m := range got {
		cites := slices.Sorted(slices.Values(m.Cites))
		b = append(b, fmt.Sprintf("%s r%d %s %q %v", m.Agent, m.Round, m.Change, m.Side, cites))
	}
	d.equal("ledger", "\n    "+strings.Join(a, "\n    "), "\n    "+strings.Join(b, "\n    "))
}

func (d *differences) compareDissent(p panel, want []vote, got []debate.Dissent) {
	var a, b []string
	for _, v := range want {
		a = append(a, fmt.Sprintf("%s %s %s %s", seatID(p.names[v.seat]), v.name, v.means.position, hundredths(v.means.confidence)))
	}
	for _, v := range got {
		confidence := "none"
		if v.Confidence != nil {
			confidence = fmt.Sprintf("%.2f", *v.Confidence)
		}
		b = append(b, fmt.Sprintf("%s %s %s %s", v.Agent, v.Side, v.Position, confidence))
	}
	d.equal("dissent", a, b)
}

func hundredths(n int) string {
	if n < 0 {
		return "none"
	}
	return fmt.Sprintf("%.2f", float64(n)/100)
}

func (d *differences) compareComparison(p panel, want *comparison, v debate.Verdict) {
	got := v.Comparison
	if want == nil || got == nil {
		d.equal("comparison", want != nil, got != nil)
		return
	}
	d.equal("comparison first, last, blind, voters", fmt.Sprint(want.first, want.last, want.blind, len(want.both)),
		fmt.Sprint(got.First, got.Last, got.Blind, got.Voters))
	d.equal("only before", idsOf(p, want.onlyBefore), got.OnlyBefore)
	d.equal("only after", idsOf(p, want.onlyAfter), got.OnlyAfter)
	d.equal("comparison result", want.result, got.Result)
	// The voters of a compared count are those who voted both times.
	before, after := got.Before, got.After
	before.Voters, after.Voters = want.before.voters, want.after.voters
	d.compareTally("before", want.before, before)
	d.compareTally("after", want.after, after)
	changed := "unknown"
	if v.Changed != nil {
		changed = map[bool]string{true: "changed", false: "same"}[*v.Changed]
	}
	d.equal("changed", map[bool]string{true: want.result, false: "unknown"}[want.result == "same" || want.result == "changed"], changed)
}

func (d *differences) compareRanking(p panel, want ranking, r *debate.Results) {
	if r == nil || r.Ranking == nil {
		*d = append(*d, "there is no ranking")
		return
	}
	d.equal("ranking round", want.round, r.Ranking.Round)
	var a, b []string
	for seat := range p.names {
		if order := want.ballots[seat]; len(order) > 0 {
			a = append(a, fmt.Sprint(seatID(p.names[seat]), idsOf(p, order)))
		}
	}
	for _, x := range r.Ranking.Ballots {
		if len(x.Order) > 0 {
			b = append(b, fmt.Sprint(x.Agent, x.Order))
		}
	}
	d.equal("ballots", a, b)
	points := map[agents.ID]int{}
	for seat, n := range want.points {
		points[seatID(p.names[seat])] = n
	}
	got := map[agents.ID]int{}
	for _, place := range r.Ranking.Places {
		got[place.Agent] = place.Points
	}
	d.equal("points", points, got)
}

func (d *differences) compareMatrix(want matrix, r *debate.Results) {
	if r == nil || r.Matrix == nil {
		*d = append(*d, "there is no matrix")
		return
	}
	m := r.Matrix
	d.equal("matrix round", want.round, m.Round)
	d.equal("criteria that count", want.counted, m.Counted)
	d.equal("missing cells", want.missing, m.Missing)
	d.equal("best", want.best, m.Best)
	for i, t := range want.totals {
		d.equal("total of "+m.Options[i], rational(t), float(m.Totals[i]))
		for j := range want.counted {
			if want.counted[j] {
				d.equal(m.Options[i]+" by "+m.Criteria[j], rational(want.means[i][j]), float(m.Cells[i*len(m.Criteria)+j].Mean))
			}
		}
	}
}

func rational(r *big.Rat) string {
	if r == nil {
		return "none"
	}
	f, _ := r.Float64()
	return fmt.Sprintf("%.6f", f)
}

func float(f *float64) string {
	if f == nil {
		return "none"
	}
	return fmt.Sprintf("%.6f", *f)
}

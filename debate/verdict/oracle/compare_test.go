package oracle_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/verdict"
	"roundtable/internal/testing/debatetest"
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
	var d differences
	v := verdict.Compute(f.Session)
	d.report(p, f, &v)
	d.equal("outcome", want.outcome, v.Outcome)
	side := ""
	if v.Side != nil {
		side = string(*v.Side)
	}
	d.equal("side", want.final.majority, side)
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
	form, line := headline(p, want)
	d.equal("headline", "\n    "+line, "\n    "+v.Headline)
	d.equal("form", form, v.Form)
	d.equal("form and words", "", problemOf(v))
	return d
}

// report lets the chair of a panel write a report, and a second reader read the labels.
func (d *differences) report(p panel, f *debatetest.Scenario, v *debate.Verdict) {
	if p.chair.absent {
		verdict.AddFallback(v, f.Session, []string{"Ann failed: timed out"})
		return
	}
	chair := agents.Profile{ID: "zoe", Name: "Zoe", Provider: "p", Model: "m-zoe"}
	if p.chair.member {
		chair = f.Seats[0]
	}
	groups := groupsJSON(p.chair.groups)
	text := "## Report\n\nThis is the report." + groups
	verdict.AddReport(v, f.Session, chair, agents.Reply{Text: text, Finish: agents.FinishStop})
	second := -1
	if g := p.chair.groups; g != nil && p.chair.member && groupingAt(p, len(p.rounds)) == nil {
		second = secondReader(p, &grouping{groups: g})
	}
	reader, ok := verdict.SecondReader(*v, f.Session)
	name := ""
	if second >= 0 {
		name = p.names[second]
	}
	d.equal("second reader", name, reader.Name)
	if ok && p.chair.agrees {
		verdict.Confirm(v, f.Session, reader, groups)
	} else if ok {
		verdict.Confirm(v, f.Session, reader, "I cannot say.")
	}
}

func groupsJSON(groups [][]string) string {
	if groups == nil {
		return ""
	}
	raw, _ := json.Marshal(map[string]any{"groups": groups})
	return "\n\n```json\n" + string(raw) + "\n```"
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
	d.equal(what+" split", len(want.sides) > 1 && want.majority == "", got.Split)
	d.equal(what+" sides", want.sides, got.Sides)
	d.equal(what+" votes", want.votes, nonZero(got.Votes))
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
	text, expected := "none", "none"
	if m := got.Median; m != nil {
		text = fmt.Sprint(withUnit(m.Value, m.Unit), " from ", *m.Low, " to ", *m.High)
	}
	if want.median != nil {
		expected = fmt.Sprint(want.answer(), " from ", want.low, " to ", want.high)
	}
	d.equal(what+" median", expected, text)
	d.equal(what+" estimates", want.estimates, got.Estimates)
	d.equal(what+" other units", want.others, got.OtherUnits)
}

func (d *differences) compareMoves(p panel, want []move, got []debate.Move) {
	var a, b []string
	for _, m := range want {
		by := agents.ID("")
		if m.by >= 0 {
			by = seatID(p.names[m.by])
		}
		a = append(a, fmt.Sprintf("%s r%d %s %q %v also %v by %q nothing %v start %v undecided %v", seatID(p.names[m.seat]), m.round, m.change, m.side,
			sorted(m.cites), sorted(m.also), by, m.nothing, m.fromStart, m.undecided))
	}
	for _, m := range got {
		b = append(b, fmt.Sprintf("%s r%d %s %q %v also %v by %q nothing %v start %v undecided %v", m.Agent, m.Round, m.Change, m.Side,
			sorted(m.Cites), sorted(m.AlsoCites), m.By, m.Unmoved, m.SinceStart, m.WasUndecided))
	}
	d.equal("ledger", "\n    "+strings.Join(a, "\n    "), "\n    "+strings.Join(b, "\n    "))
}

func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }

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
	d.compareTally("before", want.before, got.Before)
	d.compareTally("after", want.after, got.After)
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
	var first []agents.ID
	for _, place := range r.Ranking.Places {
		if place.Place == 1 {
			first = append(first, place.Agent)
		}
	}
	d.equal("first", sortedIDs(idsOf(p, want.first())), sortedIDs(first))
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

func sortedIDs(list []agents.ID) []agents.ID { return slices.Sorted(slices.Values(list)) }

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

package prompt

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"roundtable/debate"
	"roundtable/debate/verdict"
)

// statistics returns figures of each earlier round if the mode wants them: how many took
// which side or what they estimate, and how sure they were.
func (snap Snapshot) statistics(f fence) string {
	if !snap.Mode.Statistics {
		return ""
	}
	var lines []string
	for round := 1; round < snap.Round; round++ {
		r := debate.Round{}
		for _, x := range snap.Earlier {
			if x.Turn.Round == round {
				r.Responses = append(r.Responses, x)
			}
		}
		if said := r.Statements(); len(said) > 0 {
			lines = append(lines, fmt.Sprintf("- Round %d: %s", round, snap.figures(said)))
		}
	}
	if len(lines) == 0 {
		return ""
	}
	const title = "What the members held, in figures"
	switch snap.Question {
	case debate.QuestionUnset, debate.QuestionYesNo:
		return title + ":\n" + strings.Join(lines, "\n")
	default: // labels and units are the members' words
		return title + ":\n" + f.block("figures", strings.Join(lines, "\n"))
	}
}

func (snap Snapshot) figures(statements []debate.Response) string {
	figures := []string{fmt.Sprintf("%d of %d members answered", len(statements), len(snap.Seats))}
	switch snap.Question {
	case debate.QuestionEstimate:
		figures = append(figures, estimateFigures(statements)...)
	case debate.QuestionYesNo, debate.QuestionOpen, debate.QuestionChoice:
		figures = append(figures, snap.sideFigures(statements))
	case debate.QuestionUnset:
		figures = append(figures, stanceFigures(statements)...)
	}
	var confidences []float64
	for _, x := range statements {
		if c := x.Statement.Confidence; c != nil {
			confidences = append(confidences, *c)
		}
	}
	if len(confidences) > 0 {
		slices.Sort(confidences)
		figures = append(figures, fmt.Sprintf("confidence: median %.2f, middle half %.2f to %.2f, all %.2f to %.2f",
			quantile(confidences, 0.5), quantile(confidences, 0.25), quantile(confidences, 0.75),
			confidences[0], confidences[len(confidences)-1]))
	}
	return strings.Join(figures, "; ") + "."
}

func stanceFigures(statements []debate.Response) []string {
	sides := map[debate.Stance]int{}
	stated := false
	for _, x := range statements {
		if s := x.Statement.Stance; s != "" {
			sides[s]++
			stated = true
		}
	}
	if !stated {
		return nil
	}
	return []string{fmt.Sprintf("yes %d, no %d, neutral %d", sides[debate.Yes], sides[debate.No], sides[debate.Neutral])}
}

// sideFigures counts sides, the most frequent first, then in the order of their first use.
func (snap Snapshot) sideFigures(statements []debate.Response) string {
	sides := verdict.SidesOf(snap.session())
	counts := map[debate.Side]int{}
	var order []debate.Side
	for _, x := range statements {
		side := sides.Of(x.Statement)
		if counts[side]++; counts[side] == 1 && side != debate.Undecided {
			order = append(order, side)
		}
	}
	slices.SortStableFunc(order, func(a, b debate.Side) int { return counts[b] - counts[a] })
	var parts []string
	for _, side := range order {
		parts = append(parts, fmt.Sprintf("%s: %d", shown(string(side)), counts[side]))
	}
	if n := counts[debate.Undecided]; n > 0 {
		parts = append(parts, fmt.Sprintf("undecided: %d", n))
	}
	return strings.Join(parts, ", ")
}

// estimateFigures returns median, quartiles and range of the estimates in the unit that
// most members use.
func estimateFigures(statements []debate.Response) []string {
	unit, n := commonUnit(statements)
	if n == 0 {
		return nil
	}
	var values, bounds []float64
	others := 0
	for _, x := range statements {
		e := x.Statement.Estimate
		switch {
		case e == nil:
			continue
		case !sameUnit(e.Unit, unit):
			others++
			continue
		}
		values, bounds = append(values, e.Value), append(bounds, e.Value)
		for _, v := range []*float64{e.Low, e.High} {
			if v != nil {
				bounds = append(bounds, *v)
			}
		}
	}
	slices.Sort(values)
	in := ""
	if u := shown(unit); u != "" {
		in = " in " + u
	}
	out := []string{fmt.Sprintf("estimates%s: median %s, middle half %s to %s, all with their ranges %s to %s", in,
		rounded(quantile(values, 0.5)), rounded(quantile(values, 0.25)), rounded(quantile(values, 0.75)),
		numeral(slices.Min(bounds)), numeral(slices.Max(bounds)))}
	if others > 0 {
		out = append(out, fmt.Sprintf("%d in other units", others))
	}
	return out
}

// commonUnit returns the unit of most estimates, of several the first, and how many they
// are.
func commonUnit(statements []debate.Response) (unit string, most int) {
	for _, x := range statements {
		if x.Statement.Estimate == nil {
			continue
		}
		n := 0
		for _, y := range statements {
			if e := y.Statement.Estimate; e != nil && sameUnit(e.Unit, x.Statement.Estimate.Unit) {
				n++
			}
		}
		if n > most {
			unit, most = x.Statement.Estimate.Unit, n
		}
	}
	return unit, most
}

// sameUnit reports whether units differ in case and white space at most.
func sameUnit(a, b string) bool {
	fold := func(unit string) string { return strings.ToLower(strings.Join(strings.Fields(unit), "")) }
	return fold(a) == fold(b)
}

// rounded formats an interpolated value with up to three decimals.
func rounded(v float64) string { return numeral(math.Round(v*1000) / 1000) }

// quantile interpolates between the values of a sorted list.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	low := int(at)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + (at-float64(low))*(sorted[high]-sorted[low])
}

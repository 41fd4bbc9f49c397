package verdict

import (
	"math"
	"slices"

	"roundtable/debate"
)

// matrixOf gathers the scores of a phase; nil where there are none.
func matrixOf(s debate.Session, r debate.Round, phase string) *debate.Matrix {
	out := &debate.Matrix{Round: r.Number, Options: s.Mode.Options, Criteria: s.Mode.Criteria}
	out.Cells = make([]debate.Cell, len(out.Options)*len(out.Criteria))
	scored := false
	for _, x := range responsesInPhase(s, r, phase) {
		for _, sc := range x.Statement.Scores {
			o, c := s.Mode.OptionIndex(sc.Option), s.Mode.CriterionIndex(sc.Criterion)
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

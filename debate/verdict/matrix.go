package verdict

import (
	"math"
	"slices"
	"strconv"

	"roundtable/agents"
	"roundtable/debate"
)

// matrixOf collects the scores of a phase, nil if there are none.
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

// totalMatrix computes the means, which criteria count, and the option that is ahead. A
// criterion counts over the members who scored all options on it.
func totalMatrix(m *debate.Matrix) {
	m.Counted, m.Missing = make([]bool, len(m.Criteria)), nil
	means := make([][]float64, len(m.Options))
	counted := 0
	for c := range m.Criteria {
		cells := make([]*debate.Cell, len(m.Options))
		for o := range m.Options {
			cells[o] = &m.Cells[o*len(m.Criteria)+c]
			cells[o].Mean = mean(scoresOf(*cells[o], nil))
		}
		whole := scoredAll(cells)
		if len(whole) == 0 {
			m.Missing = append(m.Missing, missingCells(*m, c, cells)...)
			continue
		}
		m.Counted[c] = true
		counted++
		for o, cell := range cells {
			cell.Mean = mean(scoresOf(*cell, whole))
			means[o] = append(means[o], *cell.Mean)
		}
	}
	m.Totals = make([]*float64, len(m.Options))
	best, tie := -1, false
	for o := range m.Options {
		if m.Totals[o] = mean(means[o]); m.Totals[o] != nil {
			*m.Totals[o] = math.Round(*m.Totals[o]*1e6) / 1e6 // so that equal totals tie
		}
		switch {
		case m.Totals[o] == nil:
		case best < 0 || *m.Totals[o] > *m.Totals[best]:
			best, tie = o, false
		case *m.Totals[o] == *m.Totals[best]:
			tie = true
		}
	}
	if best >= 0 && !tie && 2*counted >= len(m.Criteria) {
		m.Best = m.Options[best]
	}
}

// scoreBase returns how many criteria count, and how many members scored all options on
// one of them.
func scoreBase(m debate.Matrix) (criteria, members int) {
	who := map[agents.ID]bool{}
	for c, counts := range m.Counted {
		if !counts {
			continue
		}
		criteria++
		cells := make([]*debate.Cell, len(m.Options))
		for o := range m.Options {
			cells[o] = &m.Cells[o*len(m.Criteria)+c]
		}
		for _, id := range scoredAll(cells) {
			who[id] = true
		}
	}
	return criteria, len(who)
}

// decimals returns how many decimals totals are shown with, so that different ones differ.
func decimals(m debate.Matrix) int {
	for n := 1; n < maxDecimals; n++ {
		seen, clash := map[string]float64{}, false
		for _, total := range m.Totals {
			if total == nil {
				continue
			}
			word := strconv.FormatFloat(*total, 'f', n, 64)
			other, ok := seen[word]
			clash = clash || ok && other != *total
			seen[word] = *total
		}
		if !clash {
			return n
		}
	}
	return maxDecimals
}

// maxDecimals is how many decimals totals are rounded to.
const maxDecimals = 6

// scoredAll returns the members who scored all of the cells.
func scoredAll(cells []*debate.Cell) []agents.ID {
	var out []agents.ID
	for _, sc := range cells[0].Scores {
		if !slices.ContainsFunc(cells, func(c *debate.Cell) bool { return !slices.ContainsFunc(c.Scores, by(sc.Agent)) }) {
			out = append(out, sc.Agent)
		}
	}
	return out
}

func by(id agents.ID) func(debate.MemberScore) bool {
	return func(sc debate.MemberScore) bool { return sc.Agent == id }
}

// scoresOf returns the scores of a cell by the given members; nil is all.
func scoresOf(cell debate.Cell, members []agents.ID) []float64 {
	var out []float64
	for _, sc := range cell.Scores {
		if members == nil || slices.Contains(members, sc.Agent) {
			out = append(out, sc.Score)
		}
	}
	return out
}

// missingCells names the cells for which a criterion does not count: those without any
// score, or if all have some, those that a member left out who scored others.
func missingCells(m debate.Matrix, criterion int, cells []*debate.Cell) []string {
	var empty, partial []string
	for o, cell := range cells {
		name := m.Options[o] + " by " + m.Criteria[criterion]
		if len(cell.Scores) == 0 {
			empty = append(empty, name)
		}
		leftOut := func(sc debate.MemberScore) bool { return !slices.ContainsFunc(cell.Scores, by(sc.Agent)) }
		if slices.ContainsFunc(cells, func(other *debate.Cell) bool { return slices.ContainsFunc(other.Scores, leftOut) }) {
			partial = append(partial, name)
		}
	}
	if len(empty) > 0 {
		return empty
	}
	return partial
}

// mean returns nil for no values.
func mean(values []float64) *float64 {
	if len(values) == 0 {
		return nil
	}
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	m := sum / float64(len(values))
	return &m
}

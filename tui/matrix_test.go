package tui_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/debate"
)

// scored is a verdict with a matrix of so many options by six criteria.
func scored(options int, name string) debate.Session {
	s := concluded()
	m := &debate.Matrix{Round: 4, Best: fmt.Sprintf(name, 2), Criteria: []string{"what it brings to those it is for", "cost over its whole life", "risk", "time", "undo", "who has to learn what"}}
	for o := range options {
		m.Options = append(m.Options, fmt.Sprintf(name, o+1))
		m.Totals = append(m.Totals, num(float64(o)+0.5))
		for c := range m.Criteria {
			m.Cells = append(m.Cells, debate.Cell{Mean: num(float64((3*o + c) % 10))})
		}
	}
	m.Cells[0].Mean, m.Totals[0] = nil, nil
	s.Verdict.Results = &debate.Results{Matrix: m}
	return s
}

// However many options there are, each score stands whole beside its criterion.
func TestMatrix_isReadableOnASmallScreen(t *testing.T) {
	for _, c := range []struct {
		options int
		name    string
		want    []string
	}{
		{2, "option %d with a long name", []string{"option 1 with a lo…  ✓option 2 with a l… │", "what it brings to those it is for", "?                  3.0 │", "in all", "?                  1.5 │"}},
		{5, "plan %d", []string{"plan 1   ✓plan 2    plan 3    plan 4    plan 5 │", "what it brings to those …", "?       3.0       6.0       9.0       2.0 │", "in all"}},
		{5, "option %d with a long name", []string{"  option 1 with a long name", "✓ option 2 with a long name", "    what it brings to those it is for", "3.0 │", " below"}},
		{8, "plan %d", []string{"  plan 1", "✓ plan 2", "    what it brings to those it is for", " below"}},
	} {
		synctest.Test(t, func(t *testing.T) {
			deps := storing(scored(c.options, c.name)).deps()
			deps.Start.Session = billing
			r := start(t, 80, 24, deps)
			defer r.stop()
			r.wait(2 * time.Second)
			r.press("tab", "tab", "tab")
			r.sees(append(c.want, "mean of 0 to 10")...)
		})
	}
}

func TestMatrix_showsWhoGaveWhichScoreAndWhy(t *testing.T) {
	bubble(t, func() debate.Session {
		s := scored(2, "plan %d")
		cells := s.Verdict.Results.Matrix.Cells
		cells[7].Scores = []debate.MemberScore{{Agent: "ada", Score: 4, Reason: "two\x1b[2J servers less"}, {Agent: "brook", Score: 3.5}}
		return s
	}, func(r *harness, _ *scripted) {
		r.press("G")
		r.sees("Scores, one by one", "plan 2, cost over its whole life", "4.0", "• Ada 4: two servers less", "• Brook 3.5: no reason stated")
		r.misses("plan 1, cost over its whole life")
	})
}

package tui_test

import (
	"slices"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/testing/viewtest"
	"roundtable/tui"
	"roundtable/tui/theme"
)

// concludedBy is a debate of so many seats with its verdict.
func concludedBy(seats int) debate.Session {
	s := concluded()
	more := held(seats, 4, 4)
	s.Seats, s.History = more.Seats, more.History
	changes := []debate.Change{debate.Held, debate.RevisedOld, debate.Conformed, debate.Revised, debate.NoResponse}
	if seats < 3 {
		v := s.Verdict
		v.Dissent, v.Sources[0].CitedBy = nil, []agents.ID{"ada"}
		v.Moves = slices.DeleteFunc(v.Moves, func(m debate.Move) bool { return m.Agent == "cy" })
	}
	for i, p := range s.Seats[min(3, seats):] {
		for n := 1; n <= 4; n++ {
			m := debate.Move{
				Agent: p.ID, Round: n, Change: changes[(i+n)%len(changes)], Side: debate.SideNo, Stance: debate.No,
				Confidence: num(0.5 + 0.1*float64(n)),
			}
			if n == 1 {
				m.Change = debate.Opening
			}
			s.Verdict.Moves = append(s.Verdict.Moves, m)
		}
	}
	return s
}

// The styles of the debate, the form and the list by role: the accents of the seats,
// what needs the user, and the row under the cursor.
func TestScreen_roles(t *testing.T) {
	t.Parallel()
	debating, speaking := debating(6)
	for _, c := range []screenCase{
		{"debate", debating, speaking},
		{"form", sessionOf(gate), keys()},
		{"home", func() tui.Deps { return storing(gate(), held(6, 1, 4)).deps() }, nil},
	} {
		w, h := 80, 24
		if c.name == "debate" {
			w, h = 124, 30 // six panes
		}
		t.Run(c.name, func(t *testing.T) {
			drawScreen(t, c, dark, func(r *harness) {
				golden.RequireEqual(t, viewtest.Styles(theme.New(dark), r.resized(w, h)))
			})
		})
	}
}

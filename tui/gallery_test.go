package tui_test

import (
	"testing"

	"github.com/charmbracelet/x/exp/golden"

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

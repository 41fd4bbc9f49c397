package tui_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/exp/golden"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/tui/theme"
)

// concludedBy is a debate of so many seats with its verdict.
func concludedBy(seats int) debate.Session {
	s := concluded()
	more := held(seats, 4, 4)
	s.Seats, s.History = more.Seats, more.History
	changes := []debate.Change{debate.Held, debate.Wavered, debate.Conformed, debate.Revised, debate.NoResponse}
	if seats < 3 {
		v := s.Verdict
		v.Dissent, v.Sources[0].CitedBy = nil, []agents.ID{"ada"}
		v.Moves = slices.DeleteFunc(v.Moves, func(m debate.Move) bool { return m.Agent == "cy" })
	}
	for i, p := range s.Seats[min(3, seats):] {
		for n := 1; n <= 4; n++ {
			m := debate.Move{
				Agent: p.ID, Round: n, Change: changes[(i+n)%len(changes)], Stance: debate.No,
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

// The debate and the form as they are coloured on dark and on light paper: the
// accents of the seats, what needs the user, and the row under the cursor.
func TestScreen_paper(t *testing.T) {
	for _, name := range []string{"debate", "form", "home"} {
		for paper, dark := range map[string]bool{"dark": true, "light": false} {
			t.Run(name+"/"+paper, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					script := storing(gate(), held(6, 1, 4))
					switch name {
					case "debate":
						script = storing(held(6, 1, 4))
					case "form":
						script = storing(gate())
					}
					deps := script.deps()
					deps.Theme = theme.Options{Dark: dark, Profile: colorprofile.TrueColor}
					if name != "home" {
						deps.Start.Session = billing
					}
					r := start(t, 124, 30, deps)
					defer r.stop()
					if name == "debate" {
						r.press("space")
						script.current().speaking(held(6, 1, 4))
						defer finish(r, script.current())
					}
					r.wait(2 * time.Second)
					golden.RequireEqual(t, r.last.Load().Content+"\n")
				})
			})
		}
	}
}

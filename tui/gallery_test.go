package tui_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/exp/golden"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/tui"
	"roundtable/tui/home"
	"roundtable/tui/theme"
)

// findsTwo finds words in two debates.
type findsTwo struct{ *scripted }

func (findsTwo) Search(context.Context, home.Query) ([]home.Hit, error) {
	return []home.Hit{
		{Session: billing, Matches: []home.Match{
			{Where: "R2 Brook", Before: "Move, but keep the ledger ", Text: "append-only", After: "."},
			{Where: "R2 Ada", Before: "Brook is right that the ledger must stay ", Text: "append-only", After: ". That rule does not need Postgres: a trigger gives the same."},
		}},
		{Session: "b222222222", Matches: []home.Match{{Where: "verdict", Before: "One queue, with an ", Text: "append-only", After: " outbox table."}}},
	}, nil
}

func TestScreen_search(t *testing.T) {
	pictures(t, func() tui.Deps {
		second := held(3, 1, 2)
		second.ID, second.Topic = "b222222222", "One queue or two for webhooks?"
		script := storing(gate(), second)
		d := script.deps()
		d.Sessions = findsTwo{script}
		return d
	}, func(r *harness) {
		r.press("/")
		r.typeText("append-only")
		r.wait(time.Second)
	})
}

func TestScreen_find(t *testing.T) {
	opened(t, interrupted, "1", "/", "i", "n", "v", "o", "i", "c", "e", "s", "enter")
}

func TestScreen_unavailable(t *testing.T) {
	opened(t, gate, "ctrl+x", "n", "o", "b", "o", "d", "y")
}

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

func TestScreen_verdict8(t *testing.T) { opened(t, func() debate.Session { return concludedBy(8) }) }

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

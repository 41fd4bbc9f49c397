package tui_test

import (
	"testing"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/tui"
)

// forkedFrom is a fork of a concluded debate, with another answer and another verdict.
func forkedFrom(origin debate.Session) debate.Session {
	s := origin
	s.ForkedFrom, s.ForkRound, s.Parent = "b222222222", 1, &debate.Parent{Name: origin.Name(), Result: "yes"}
	s.Requests = []ledger.Request{origin.Requests[0].Clone()}
	s.Requests[0].Answers[0].Content = "Two days."
	return s
}

// answeredBy is a debate of so many seats with its verdict, in which a request was
// answered.
func answeredBy(seats int) debate.Session {
	s := concludedBy(seats)
	s.Requests = answered().Requests
	return s
}

// choices offers other models, modes and panels to a fork.
func choices(s debate.Session) func() tui.Deps {
	return func() tui.Deps {
		script := storing(s)
		script.offer = offered()
		for i := range script.offer.Seats {
			script.offer.Seats[i].Problem = ""
		}
		deps := script.deps()
		deps.Start.Session = s.ID
		deps.Panels = []debate.Panel{{Name: "pair", Seats: panel(2)}, {Name: "four", Seats: panel(4)}}
		return deps
	}
}

// forkScreens are the screens on which a debate is forked.
func forkScreens() []screenCase {
	eight, alike := answeredBy(8), func() tui.Deps {
		s := session(2, 2)
		s.Seats[1].Provider, s.Seats[1].Model = s.Seats[0].Provider, s.Seats[0].Model
		script := storing(s)
		script.offer.Seats, script.offer.Modes = nil, nil
		deps := script.deps()
		deps.Start.Session = s.ID
		return deps
	}
	return []screenCase{
		{"what can change", choices(answered()), keys("F")},
		{"what can change from the start", choices(answered()), all(keys("F"), typing("start"), press("enter"))},
		{"what can change before round 1", choices(session(3, 2)), keys("F")},
		{"nothing can change", alike, keys("F")},
		{"what can change with eight seats", choices(eight), keys("F", "pgdown", "pgdown", "pgdown", "pgdown")},
		{"another answer", choices(answered()), all(keys("F", "enter", "ctrl+u"), typing("Two days, and a reference customer."))},
		{"no answer, and why", choices(answered()), all(keys("F", "down", "enter"), typing("Nobody kept a record of it."))},
		{"the same answer again", choices(answered()), keys("F", "enter", "enter")},
		{"another model", choices(answered()), keys("F", "down", "down", "down", "enter")},
		{"a fork that was made", choices(answered()), all(keys("F", "enter", "ctrl+u"), typing("Two days."), press("enter"))},
		{"the verdict of a fork", sessionOf(func() debate.Session { return forkedFrom(answered()) }), nil},
	}
}

func TestScreen_fork(t *testing.T) { snapshots(t, forkScreens()...) }

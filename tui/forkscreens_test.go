package tui_test

import (
	"fmt"
	"strings"
	"testing"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/tui"
)

// forkedFrom is a fork of a concluded debate, with another answer and another verdict.
func forkedFrom(origin debate.Session) debate.Session {
	s := origin
	s.ID, s.ForkedFrom, s.ForkRound = "fork000000", origin.ID, 1
	s.ForkChanges = []debate.ForkChange{{Kind: debate.ForkedAnswer, Target: "C1", Old: "A week.", New: "Two days."}}
	s.Requests = []ledger.Request{origin.Requests[0].Clone()}
	s.Requests[0].Answers[0].Content = "Two days."
	v := *origin.Verdict
	counted(&v, "No, 2 of 3 votes · the narrowest majority · same answer as in round 1")
	s.Verdict = &v
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

// withFork opens a fork whose origin can be read.
func withFork(origin, fork debate.Session, id string) func() tui.Deps {
	return func() tui.Deps {
		script := storing(origin, fork)
		deps := script.deps()
		deps.Start.Session = id
		return deps
	}
}

// forkScreens are the screens on which a debate is forked and compared with another.
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
	unfinished := forkedFrom(answered())
	unfinished.Verdict, unfinished.History = nil, unfinished.History[:2]
	start := strings.Fields("F [ [ [ [")
	return []screenCase{
		{"what can change", choices(answered()), keys("F")},
		{"what can change from the start", choices(answered()), keys(start...)},
		{"what can change before round 1", choices(session(3, 2)), keys("F")},
		{"nothing can change", alike, keys("F")},
		{"what can change with eight seats", choices(eight), keys("F", "G")},
		{"another answer", choices(answered()), all(keys("F", "enter", "ctrl+u"), typing("Two days, and a reference customer."))},
		{"no answer, and why", choices(answered()), all(keys("F", "enter", "ctrl+x"), typing("Nobody kept a record of it."))},
		{"the same answer again", choices(answered()), keys("F", "enter", "enter")},
		{"another model", choices(answered()), keys("F", "j", "enter", "j")},
		{"another mode", choices(answered()), keys(append(start, "G", "k", "enter")...)},
		{"another panel", choices(answered()), keys(append(start, "G", "enter")...)},
		{"a fork that was made", choices(answered()), all(keys("F", "enter", "ctrl+u"), typing("Two days."), press("enter"))},
		{"a comparison", withFork(answered(), forkedFrom(answered()), "fork000000"), keys("=")},
		{"a comparison with eight seats", withFork(eight, forkedFrom(eight), "fork000000"), keys("=", "d")},
		{"a comparison without a verdict", withFork(answered(), unfinished, "fork000000"), keys("=")},
		{"marked on the list", withFork(answered(), forkedFrom(answered()), ""), keys("=")},
	}
}

func TestScreen_fork(t *testing.T) { snapshots(t, forkScreens()...) }

// Another round leaves the cursor on what it was on, since enter changes that.
func TestFork_anotherRoundKeepsTheChoice(t *testing.T) {
	drawScreen(t, screenCase{"fork", choices(answered()), keys("F", "j", "j")}, dark, func(r *harness) {
		marked := func() string {
			for _, line := range strings.Split(r.screen(), "\n") {
				if _, row, found := strings.Cut(line, "▸"); found {
					return strings.Join(strings.Fields(row)[:2], " ")
				}
			}
			return ""
		}
		was := marked()
		for _, key := range []string{"[", "]", "["} {
			r.press(key)
			if now := marked(); was == "" || now != was {
				t.Errorf("after %s the mark is on %q, not on %q", key, now, was)
			}
		}
	})
}

// Wide terminals show two debates side by side.
func TestScreen_compareSideBySide(t *testing.T) {
	for _, c := range forkScreens() {
		if c.name != "a comparison" && c.name != "a comparison without a verdict" {
			continue
		}
		t.Run(strings.ReplaceAll(c.name, " ", "-"), func(t *testing.T) {
			drawScreen(t, c, dark, func(r *harness) { r.golden(140, 40) })
		})
	}
}

// On the list one session is marked, and on another one the two are compared, the fork on
// the right whichever was marked.
func TestCompare_twoThatAreMarkedOnTheList(t *testing.T) {
	other := held(3, 1, 2)
	other.ID, other.Topic = "b222222222", "One queue or two for webhooks?"
	for name, c := range map[string]struct {
		keys string
		sees []string
	}{
		"the fork first":   {"= j =", []string{billing + " and fork000000", "What differs", `C1 answered "Two days."`}},
		"the origin first": {"j = k =", []string{billing + " and fork000000", "What differs", `C1 answered "Two days."`}},
		"no relation":      {"= j j =", []string{"fork000000 and b222222222", "No verdict yet.", "Only one of them has a verdict yet."}},
	} {
		for _, size := range [][2]int{{80, 24}, {140, 40}} {
			t.Run(fmt.Sprintf("%s at %d columns", name, size[0]), func(t *testing.T) {
				deps := func() tui.Deps { return storing(forkedFrom(answered()), answered(), other).deps() }
				drawScreen(t, screenCase{name, deps, nil}, dark, func(r *harness) {
					r.resized(size[0], size[1])
					r.press("=")
					r.sees("Marked: Should billing move", "= on another debate compares the two", "= compare with the marked one")
					r.press("=")
					r.sees("The mark is gone.")
					r.misses("= compare with")
					r.press(strings.Fields(c.keys)...)
					r.sees("Comparison")
					r.sees(c.sees...)
					r.press("esc")
					r.sees("New debate")
					r.misses("Comparison", "= compare with the marked one")
				})
			})
		}
	}
}

// What was marked can be gone from the database by then.
func TestCompare_saysWhatCannotBeRead(t *testing.T) {
	gone := answered()
	gone.ID, gone.Topic = "b222222222", "One queue or two for webhooks?"
	deps := func() tui.Deps {
		script := storing(answered(), gone)
		delete(script.sessions, gone.ID)
		return script.deps()
	}
	drawScreen(t, screenCase{"gone", deps, nil}, dark, func(r *harness) {
		r.press("=", "j", "=")
		r.sees("Cannot compare: ", "New debate")
		r.misses("Comparison")
	})
}

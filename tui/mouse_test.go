package tui_test

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/tui"
)

// roll turns the wheel a notch at a cell, up or down.
func (r *harness) roll(x, y int, up bool) {
	b := tea.MouseWheelDown
	if up {
		b = tea.MouseWheelUp
	}
	r.sends(tea.MouseWheelMsg{X: x, Y: y, Button: b})
}

// click presses the left button at a cell.
func (r *harness) click(x, y int) { r.sends(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft}) }

// withMouse runs a test on a debate of three seats that is longer than its panes.
func withMouse(t *testing.T, mouse bool, test func(r *harness)) {
	bubbleWith(t, usual, func() debate.Session {
		s := held(3, 4, 6)
		for _, round := range s.History {
			for i := range round.Responses {
				x := &round.Responses[i]
				x.Statement.Body += strings.Repeat("\n\nMore of it.", 12)
				x.Passages[0].Text = x.Statement.Body
			}
		}
		return s
	}, func(d *tui.Deps, _ *scripted) { d.Mouse = mouse }, func(r *harness, _ *scripted) { test(r) })
}

func TestMouse_isOffUnlessItIsWanted(t *testing.T) {
	for _, mouse := range []bool{false, true} {
		withMouse(t, mouse, func(r *harness) {
			want := tea.MouseModeNone
			if mouse {
				want = tea.MouseModeCellMotion
			}
			if got := r.last.Load().MouseMode; got != want {
				t.Errorf("the mode is %v, want %v", got, want)
			}
		})
	}
}

// The wheel scrolls the pane under the pointer, whichever has the focus, and a click
// gives that pane the focus.
func TestMouse_scrollsAndChoosesThePaneUnderThePointer(t *testing.T) {
	withMouse(t, true, func(r *harness) {
		r.misses(" below")
		r.roll(60, 10, true)
		r.roll(60, 10, true)
		r.sees("╭▸1 Ada", "6 below")
		if strings.Count(r.screen(), " below") != 1 {
			t.Errorf("another pane has moved:\n%s", r.screen())
		}
		r.roll(60, 10, false)
		r.roll(60, 10, false)
		r.misses(" below")
		r.sends(tea.MouseClickMsg{X: 60, Y: 10, Button: tea.MouseRight})
		r.sees("╭▸1 Ada")
		r.click(60, 10)
		r.sees("╭▸2 Brook")
		r.click(60, 39) // on no pane
		r.wait(time.Millisecond)
		r.sees("╭▸2 Brook")
	})
}

// A click on the strip of the seats gives one of them the focus.
func TestMouse_choosesASeatInTheStrip(t *testing.T) {
	withMouse(t, true, func(r *harness) {
		r.press("1", "z")
		for i, row := range strings.Split(r.screen(), "\n") {
			if before, _, ok := strings.Cut(row, "3 Cy ✓"); ok {
				r.click(ansi.StringWidth(before), i)
				break
			}
		}
		r.wait(time.Millisecond)
		r.sees("╭▸3 Cy")
	})
}

// A click moves the cursor of the list, and opens the session that has it.
func TestMouse_choosesAndOpensASession(t *testing.T) {
	atHome(t, func(r *harness, script *scripted) {
		click := func(text string) {
			t.Helper()
			before, _, found := strings.Cut(r.screen(), text)
			if !found {
				t.Fatalf("%q is not on the screen:\n%s", text, r.screen())
			}
			r.click(20, strings.Count(before, "\n"))
		}
		click("newest first")
		click("One queue")
		r.sees("▸· One queue")
		click("+ New debate")
		r.sees("▸+ New debate")
		click("Should billing")
		r.sees("▸◷ Should billing")
		r.didNot("open " + billing)
		click("Ada, Brook, Cy") // belongs to it
		r.did("open " + billing)
	})
}

// It scrolls every other screen as its keys do, and answers no question.
func TestMouse_scrollsEveryScreen(t *testing.T) {
	bubble(t, lengthy, func(r *harness, _ *scripted) {
		r.press("t")
		lastCall(r)
		r.roll(20, 35, false)
		r.sees("line 4 of the result")
		r.misses("line 2 of the result")
		r.roll(20, 3, false)
		r.sees("▸ 00:00:00 notice", "│ Notice 1. So it was")
		r.press("q")
		r.roll(20, 8, true)
		r.sees("▸+ New debate")
		r.roll(20, 8, false)
		r.sees("▸‖ ")
	})
	bubble(t, concluded, func(r *harness, _ *scripted) {
		r.press("+")
		r.asks("+ add · esc back")
		r.roll(20, 8, false)
		r.asks("+ add · esc back")
	})
}

package tui_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"roundtable/debate"
	"roundtable/tui"
)

type dialog struct {
	name string
	deps func() tui.Deps
	// before brings the screen below into its state, open opens the dialog; both may be nil.
	before, open func(r *harness, script *scripted)
}

func press(names ...string) func(r *harness, script *scripted) {
	return func(r *harness, _ *scripted) { r.press(names...) }
}

// dialogs are what is asked and typed over a debate.
func dialogs() []dialog {
	running := func(r *harness, script *scripted) {
		r.press("space")
		script.current().speaking(held(3, 1, 4))
		r.wait(2 * time.Second)
	}
	one := sessionOf(func() debate.Session { return held(3, 1, 4) })
	return []dialog{
		{"cancel a seat", one, running, press("1", "x", "")},
		{"quit while a round runs", one, running, press("ctrl+c", "")},
		{"pause at once", one, running, press("space", "space", "")},
		{"pause at the end", one, running, press("space")},
		{"end after the round", one, running, press("S", "")},
		{"then it ends", one, running, all(press("S", ""), press("S"))},
		{"a focus question", one, nil, all(press("f"), typing("What does a restore cost us?"))},
		{"an interjection", one, nil, all(press("i"), typing("The reports are read once a month."))},
		{"export", one, nil, press("e", "")},
		{"add a round", one, nil, press("+")},
		{"end now", one, nil, press("S", "")},
		{"another budget", one, nil, all(press(":"), typing("budget"), press("enter"))},
		{"no such command", one, nil, press(":", "z", "z")},
		{"a command that cannot run", one, nil, all(press(":"), typing("verdict"))},
		{"the keys, filtered", one, nil, press("?", "r", "o")},
		{"the keys of the verdict", sessionOf(concluded), nil, press("?")},
		{"the keys of the list", weekly, nil, press("?")},
		{"nothing can be saved", func() tui.Deps {
			d := one()
			d.ReadOnly = "the database is read-only"
			return d
		}, nil, nil},
		{"no model answered", one, nil, func(r *harness, script *scripted) {
			r.press("space")
			s := held(3, 1, 4)
			err := &debate.RoundFailedError{Round: 2}
			for _, p := range s.Seats {
				cause := p.Provider + " does not answer: connection refused"
				err.Causes = append(err.Causes, debate.MissingResponse{Agent: p.ID, Name: p.Name, Cause: cause})
			}
			script.current().end(s, err)
			r.wait(time.Second)
		}},
		{"only one seat answered", one, nil, func(r *harness, script *scripted) {
			r.press("space")
			script.current().end(openRound(3), openRound(3).OpenRound())
			r.wait(time.Second)
		}},
		{"end at the gate", sessionOf(gate), nil, press("shift+tab", "enter", "")},
		{"refused", sessionOf(gate), nil, press("ctrl+s")},
		{"cannot save", sessionOf(gate), nil, func(r *harness, script *scripted) {
			r.wait(2 * time.Second)
			r.typeText("42")
			script.mu.Lock()
			script.fail = errors.New("the disk is full")
			script.mu.Unlock()
			r.press("ctrl+s")
		}},
		{"the tool log, filtered", sessionOf(working), nil, all(press("t", "/"), typing("grafana"))},
		{"the tool log, no match", sessionOf(working), nil, all(press("t", "/"), typing("nowhere"))},
	}
}

// The rows of the screen that a dialog changes.
func TestDialogs(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	for _, d := range append(dialogs(), secondDialogs()...) {
		drawScreen(t, screenCase{d.name, d.deps, d.before}, dark, func(r *harness) {
			r.wait(2 * time.Second)
			before := r.resized(80, 24)
			if d.open == nil {
				before = ""
			} else {
				script, _ := r.deps.Player.(*scripted)
				d.open(r, script)
			}
			fmt.Fprintf(&out, "=== %s\n%s\n", d.name, changedRows(before, r.resized(80, 24)))
		})
	}
	golden.RequireEqual(t, out.String())
}

// changedRows returns the rows of a screen that differ from those before it, each
// with its number.
func changedRows(before, after string) string {
	var out strings.Builder
	old := strings.Split(ansi.Strip(before), "\n")
	for i, row := range strings.Split(ansi.Strip(after), "\n") {
		if i >= len(old) || old[i] != row {
			out.WriteString(strings.TrimRight(fmt.Sprintf("%2d %s", i, row), " ") + "\n")
		}
	}
	return out.String()
}

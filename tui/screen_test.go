package tui_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/tui"
	"roundtable/tui/setup"
)

// Each kind of screen in its usual states. What must hold in every state and at every size is in
// TestScreen_isWholeAtEverySize.
func TestScreen(t *testing.T) {
	t.Parallel()
	eight := mainScreens(8)[0]
	eight.name = "debate of eight seats"
	for _, at := range []struct {
		w, h  int
		cases []screenCase
	}{
		{80, 24, slices.Concat(mainScreens(3), debateScreens(3), newDebateScreens()[:6], homeScreens()[:2], evidenceScreens(),
			forkScreens()[:6], reviewScreens())},
		{120, 36, slices.Concat(mainScreens(3), []screenCase{eight}, homeScreens()[:1], reviewScreens()[:2])},
	} {
		for _, c := range at.cases {
			t.Run(fmt.Sprintf("%dx%d/%s", at.w, at.h, strings.ReplaceAll(c.name, ",", "")), func(t *testing.T) {
				t.Parallel()
				drawScreen(t, c, dark, func(r *harness) {
					rows := strings.Split(ansi.Strip(r.resized(at.w, at.h)), "\n")
					for i, row := range rows {
						rows[i] = strings.TrimRight(row, " ")
					}
					golden.RequireEqual(t, strings.Join(rows, "\n")+"\n")
				})
			})
		}
	}
}

// dialog is what is asked or typed over a screen.
type dialog struct {
	name string
	deps func() tui.Deps
	// before brings the screen below into its state, open opens the dialog; both may be nil.
	before, open func(r *harness, script *scripted)
}

func dialogs() []dialog {
	one, over := sessionOf(round1Done), sessionOf(concluded)
	ends := func(err error) func(r *harness, script *scripted) {
		return func(r *harness, script *scripted) {
			r.press("space")
			r.over(openRound(3), err)
		}
	}
	return []dialog{
		{"cancel a seat", one, speaks(3), press("1", "x", "")},
		{"quit while a round runs", one, speaks(3), press("ctrl+c", "")},
		{"pause at the end", one, speaks(3), press("space")},
		{"pause at once", one, speaks(3), press("space", "space", "")},
		{"end after the round", one, speaks(3), press("S", "")},
		{"then it ends", one, speaks(3), press("S", "", "S")},
		{"another debate while a round runs", one, speaks(3), press("s", "ctrl+n", "Rust or Go?", "ctrl+s", "")},
		{"a focus question", one, nil, press("f", "What does a restore cost us?")},
		{"a message in the last round", sessionOf(func() debate.Session { return held(3, 2, 2) }), nil, press("i")},
		{"export", one, nil, press("e", "")},
		{"end now", one, nil, press("S", "")},
		{"another budget", one, nil, press(":", "budget", "enter")},
		{"no such command", one, nil, press(":", "z", "z")},
		{"a command that cannot run", one, nil, press(":", "verdict")},
		{"a key that can do nothing", one, nil, press("v")},
		{"a command to approve", one, nil, func(r *harness, script *scripted) {
			r.press("space")
			script.current().events <- asksToRun("t1", "go", "test", "./billing/...")
			r.wait(2 * time.Second)
			r.press("A")
		}},
		{"no model answered", one, nil, ends(&debate.RoundFailedError{Round: 2, Causes: []debate.MissingResponse{
			{Agent: "ada", Name: "Ada", Cause: "openai refused the key (401)."}, {Agent: "cy", Name: "Cy", Cause: "ollama does not answer."},
		}})},
		{"only one seat answered", one, nil, ends(openRound(3).OpenRound())},
		{"end at the gate", sessionOf(gate), nil, keys("shift+tab", "enter", "")},
		{"nothing is answered", sessionOf(gate), nil, keys("ctrl+s", "ctrl+s", "ctrl+s")},
		{"the start row", sessionOf(gate), nil, keys("42", "ctrl+s", "ctrl+s")},
		{"cannot save", sessionOf(gate), nil, func(r *harness, script *scripted) {
			r.wait(2 * time.Second)
			r.press("42")
			script.fails("the disk is full")
			r.press("ctrl+s")
		}},
		{"another round after the verdict", over, nil, press("+", "")},
		{"retry after the verdict", sessionOf(failedAtTheEnd), press("esc"), press("1", "R", "")},
		{"a follow-up question", over, nil, press("a", "What is left to fear?")},
		{"a follow-up is answered", over, nil, func(r *harness, script *scripted) {
			r.asksChair(script)
			r.wait(2 * time.Second)
		}},
		{"the database is gone", lostDeps, nil, press("q", "")},
		{"quit without the database", lostDeps, nil, press("ctrl+c", "")},
		{"quit with a draft that is lost", func() tui.Deps {
			d := offering(3)
			d.ReadOnly = "the database is read-only"
			return d
		}, nil, press(" Now?", "ctrl+c", "")},
		{"a panel that exists", func() tui.Deps {
			d := offering(3)
			d.SavePanel = func(context.Context, setup.NewPanel) (string, error) {
				return "", &setup.ConsentError{Question: "Write a config with 3 seats to config.toml?", Verb: "write it"}
			}
			return d
		}, keys("tab", "tab"), press("w", "four", "enter", "")},
	}
}

// asksChair asks the chair after the verdict, which begins to answer.
func (r *harness) asksChair(script *scripted) agents.Turn {
	r.press("a", "What is left to fear?", "enter")
	answers := turn("brook", 4)
	answers.Step = debate.FollowUpStep
	script.current().events <- debate.FollowUpStarted{
		Turn: answers, Profile: concluded().Seats[1], Question: "What is left to fear?",
	}
	script.current().events <- debate.Text{Turn: answers, Text: "The report job, until it is moved."}
	return answers
}

// demonstrated is the debate of the demo, whose first round runs.
func demonstrated() debate.Session {
	s := session(3, 2)
	for i := range s.Seats {
		s.Seats[i].Provider = debate.DemoProvider
	}
	return s
}

// failedAtTheEnd is a concluded debate in whose last round Ada failed.
func failedAtTheEnd() debate.Session {
	s := concluded()
	x := &s.History[3].Responses[0]
	x.State, x.Statement = debate.TurnFailed, debate.Statement{}
	x.Failure = &debate.TurnFailure{Kind: agents.KindNetwork, Cause: "openai does not answer."}
	return s
}

// lostDeps are those of a debate whose database was removed.
func lostDeps() tui.Deps {
	d := sessionOf(round1Done)()
	d.Check = func() error {
		return errors.New("Cannot save: the database was removed or moved (/data/roundtable.db).")
	}
	d.SaveCopy = func(context.Context) (string, error) { return "/home/roundtable-copy.db", nil }
	return d
}

// The rows of the screen that each dialog changes.
func TestDialogs(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	for _, d := range dialogs() {
		drawScreen(t, screenCase{d.name, d.deps, d.before}, dark, func(r *harness) {
			r.wait(2 * time.Second)
			before := r.resized(80, 24)
			script, _ := r.deps.Player.(*scripted)
			d.open(r, script)
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
		if old[i] != row {
			out.WriteString(strings.TrimRight(fmt.Sprintf("%2d %s", i, row), " ") + "\n")
		}
	}
	return out.String()
}

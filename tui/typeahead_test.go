package tui_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/tui"
)

// sentence is text whose every letter is a key somewhere.
const sentence = "export pause quit delete fork x q e p A"

// moment is a debate at a moment at which the user can type.
type moment struct {
	session func() debate.Session
	scene   func(r *harness, script *scripted) // nil: as it is opened
}

// moments are those of the life of a debate, and the list of sessions over it.
func moments() map[string]moment {
	begun := func() debate.Session { return held(3, 1, 4) }
	plays := func(s func() debate.Session) func(r *harness, script *scripted) {
		return func(r *harness, script *scripted) {
			r.press("space")
			script.current().speaking(s())
			r.wait(time.Second)
		}
	}
	last := func() debate.Session { return held(3, 1, 2) }
	return map[string]moment{
		"before round 1":      {session: func() debate.Session { return session(3, 2) }},
		"streaming":           {session: begun, scene: plays(begun)},
		"streaming, to pause": {session: begun, scene: all(plays(begun), press("space"))},
		"the last round":      {session: last, scene: plays(last)},
		"paused":              {session: begun},
		"gate, form open":     {session: gate},
		"gate, form waits":    {session: begun, scene: func(r *harness, script *scripted) { r.ends(script, time.Second) }},
		"gate, form closed":   {session: gate, scene: keys("esc")},
		"round cut off":       {session: interrupted},
		"round failed": {session: begun, scene: func(r *harness, script *scripted) {
			r.press("space")
			script.current().end(openRound(3), openRound(3).OpenRound())
		}},
		"verdict":           {session: concluded},
		"after the verdict": {session: concluded, scene: keys("esc")},
		"follow-up streaming": {session: concluded, scene: func(r *harness, script *scripted) {
			r.press("a")
			r.typeText("Why?")
			r.press("enter")
			answers := turn("brook", 4)
			answers.Step = debate.FollowUpStep
			script.current().events <- debate.FollowUpStarted{Turn: answers, Profile: agents.Profile{ID: "brook", Name: "Brook"}, Question: "Why?"}
			r.wait(time.Second)
		}},
		"list": {session: concluded, scene: keys("s")},
	}
}

// begun is the program at a moment, without a screen.
type begun struct {
	*harness
	script *scripted
}

func (m moment) begin(t *testing.T, blind bool) begun {
	d := m.session()
	b := begun{script: storing(d)}
	deps := b.script.deps()
	deps.Start.Session, deps.Receipts = d.ID, sent{d}
	b.harness = launch(t, 80, 24, deps, blind)
	b.wait(time.Second)
	if m.scene != nil {
		m.scene(b.harness, b.script)
	}
	b.wait(2 * time.Second) // the form listens
	return b
}

// done tells what the program has been made to do; what is typed may be kept.
func (b begun) done() string {
	b.script.mu.Lock()
	calls := slices.DeleteFunc(slices.Clone(b.script.calls), func(call string) bool { return strings.HasPrefix(call, "draft ") })
	runs := b.script.runs
	b.script.mu.Unlock()
	said := fmt.Sprintf("did %q", calls)
	for _, run := range runs {
		said += fmt.Sprintf(", a run that is to pause: %t, asked %q", run.paused.Load(), run.wasAsked())
		select {
		case <-run.stopped:
			said += ", stopped"
		default:
		}
	}
	select {
	case err := <-b.harness.done:
		b.harness.done <- err
		said += ", ended"
	default:
	}
	return said
}

// close ends the program, and all runs.
func (b begun) close() {
	for _, run := range b.script.runs {
		finish(b.harness, run)
	}
	b.stop()
}

// Who presses a key that opens a prompt, a form or a question, or that can do nothing now,
// and types on without looking, runs no command: at any moment of a debate.
func TestTypeAhead_runsNothing(t *testing.T) {
	t.Parallel()
	all := moments()
	for i, name := range slices.Sorted(maps.Keys(all)) {
		if testing.Short() && i%4 != 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var pressed []string
			synctest.Test(t, func(t *testing.T) {
				b := all[name].begin(t, true)
				pressed = tui.Keys(b.model)
				b.close()
			})
			slices.Sort(pressed)
			tried := 0
			for k, key := range slices.Compact(pressed) {
				if (i+k)%2 != 0 && os.Getenv("ROUNDTABLE_LONG") == "" {
					continue // at other moments it is tried
				}
				synctest.Test(t, func(t *testing.T) {
					b := all[name].begin(t, true)
					defer b.close()
					refused := tui.Refuses(b.model, key)
					b.press(key)
					if !refused && !tui.Awaits(b.model) {
						return
					}
					tried++
					before := b.done()
					b.typeText(sentence)
					b.wait(time.Second)
					if after := b.done(); after != before {
						t.Errorf("%s (refused: %t) before %q:\n%s\nand before that\n%s", key, refused, sentence, after, before)
					}
				})
			}
			if tried < 3 {
				t.Errorf("only %d of %q were tried", tried, pressed)
			}
		})
	}
}

// A printable key without a command begins a sentence as well: its blank starts no round, and the
// row says where text can be typed. Pasted text becomes a message.
func TestTypeAhead_afterAKeyWithoutACommand(t *testing.T) {
	for _, text := range []string{"I do", "% of it", "0 do", "é do", "_ x"} {
		bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *harness, script *scripted) {
			r.typeText(text)
			r.sees("Not typed anywhere: i tells a seat, / searches.")
			r.wait(time.Second)
			if len(script.runs) > 0 {
				t.Errorf("%q started a round", text)
			}
			r.prog.Send(tea.PasteMsg{Content: "Mind the cost."})
			r.wait(time.Second)
			r.sees("> Mind the cost.")
			r.press("esc", "space")
			script.current().end(held(3, 1, 4), nil)
			r.wait(time.Second) // the next round begins, and is ended with the others
		})
	}
}

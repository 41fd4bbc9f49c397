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
	"roundtable/internal/keymap"
	"roundtable/tui"
)

// typedSentences go on after any first character. Their letters are keys somewhere.
func typedSentences() []string {
	return []string{" would be it, so export + pause x q", "n that; see R for the price", "ut I do not = delete it, fork A"}
}

// moment is a debate at a moment at which the user can type.
type moment struct {
	session func() debate.Session
	scene   func(r *harness, script *scripted) // nil: as it is opened
}

// moments are those of the life of a debate, and the list of sessions over it.
func moments() map[string]moment {
	begun := round1Done
	plays := func(s func() debate.Session) func(r *harness, script *scripted) {
		return func(r *harness, script *scripted) {
			r.plays(s())
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
			r.press("a", "Why?", "enter")
			answers := turn("brook", 4)
			answers.Step = debate.FollowUpStep
			r.hears(debate.FollowUpStarted{Turn: answers, Profile: agents.Profile{ID: "brook", Name: "Brook"}, Question: "Why?"})
		}},
		"list": {session: concluded, scene: keys("s")},
	}
}

// begun is the program at a moment, without a screen.
type begun struct {
	*harness
	script *scripted
}

func (m moment) begin(t *testing.T, blind bool, keys keymap.Changes) begun {
	d := m.session()
	b := begun{script: storing(d)}
	deps := b.script.deps()
	deps.Start.Session, deps.Receipts, deps.Keys = d.ID, sent{d}, keys
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
		finish(run)
	}
	b.stop()
}

// Text typed where nothing takes it does what its first key alone does, and no more: whatever
// character it begins with, at any moment of a debate, and with keys of one's own.
func TestTypeAhead_runsNothing(t *testing.T) {
	t.Parallel()
	all, every := moments(), 8
	if os.Getenv("ROUNDTABLE_LONG") != "" {
		every = 1
	}
	own := keymap.Changes{"end": {"w"}, "answer": {"B"}, "export": {"%"}, "fork": {"K"}}
	for i, name := range slices.Sorted(maps.Keys(all)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			does := func(keys keymap.Changes, first, rest string) (done string) {
				synctest.Test(t, func(t *testing.T) {
					b := all[name].begin(t, true, keys)
					defer b.close()
					b.prog.Send(keyOf(first))
					b.wait(time.Millisecond)
					b.typeText(rest)
					b.wait(time.Second)
					done = b.done()
				})
				return done
			}
			for k, first := range firstKeys(t, all[name]) {
				if (i+k)%every != 0 {
					continue // at other moments it is tried
				}
				keys := []keymap.Changes{nil, own}[k/every%2]
				rest := typedSentences()[(i+k/every)%len(typedSentences())]
				if len([]rune(first)) > 1 { // it is no letter, and the blank would be the next key
					rest = strings.TrimSpace(rest)
				}
				if alone, all := does(keys, first, ""), does(keys, first, rest); all != alone {
					t.Errorf("%s before %q:\n%s\nand alone\n%s", first, rest, all, alone)
				}
			}
		})
	}
}

// firstKeys returns all printable keys, and the others that have a command at a moment.
func firstKeys(t *testing.T, m moment) (keys []string) {
	synctest.Test(t, func(t *testing.T) {
		b := m.begin(t, true, nil)
		keys = tui.Keys(b.model)
		b.close()
	})
	for c := '!'; c <= '~'; c++ {
		keys = append(keys, string(c))
	}
	slices.Sort(keys)
	return slices.Compact(append(keys, "space", "é", "¿"))
}

// What is written down as keys one after the other runs at the speed of a fast hand.
func TestSequences_runAtTypingSpeed(t *testing.T) {
	for _, row := range []struct{ when, keys, sees string }{
		{"paused", "z tab z", "2 Brook"},
		{"paused", "1 z ] [ esc", "1 Ada"},
		{"paused", "/ o n e enter n N", "\"one\""},
		{"paused", "i h i esc i", "> hi"},
		{"paused", "e m", "Wrote"},
		{"paused", "g G j k ?", "Keys · Debate"},
		{"streaming", "space space", "space now"},
		{"streaming", "t esc Q esc", "round 2 of 4"},
		{"verdict", "O r n o t e enter", "right"},
		{"verdict", "esc s", "Debates"},
		{"list", "k j enter", "round 4"},
		{"list", "ctrl+p t h e m e enter", "theme = \"light\""},
	} {
		t.Run(row.when+" "+row.keys, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := moments()[row.when].begin(t, false, nil)
				defer b.close()
				for _, key := range strings.Fields(row.keys) {
					b.press(key)
					b.wait(19 * time.Millisecond)
				}
				b.sees(row.sees)
				b.misses("Not typed anywhere")
			})
		})
	}
}

// A printable key without a command begins a sentence as well: its blank starts no round, and the
// row says where text can be typed. Pasted text becomes a message.
func TestTypeAhead_afterAKeyWithoutACommand(t *testing.T) {
	for _, text := range []string{"I do", "% of it", "0 do", "é do", "_ x"} {
		bubble(t, round1Done, func(r *harness, script *scripted) {
			r.press(text)
			r.sees("Not typed anywhere: i tells a seat, / searches.")
			r.wait(time.Second)
			if len(script.runs) > 0 {
				t.Errorf("%q started a round", text)
			}
			r.prog.Send(tea.PasteMsg{Content: "Mind the cost."})
			r.wait(time.Second)
			r.sees("> Mind the cost.")
			r.press("esc", "space")
			r.over(held(3, 1, 4), nil) // the next round begins, and is ended with the others
		})
	}
}

// Text that is pasted where nothing takes it is not lost in silence. The search of help takes it.
func TestPaste_goesToAFieldOrSaysSo(t *testing.T) {
	for name, row := range map[string]struct {
		when string
		keys []string
		sees string
	}{
		"the list":       {"list", nil, "Nothing here takes text."},
		"its search":     {"list", []string{"/"}, "/ Mind"},
		"the keys":       {"paused", []string{"?"}, "/ Mind"},
		"panes":          {"paused", nil, "> Mind"},
		"a verdict":      {"verdict", nil, "Nothing here takes text."},
		"the palette":    {"list", []string{"ctrl+p"}, "/ Mind"},
		"a field's text": {"paused", []string{"i", "?"}, "> ?Mind"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := moments()[row.when].begin(t, false, nil)
				defer b.close()
				b.press(row.keys...)
				b.prog.Send(tea.PasteMsg{Content: "Mind"})
				b.wait(time.Second)
				b.sees(row.sees)
			})
		})
	}
}

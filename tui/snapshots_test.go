package tui_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/evidence"
	"roundtable/tui"
	"roundtable/tui/setup"
	"roundtable/tui/theme"
)

// screenCase is a screen in one state; a golden has it at one size.
type screenCase struct {
	name  string
	deps  func() tui.Deps
	scene func(r *harness, script *scripted)
}

// dark is the theme of most screens.
var dark = theme.Options{Dark: true, Profile: colorprofile.TrueColor}

// drawScreen runs the program, brings it into the state of a case, and passes the
// harness to take.
func drawScreen(t *testing.T, m screenCase, look theme.Options, take func(r *harness)) {
	synctest.Test(t, func(t *testing.T) {
		sleepUntil(t, "14:36:00")
		deps := m.deps()
		deps.Theme = look
		script, _ := deps.Player.(*scripted)
		r := start(t, 140, 40, deps)
		defer r.stop()
		if m.scene != nil {
			m.scene(r, script)
		}
		take(r)
		for _, run := range script.runs {
			finish(r, run)
		}
	})
}

// resized returns what is on the screen in another size, which it must fill exactly.
func (r *harness) resized(w, h int) string {
	r.t.Helper()
	r.prog.Send(tea.WindowSizeMsg{Width: w, Height: h})
	r.wait(61 * time.Millisecond)
	content := r.last.Load().Content
	lines := strings.Split(content, "\n")
	if len(lines) != h {
		r.t.Errorf("%d rows, want %d", len(lines), h)
	}
	for i, l := range lines {
		if n := ansi.StringWidth(l); n != w {
			r.t.Errorf("row %d has %d cells, want %d: %q", i, n, w, ansi.Strip(l))
		}
	}
	return content
}

// paste pastes a text.
func (r *harness) paste(text string) {
	r.prog.Send(tea.PasteMsg{Content: text})
	r.wait(time.Millisecond)
}

// snapshot is a drawn screen with its heading, without blanks at the ends of rows
// and blank rows at the end.
func snapshot(heading, content string) string {
	var rows []string
	for l := range strings.SplitSeq(ansi.Strip(content), "\n") {
		rows = append(rows, strings.TrimRight(l, " "))
	}
	return "=== " + heading + "\n" + strings.Join(rows, "\n") + "\n"
}

// snapshots draws cases at 80x24 and compares each with its golden.
func snapshots(t *testing.T, cases ...screenCase) {
	for _, c := range cases {
		t.Run(strings.ReplaceAll(strings.ReplaceAll(c.name, ",", ""), " ", "-"), func(t *testing.T) {
			drawScreen(t, c, dark, func(r *harness) {
				golden.RequireEqual(t, snapshot(c.name, r.resized(80, 24)))
			})
		})
	}
}

// everyoneAsks is a debate of so many seats that waits after its second round:
// each seat has asked something.
func everyoneAsks(seats int) debate.Session {
	s := held(seats, 2, 4)
	for i, p := range s.Seats {
		r := request(fmt.Sprintf("C%d", i+1), p.ID, 2, []ledger.Priority{ledger.Required, ledger.Optional}[i%2], fmt.Sprintf("What does %s need to know about the peak of the billing service?", p.Name), "It decides between the two sides.")
		r.Asks[0].Call = turn(p.ID, 2).ToolCall(1)
		s.Requests = append(s.Requests, r)
	}
	return s
}

// lastCutOff is a debate of so many seats of which the last was cut off in round
// 2; each has used a tool.
func lastCutOff(seats int) debate.Session {
	s := held(seats, 2, 4)
	r := &s.History[1]
	r.Ended = time.Time{}
	for i := range r.Responses {
		x := &r.Responses[i]
		x.Passages = append([]debate.Passage{{Tools: []debate.ToolRecord{called(x.Turn, 1, "search", `{"pattern": "BEGIN", "glob": "**/*.go"}`, "8 matches in 3 files", 4*(i+1))}}}, x.Passages...)
	}
	last := &r.Responses[seats-1]
	last.State, last.Statement = debate.TurnInterrupted, debate.Statement{}
	last.Failure = &debate.TurnFailure{Kind: agents.KindInterrupted, Cause: "The program ended meanwhile."}
	return s
}

// withReceipts is a debate of so many seats with receipts.
func withReceipts(seats int) tui.Deps {
	s := sessionWithPromptedStatements()
	if seats != 3 {
		more := held(seats, 2, 4)
		ids := make([]agents.ID, seats)
		for i, p := range more.Seats {
			ids[i] = p.ID
		}
		more.Nonce, more.Mode = s.Nonce, s.Mode
		for i := range more.History {
			r := &more.History[i]
			r.Manifest = debate.Manifest{Session: s.ID, Round: r.Number, Rounds: 4, Seats: ids}
			for _, x := range more.History[0].Responses[:i*seats] {
				r.Manifest.Responses = append(r.Manifest.Responses, x.ID())
			}
			for j := range r.Responses {
				r.Responses[j].SeenResponses = r.Manifest.Responses
			}
			r.Hash = r.Manifest.Hash()
		}
		s = more
	}
	d := storing(s).deps()
	d.Receipts, d.Start.Session = sent{s}, s.ID
	return d
}

// offering offers so many seats to a new debate.
func offering(seats int) tui.Deps {
	script := storing(gate())
	script.offer = offered()
	script.offer.Seats = nil
	for _, p := range panel(seats) {
		script.offer.Seats = append(script.offer.Seats, setup.SeatOption{
			Profile: p, Chosen: true, Local: p.Provider == "ollama",
			Company: strings.ToUpper(p.Provider[:1]) + p.Provider[1:],
		})
	}
	d := script.deps()
	d.Start = tui.Start{New: true, Topic: "Should billing move to SQLite?", Rounds: 4}
	return d
}

// debateScreens are the screens of a debate with so many seats.
func debateScreens(seats int) []screenCase {
	of := func(s func(int) debate.Session) func() tui.Deps {
		return sessionOf(func() debate.Session { return s(seats) })
	}
	return []screenCase{
		{"home", func() tui.Deps { return storing(everyoneAsks(seats)).deps() }, nil},
		{"new debate", func() tui.Deps { return offering(seats) }, keys("tab", "tab", "tab")},
		{"form", of(everyoneAsks), keys()},
		{"unavailable", of(everyoneAsks), all(keys("ctrl+x"), func(r *harness, _ *scripted) { r.typeText("Nobody knows.") })},
		{"resumed", of(lastCutOff), keys()},
		{"zoom", of(lastCutOff), keys("2", "z")},
		{"find", of(lastCutOff), all(keys("1", "/"), func(r *harness, _ *scripted) { r.typeText("invoices"); r.press("enter") })},
		{"tool log", of(lastCutOff), keys("t", "k")},
		{"receipt", func() tui.Deps { return withReceipts(seats) }, func(r *harness, _ *scripted) { r.press("2", "p", "N"); r.wait(time.Second) }},
		{"verdict", of(concludedBy), keys()},
		{"keys", of(lastCutOff), keys("?")},
		{"palette", of(lastCutOff), keys(":", "r", "o")},
	}
}

// longTitles has sessions with long and wide titles, and with requests of both
// kinds.
func longTitles() tui.Deps {
	script := storing()
	script.list = weekOfSessions()
	script.list[0].Topic = "Should billing move to SQLite, and if so, before or after the invoices of the year's end are written, with or without the report job?"
	script.list[0].Required, script.list[0].Optional = 12, 3
	script.list[1].Title, script.list[5].Topic = "Übergang: Паскали, 請求システム und e\u0301 "+strings.Repeat("weiter ", 20), strings.Repeat("請求システムをSQLiteへ移すか", 8)
	script.list[2].Running = true
	return script.deps()
}

func TestScreen_home(t *testing.T) { snapshots(t, homeScreens()...) }

// homeScreens are the list of sessions in its states.
func homeScreens() []screenCase {
	searching := func(text string) func(r *harness, _ *scripted) {
		return func(r *harness, _ *scripted) {
			r.press("/")
			r.typeText(text)
			r.wait(time.Second)
		}
	}
	return []screenCase{
		{"empty", func() tui.Deps { return storing().deps() }, keys("esc")},
		{"long titles, many waiting", longTitles, nil},
		{"the last of a week", weekly, keys("j", "j", "j", "j", "j", "j")},
		{"on the new debate", weekly, keys("k")},
		{"searching, nothing typed", weekly, keys("/")},
		{"filtered, no match", weekly, searching("append-olny status:needs")},
		{"found", func() tui.Deps {
			d := weekly()
			d.Sessions = findsThree{d.Sessions.(*scripted)}
			return d
		}, searching("append-only")},
		{"renaming", weekly, keys("r")},
		{"deleted, with undo", weekly, keys("j", "x")},
		{"beside an open debate", sessionOf(cutShort), keys("s")},
		{"cannot be opened", weekly, keys("enter")},
	}
}

func TestScreen_newDebate(t *testing.T) {
	for _, c := range newDebateScreens() {
		t.Run(strings.ReplaceAll(strings.ReplaceAll(c.name, ",", ""), " ", "-"), func(t *testing.T) {
			drawScreen(t, c, dark, func(r *harness) {
				golden.RequireEqual(t, snapshot(c.name, r.resized(80, 24))+snapshot(c.name+", wide", r.resized(120, 36)))
			})
		})
	}
}

// newDebateScreens are the form of a new debate in its states.
func newDebateScreens() []screenCase {
	offers := func(change func(d *tui.Deps, o *setup.Options)) func() tui.Deps {
		return func() tui.Deps {
			d := offering(3)
			change(&d, &d.Player.(*scripted).offer)
			return d
		}
	}
	plain := offers(func(*tui.Deps, *setup.Options) {})
	listed := offers(func(_ *tui.Deps, o *setup.Options) {
		o.Modes[0].Question, o.Modes[0].Perspectives, o.Light = debate.QuestionChoice, []string{"cost", "risk"}, &o.Seats[0].Profile
		o.Faults = []string{`modes/mine.toml:14: unknown field "visibilty"; did you mean visibility? The mode is left out.`}
	})
	return []screenCase{
		{"a long topic", plain, all(keys(), func(r *harness, _ *scripted) {
			r.paste(" " + strings.Repeat("It holds every invoice of nine years. ", 8))
		})},
		{"all modes", plain, keys("tab", "tab", "tab", "enter")},
		{"a panel to save", offers(func(d *tui.Deps, o *setup.Options) {
			d.SavePanel = func(context.Context, setup.NewPanel) (string, error) { return "", nil }
			o.Panels = []setup.PanelOption{{Name: "four", Configured: true}}
		}), keys("tab", "tab", "w", "q")},
		{"lists, faulty mode", listed, keys("tab", "tab", "tab")},
		{"a typed list", listed, all(keys("tab"), func(r *harness, _ *scripted) { r.paste("stay; go; go, but later; " + strings.Repeat("and so on; ", 9)) })},
		{"too few seats", func() tui.Deps { return offering(2) }, keys("tab", "tab", "down", "space", "ctrl+s")},
		{"one family", offers(func(_ *tui.Deps, o *setup.Options) {
			for i := range o.Seats {
				o.Seats[i].Profile.Model = "gpt-5-mini"
			}
		}), keys("tab", "tab")},
		{"no model", offers(func(_ *tui.Deps, o *setup.Options) {
			for i := range o.Seats {
				o.Seats[i].Problem = "no answer at localhost:11434"
			}
		}), keys("tab", "tab")},
		{"a typed budget", plain, keys("tab", "tab", "tab", "tab", "enter", "tab", "tab", "tab", "1", "2")},
		{"no text", offers(func(d *tui.Deps, _ *setup.Options) { d.Start.Topic = "" }), nil},
		{"a price to confirm", plain, keys("enter")},
		{"three paragraphs", offers(func(d *tui.Deps, _ *setup.Options) {
			d.Start.Topic = "Should billing move to SQLite?\n\nIt writes 42 times a second at most.\n\nThe ledger must stay append-only."
		}), nil},
		{"a missing file", offers(func(d *tui.Deps, _ *setup.Options) {
			d.Files = &folder{Finder: evidence.Finder{Dir: "testdata"}}
		}), func(r *harness, _ *scripted) { r.typeText(" See @nothere.txt, please") }},
		{"lists asked", offers(func(d *tui.Deps, o *setup.Options) {
			o.Ask = func(ctx context.Context) (setup.Options, error) { <-ctx.Done(); return *o, ctx.Err() }
			d.Offer = func(context.Context) (setup.Options, error) { return *o, nil }
		}), keys("enter")},
	}
}

// tint finds what colours a cell: of the text, or of the row under the cursor.
var tint = regexp.MustCompile(`([34]8);2;(\d+);(\d+);(\d+)`)

// In light every screen is what it is in dark, each colour with that of its role.
func TestTheme_lightIsDarkInOtherColours(t *testing.T) {
	t.Parallel()
	roles := func(dark bool) []string {
		th := theme.New(theme.Options{Dark: dark, Profile: colorprofile.TrueColor})
		sgr := func(s string) []string { return tint.FindAllString(s, -1) }
		var out []string
		for _, s := range []string{
			th.Muted.Render("x"), th.Faint.Render("x"), th.Line.Render("x"), th.Accent.Render("x"),
			th.Success.Render("x"), th.Warning.Render("x"), th.Danger.Render("x"),
		} {
			out = append(out, sgr(s)...)
		}
		for n := 1; n <= theme.Seats; n++ {
			out = append(out, sgr(th.Seat(n).Render("x"))...)
		}
		return append(out, sgr(th.Selected().Text.Render("x"))...)
	}
	inDark, inLight := roles(true), roles(false)
	if len(inDark) != 7+theme.Seats+2 || len(inLight) != len(inDark) {
		t.Fatalf("%d roles in dark, %d in light", len(inDark), len(inLight))
	}
	sizes := sizes[:3]
	if testing.Short() {
		sizes = sizes[1:2]
	}
	for _, m := range debateScreens(8) {
		var views [2][]string
		for i, dark := range []bool{true, false} {
			drawScreen(t, m, theme.Options{Dark: dark, Profile: colorprofile.TrueColor}, func(r *harness) {
				for _, size := range sizes {
					views[i] = append(views[i], r.resized(size[0], size[1]))
				}
			})
		}
		for i, size := range sizes {
			used := map[string]bool{}
			want := tint.ReplaceAllStringFunc(views[0][i], func(s string) string {
				at := slices.Index(inDark, s)
				if at < 0 {
					t.Errorf("%s at %v has %s, which is the colour of no role", m.name, size, s)
					return s
				}
				used[s] = true
				return inLight[at]
			})
			if views[1][i] != want {
				t.Errorf("%s at %v in light is\n%s\nand in dark\n%s", m.name, size, views[1][i], views[0][i])
			}
			if len(used) < 2 { // text has the terminal's own
				t.Errorf("%s at %v has %d colours only", m.name, size, len(used))
			}
		}
	}
}

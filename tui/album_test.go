package tui_test

import (
	"errors"
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
	"roundtable/tui"
	"roundtable/tui/setup"
	"roundtable/tui/theme"
)

// motif is a screen in one state; an album has it in every size of sizes.
type motif struct {
	name  string
	deps  func() tui.Deps
	scene func(r *rig, script *scripted)
}

// shoot runs the program, brings it into a state, and hands its rig over.
func shoot(t *testing.T, m motif, look theme.Options, take func(r *rig)) {
	synctest.Test(t, func(t *testing.T) {
		thursday(t, "14:36:00")
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
func (r *rig) resized(w, h int) string {
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
func (r *rig) paste(text string) {
	r.prog.Send(tea.PasteMsg{Content: text})
	r.wait(time.Millisecond)
}

// page is a picture with its heading; blanks at the ends of rows, and blank rows
// at the end, are left out.
func page(heading, content string) string {
	var rows []string
	for l := range strings.SplitSeq(ansi.Strip(content), "\n") {
		rows = append(rows, strings.TrimRight(l, " "))
	}
	return "=== " + heading + "\n" + strings.Join(rows, "\n") + "\n"
}

// album draws motifs in some sizes and compares all of it with one golden.
func album(t *testing.T, sizes [][2]int, motifs ...motif) {
	var out strings.Builder
	for _, m := range motifs {
		shoot(t, m, theme.Options{Dark: true, Profile: colorprofile.TrueColor}, func(r *rig) {
			for _, size := range sizes {
				out.WriteString(page(m.name+" "+runSize(size[0], size[1]), r.resized(size[0], size[1])))
			}
		})
	}
	golden.RequireEqual(t, out.String())
}

// inquisitive is a debate of so many seats that waits after its second round: each
// seat has asked something.
func inquisitive(seats int) debate.Session {
	s := held(seats, 2, 4)
	for i, p := range s.Seats {
		r := request(fmt.Sprintf("C%d", i+1), p.ID, 2, []ledger.Priority{ledger.Required, ledger.Optional}[i%2], fmt.Sprintf("What does %s need to know about the peak of the billing service?", p.Name), "It decides between the two sides.")
		r.Asks[0].Call = turn(p.ID, 2).ToolCall(1)
		s.Requests = append(s.Requests, r)
	}
	return s
}

// cutBy is a debate of so many seats of which the last was cut off in round 2, and
// each has used a tool.
func cutBy(seats int) debate.Session {
	s := held(seats, 2, 4)
	r := &s.History[1]
	r.Ended, r.Consensus = time.Time{}, nil
	for i := range r.Responses {
		x := &r.Responses[i]
		x.Passages = append([]debate.Passage{{Tools: []debate.ToolRecord{called(x.Turn, 1, "search", `{"pattern": "BEGIN", "glob": "**/*.go"}`, "8 matches in 3 files", 4*(i+1))}}}, x.Passages...)
	}
	last := &r.Responses[seats-1]
	last.State, last.Statement = debate.TurnInterrupted, debate.Statement{}
	last.Failure = &debate.TurnFailure{Kind: agents.KindInterrupted, Cause: "The program ended meanwhile.", Retryable: true}
	return s
}

// handed is a debate of so many seats with receipts.
func handed(seats int) tui.Deps {
	s := handedOn()
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
	d := shelf(s).deps()
	d.Receipts, d.Start.Session = sent{s}, s.ID
	return d
}

// panelOf offers so many seats to a new debate.
func panelOf(seats int) tui.Deps {
	script := shelf(gate())
	script.offer = offered()
	script.offer.Seats = nil
	for _, p := range panel(seats) {
		script.offer.Seats = append(script.offer.Seats, setup.SeatOption{Profile: p, Chosen: true, Local: p.Provider == "ollama", Company: strings.ToUpper(p.Provider[:1]) + p.Provider[1:]})
	}
	d := script.deps()
	d.Start = tui.Start{New: true, Topic: "Should billing move to SQLite?", Rounds: 4}
	return d
}

// every are the screens of a debate with so many seats.
func every(seats int) []motif {
	of := func(s func(int) debate.Session) func() tui.Deps {
		return sessionOf(func() debate.Session { return s(seats) })
	}
	return []motif{
		{"home", func() tui.Deps { return shelf(inquisitive(seats)).deps() }, nil},
		{"new debate", func() tui.Deps { return panelOf(seats) }, keys("tab", "tab")},
		{"form", of(inquisitive), keys()},
		{"unavailable", of(inquisitive), all(keys("ctrl+x"), func(r *rig, _ *scripted) { r.typeText("Nobody knows.") })},
		{"resumed", of(cutBy), keys()},
		{"zoom", of(cutBy), keys("2", "z")},
		{"find", of(cutBy), all(keys("1", "/"), func(r *rig, _ *scripted) { r.typeText("invoices"); r.press("enter") })},
		{"tool log", of(cutBy), keys("t", "k")},
		{"receipt", func() tui.Deps { return handed(seats) }, func(r *rig, _ *scripted) { r.press("2", "p", "N"); r.wait(time.Second) }},
		{"verdict", of(concludedBy), keys()},
		{"help", of(cutBy), keys("?")},
		{"palette", of(cutBy), keys(":", "r", "o")},
	}
}

// Every screen with two, six and eight seats; three are in the goldens of their own.
func TestAlbum_seats(t *testing.T) {
	for i, m := range every(2) {
		t.Run(strings.ReplaceAll(m.name, " ", "-"), func(t *testing.T) {
			var motifs []motif
			for _, seats := range []int{2, 6, 8} {
				m := every(seats)[i]
				m.name += fmt.Sprintf(", %d seats", seats)
				motifs = append(motifs, m)
			}
			album(t, sizes, motifs...)
		})
	}
}

// named has sessions with long and wide titles, and with requests of both kinds.
func named() tui.Deps {
	script := shelf()
	script.list = week()
	script.list[0].Topic = "Should billing move to SQLite, and if so, before or after the invoices of the year's end are written, with or without the report job?"
	script.list[0].Required, script.list[0].Optional = 12, 3
	script.list[1].Title, script.list[5].Topic = "Übergang: Паскали, 請求システム und e\u0301 "+strings.Repeat("weiter ", 20), strings.Repeat("請求システムをSQLiteへ移すか", 8)
	script.list[2].Running = true
	return script.deps()
}

// The list of sessions in its states.
func TestAlbum_home(t *testing.T) {
	typing := func(text string) func(r *rig, _ *scripted) {
		return func(r *rig, _ *scripted) {
			r.press("/")
			r.typeText(text)
			r.wait(time.Second)
		}
	}
	album(t, sizes,
		motif{"empty", func() tui.Deps { return shelf().deps() }, keys("esc")},
		motif{"long titles, many waiting", named, nil},
		motif{"the last of a week", weekly, keys("j", "j", "j", "j", "j", "j")},
		motif{"on the new debate", weekly, keys("k")},
		motif{"searching, nothing typed", weekly, keys("/")},
		motif{"filtered, no match", weekly, typing("append-olny status:needs")},
		motif{"found", func() tui.Deps {
			d := weekly()
			d.Sessions = finding{d.Sessions.(*scripted)}
			return d
		}, typing("append-only")},
		motif{"renaming", weekly, keys("r")},
		motif{"deleted, with undo", weekly, keys("j", "x")},
		motif{"beside an open debate", sessionOf(cutShort), keys("s")},
		motif{"cannot be opened", weekly, keys("enter")},
	)
}

// The form of a new debate in its states.
func TestAlbum_newDebate(t *testing.T) {
	listed := func() tui.Deps {
		d := panelOf(3)
		o := &d.Player.(*scripted).offer
		o.Modes[0].Options, o.Modes[0].Criteria, o.Modes[0].Fill, o.Light = []string{"do it", "leave it"}, []string{"cost", "risk"}, "Name them.", &o.Seats[0].Profile
		o.Faults = []string{`modes/mine.toml:14: unknown field "visibilty"; did you mean visibility? The mode is left out.`}
		return d
	}
	album(t, sizes,
		motif{"a long topic", func() tui.Deps { return panelOf(3) }, all(keys(), func(r *rig, _ *scripted) { r.paste(" " + strings.Repeat("It holds every invoice of nine years. ", 8)) })},
		motif{"lists, faulty mode", listed, keys("tab", "tab")},
		motif{"a typed list", listed, all(keys("tab", "tab"), func(r *rig, _ *scripted) { r.paste("stay; go; go, but later; " + strings.Repeat("and so on; ", 9)) })},
		motif{"too few seats", func() tui.Deps { return panelOf(2) }, keys("tab", "tab", "space", "ctrl+s")},
		motif{"one family", func() tui.Deps {
			d := panelOf(3)
			o := &d.Player.(*scripted).offer
			for i := range o.Seats {
				o.Seats[i].Profile.Model = "gpt-5-mini"
			}
			return d
		}, keys("tab", "tab")},
		motif{"no model", func() tui.Deps {
			d := panelOf(3)
			o := &d.Player.(*scripted).offer
			for i := range o.Seats {
				o.Seats[i].Problem = "no answer at localhost:11434"
			}
			return d
		}, keys("tab", "tab")},
		motif{"a typed budget", func() tui.Deps { return panelOf(3) }, keys("tab", "tab", "tab", "tab", "tab", "1", "2")},
	)
}

// What is asked and typed over a debate.
func TestAlbum_dialogs(t *testing.T) {
	playing := func(names ...string) func(r *rig, script *scripted) {
		return func(r *rig, script *scripted) {
			r.press("space")
			script.current().speaking(held(3, 1, 4))
			r.wait(2*time.Second + 7*time.Millisecond)
			r.press(names...)
		}
	}
	one := sessionOf(func() debate.Session { return held(3, 1, 4) })
	album(t, sizes[:2], // in larger ones a row is as it is here
		motif{"cancel a seat", one, playing("1", "x")},
		motif{"quit while a round runs", one, playing("ctrl+c")},
		motif{"home while a round runs", one, playing("q")},
		motif{"pause at once", one, playing("P")},
		motif{"pause at the end", one, playing("space")},
		motif{"then it ends", one, playing("S")},
		motif{"a focus question", one, all(keys("f"), func(r *rig, _ *scripted) { r.typeText("What does a restore cost us?") })},
		motif{"an interjection", one, all(keys("i"), func(r *rig, _ *scripted) { r.typeText("The reports are read once a month.") })},
		motif{"export", one, keys("e")},
		motif{"add a round", one, keys("+")},
		motif{"end now", one, keys("E")},
		motif{"another budget", one, all(keys(":"), func(r *rig, _ *scripted) { r.typeText("budget"); r.press("enter") })},
		motif{"no such command", one, keys(":", "z", "z")},
		motif{"a command that cannot run", one, all(keys(":"), func(r *rig, _ *scripted) { r.typeText("verdict") })},
		motif{"help, searched", one, keys("?", "/", "r", "o")},
		motif{"help on the verdict", sessionOf(concluded), keys("?")},
		motif{"help on the list", weekly, keys("?")},
		motif{"nothing can be saved", func() tui.Deps {
			d := one()
			d.ReadOnly = "the database is read-only"
			return d
		}, nil},
		motif{"no seat answered", one, func(r *rig, script *scripted) {
			r.press("space")
			s := held(3, 1, 4)
			err := &debate.RoundFailedError{Round: 2}
			for _, p := range s.Seats {
				err.Causes = append(err.Causes, debate.MissingResponse{Agent: p.ID, Name: p.Name, Cause: p.Provider + " does not answer: connection refused"})
			}
			script.current().end(s, err)
			r.wait(time.Second)
		}},
		motif{"end at the gate", sessionOf(gate), keys("shift+tab", "enter")},
		motif{"refused", sessionOf(gate), keys("ctrl+s")},
		motif{"cannot save", sessionOf(gate), func(r *rig, script *scripted) {
			r.wait(2 * time.Second)
			r.typeText("42")
			script.mu.Lock()
			script.fail = errors.New("the disk is full")
			script.mu.Unlock()
			r.press("ctrl+s")
		}},
		motif{"the tool log, filtered", sessionOf(working), all(keys("t", "/"), func(r *rig, _ *scripted) { r.typeText("grafana") })},
		motif{"the tool log, no match", sessionOf(working), all(keys("t", "/"), func(r *rig, _ *scripted) { r.typeText("nowhere") })},
		motif{"the consensus alone", sessionOf(settled), keys("tab", "tab")},
	)
}

// tint finds what colours a cell: of the text, or of the row under the cursor.
var tint = regexp.MustCompile(`([34]8);2;(\d+);(\d+);(\d+)`)

// In light every screen is what it is in dark, each colour with that of its role.
func TestAlbum_lightIsDarkInOtherColours(t *testing.T) {
	roles := func(dark bool) []string {
		th := theme.New(theme.Options{Dark: dark, Profile: colorprofile.TrueColor})
		sgr := func(s string) []string { return tint.FindAllString(s, -1) }
		var out []string
		for _, s := range []string{th.Text.Render("x"), th.Muted.Render("x"), th.Faint.Render("x"), th.Line.Render("x"), th.Accent.Render("x"), th.Success.Render("x"), th.Warning.Render("x"), th.Danger.Render("x")} {
			out = append(out, sgr(s)...)
		}
		for n := 1; n <= theme.Seats; n++ {
			out = append(out, sgr(th.Seat(n).Render("x"))...)
		}
		return append(out, slices.DeleteFunc(sgr(th.Selected().Text.Render("x")), func(s string) bool { return strings.HasPrefix(s, "38") })...)
	}
	inDark, inLight := roles(true), roles(false)
	if len(inDark) != 8+theme.Seats+1 || len(inLight) != len(inDark) {
		t.Fatalf("%d roles in dark, %d in light", len(inDark), len(inLight))
	}
	for _, m := range every(8) {
		var pictures [2][]string
		for i, dark := range []bool{true, false} {
			shoot(t, m, theme.Options{Dark: dark, Profile: colorprofile.TrueColor}, func(r *rig) {
				for _, size := range sizes[:3] {
					pictures[i] = append(pictures[i], r.resized(size[0], size[1]))
				}
			})
		}
		for i, size := range sizes[:3] {
			used := map[string]bool{}
			want := tint.ReplaceAllStringFunc(pictures[0][i], func(s string) string {
				at := slices.Index(inDark, s)
				if at < 0 {
					t.Errorf("%s at %v has %s, which is the colour of no role", m.name, size, s)
					return s
				}
				used[s] = true
				return inLight[at]
			})
			if pictures[1][i] != want {
				t.Errorf("%s at %v in light is\n%s\nand in dark\n%s", m.name, size, pictures[1][i], pictures[0][i])
			}
			if len(used) < 3 {
				t.Errorf("%s at %v has %d colours only", m.name, size, len(used))
			}
		}
	}
}

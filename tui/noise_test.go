package tui_test

import (
	"io"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/e2e/noise"
	"roundtable/tui"
	"roundtable/tui/home"
	"roundtable/tui/theme"
)

// attempts is how many strings are tried, each in one place.
func attempts() int {
	if os.Getenv("ROUNDTABLE_LONG") != "" {
		return 100_000
	}
	return 100
}

// poison puts a text of its own into every string that somebody else may have
// written, wherever it stands in a value; ids, which are ours, stay as they are.
func poison(v reflect.Value, text func() string) {
	ours := []string{"ID", "Session", "Call", "Key", "Request", "Snapshot", "Saw", "Turn", "Agent", "Chair", "Kind", "Order", "Method", "State", "Outcome", "Status", "FollowUpOf", "Parent"}
	switch k := v.Kind(); {
	case k == reflect.Pointer:
		if !v.IsNil() {
			poison(v.Elem(), text)
		}
	case k == reflect.Slice:
		for i := range v.Len() {
			poison(v.Index(i), text)
		}
	case k == reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && !slices.Contains(ours, f.Name) {
				poison(v.Field(i), text)
			}
		}
	case k == reflect.String:
		if v.CanSet() && (v.Type() == reflect.TypeFor[string]()) {
			v.SetString(text())
		}
	}
}

// poisoned returns a copy of a value with foreign text in it.
func poisoned[T any](v T, text func() string) T {
	poison(reflect.ValueOf(&v).Elem(), text)
	return v
}

var style = regexp.MustCompile(`\x1b\[([0-9;:]*)m`)

// checkScreen fails if a screen has not its size, or contains what a terminal
// would act on; the theme's own styles are allowed.
func checkScreen(t *testing.T, m *tui.Model, w, h int, where ...string) {
	t.Helper()
	v := m.View()
	lines := strings.Split(v.Content, "\n")
	if len(lines) != h {
		t.Fatalf("%q: %d rows, want %d:\n%q", where, len(lines), h, v.Content)
	}
	for i, l := range append(lines, v.WindowTitle) {
		if n := ansi.StringWidth(l); n != w && i < h {
			t.Fatalf("%q: row %d has %d cells, want %d: %q", where, i, n, w, l)
		}
		for _, s := range style.FindAllStringSubmatch(l, -1) {
			if first, _, _ := strings.Cut(s[1], ";"); slices.Contains([]string{"5", "6", "8"}, first) || strings.Contains(s[1], ":") {
				t.Fatalf("%q: row %d has a style that is not ours: %q", where, i, l)
			}
		}
		bare := style.ReplaceAllString(l, "")
		if !utf8.ValidString(bare) || strings.ContainsFunc(bare, func(r rune) bool {
			return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && r != '\u200d' // joins an emoji
		}) {
			t.Fatalf("%q: row %d holds what is no text: %q\n%s", where, i, l, ansi.Strip(v.Content))
		}
	}
}

// newModel returns a model without a program around it.
func newModel(t *testing.T, w, h int, script *scripted, start tui.Start) *tui.Model {
	t.Helper()
	deps := script.deps()
	deps.Start, deps.Fixed, deps.Theme = start, true, theme.Options{Dark: true, Profile: colorprofile.TrueColor}
	if start.Session != "" {
		deps.Receipts = sent{script.sessions[start.Session]}
	}
	script.hits = []home.Hit{{Session: billing, Matches: []home.Match{{Where: "R2 Brook", Before: "keep it ", Text: "append-only"}}}}
	m := tui.New(t.Context(), deps)
	drive(m, m.Init())
	m.Update(tea.WindowSizeMsg{Width: w, Height: h})
	return m
}

// Whatever stands in a saved debate, a list or a prompt: on no screen is there a
// control that is not ours, and every screen has its size.
func TestNoise_noScreenShowsMoreThanText(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		mess := noise.New(1)
		sizes := [][2]int{{100, 30}, {80, 24}, {140, 40}, {40, 12}}
		for round := 0; round < len(sizes) || mess.Made() < attempts(); round++ {
			w, h := sizes[round%4][0], sizes[round%4][1]
			for name, x := range map[string]struct {
				session debate.Session
				keys    string
			}{
				"verdict":     {concluded(), "Q j G esc tab j esc z z t j k enter p j tab esc ? esc : esc s"},
				"form":        {gate(), "pgup pgdown tab tab ctrl+x ctrl+s esc t esc v z p esc"},
				"tools":       {used(), "t j j k k enter z t / a esc"},
				"evidence":    {cited(), "t j enter . / a enter n d G esc esc esc v . . enter esc"},
				"fork":        {answered(), "F enter a ctrl+x enter F down enter esc F down down enter esc F s t a r t enter up enter esc esc"},
				"interrupted": {interrupted(), "3 z [ ] / a enter n esc f esc [ A tab esc"},
			} {
				script := storing(poisoned(x.session, mess.Text))
				script.list = poisoned(script.list, mess.Text)
				script.focus = debate.Focus{Text: mess.Text()}
				m := newModel(t, w, h, script, tui.Start{Session: billing})
				checkScreen(t, m, w, h, name)
				for _, key := range strings.Fields(x.keys) {
					_, cmd := m.Update(keyOf(key))
					if key == "p" || key == "t" {
						drive(m, cmd)
					}
					m.Update(tea.PasteMsg{Content: mess.Text()})
					checkScreen(t, m, w, h, name, "after", key)
				}
			}
			script := storing()
			script.offer = poisoned(offer(), mess.Text)
			m := newModel(t, w, h, script, tui.Start{New: true, Topic: mess.Text()})
			for _, key := range strings.Fields("tab enter down enter tab tab space right down space tab tab right tab tab esc n") {
				m.Update(keyOf(key))
				m.Update(tea.PasteMsg{Content: mess.Text()})
				checkScreen(t, m, w, h, "a new debate after", key)
			}
		}
		t.Logf("%d strings", mess.Made())
	})
}

// cells draws a model in a terminal.
func cells(t *testing.T, m *tui.Model, w, h int) *vt.Emulator {
	t.Helper()
	e := vt.NewEmulator(w, h)
	go io.Copy(io.Discard, e) //nolint:errcheck // nobody waits for what it answers
	if _, err := e.WriteString("\x1b[20h" + m.View().Content); err != nil {
		t.Fatal(err)
	}
	if p, ok := e.InputPipe().(io.Closer); ok {
		p.Close()
	}
	return e
}

// What a seat streams, calls and asks changes no cell outside its pane: the rest
// of the terminal is as if it had said something harmless.
func TestNoise_changesNoCellOutsideItsPane(t *testing.T) {
	t.Parallel()
	const w, h, hostile = 124, 30, 1
	mess, calm := noise.New(2), func() string { return "harmless" }
	play := func(t *testing.T, text func() string) *tui.Model {
		script := storing(held(3, 1, 4))
		m := newModel(t, w, h, script, tui.Start{Session: billing})
		m.Update(keyOf("space"))
		s := held(3, 1, 4)
		s.History = append(s.History, debate.Round{Number: 2, Manifest: started(s, 2)})
		events := []debate.Event{debate.RoundStarted{Session: s, Round: 2}}
		for i, p := range s.Seats {
			say := calm
			if i == hostile {
				say = text
			}
			turn := turn(p.ID, 2)
			tool := poisoned(debate.ToolRecord{
				ID: string(p.ID), State: debate.ToolDone, Result: agents.ToolResult{Status: agents.ToolOK},
				Took: time.Millisecond,
			}, say)
			events = append(events, debate.TurnStarted{Turn: turn, Profile: p}, debate.Text{Turn: turn, Reasoning: true, Text: say()},
				debate.Text{Turn: turn, Text: say()},
				debate.ToolStarted{Turn: turn, Tool: tool}, debate.ToolEnded{Turn: turn, Tool: tool},
				debate.Text{Turn: turn, Passage: 1, Text: say()}, debate.Text{Turn: turn, Passage: 1, Text: say()})
		}
		m.Update(tui.Gathered(m, events...))
		return m
	}
	synctest.Test(t, func(t *testing.T) { // in which no time passes between two plays
		want := cells(t, play(t, calm), w, h)
		// Three panes of 124 cells stand beside each other from row 2 to the notice row.
		inside := func(x, y int) bool { return x >= 42 && x < 42+41 && y >= 2 && y < 2+26 }
		for mess.Made() < attempts() {
			var said []string
			m := play(t, func() string {
				said = append(said, mess.Text())
				return said[len(said)-1]
			})
			checkScreen(t, m, w, h)
			got := cells(t, m, w, h)
			for y := range h {
				for x := range w {
					if a, b := want.CellAt(x, y), got.CellAt(x, y); !inside(x, y) && !a.Equal(b) {
						t.Fatalf("the cell %d,%d is %+v, was %+v, after %q\n%s", x, y, b, a, said, ansi.Strip(m.View().Content))
					}
				}
			}
		}
	})
	t.Logf("%d strings", mess.Made())
}

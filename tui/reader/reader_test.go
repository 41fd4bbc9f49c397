package reader_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/testing/viewtest"
	"roundtable/tui/reader"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// listing has so many rows, each with a text of so many lines. Every fifth row has the word odd in
// its text.
func listing(rows, lines int) *reader.Reader {
	return reader.New(theme.New(theme.Options{Dark: true}), reader.Config{
		Name: "Listing", What: "book", Enter: "open", None: "No books.", Columns: []reader.Column{{Title: "title"}, {Title: "pages", Width: 8, Right: true}},
		Rows: func() []reader.Row {
			var all []reader.Row
			for i := range rows {
				all = append(all, rowOf(i, lines))
			}
			return all
		},
	})
}

func rowOf(i, lines int) reader.Row {
	word := "even"
	if i%5 == 4 {
		word = "odd"
	}
	content := func() string {
		var b strings.Builder
		for n := range lines {
			fmt.Fprintf(&b, "line %d of book %d is %s\n", n+1, i+1, word)
		}
		return b.String()
	}
	return reader.Row{
		ID: fmt.Sprint(i), Words: func() string { return fmt.Sprintf("Book %d %s", i+1, content()) },
		Title: []theme.Part{{Text: fmt.Sprintf("Book %d", i+1)}},
		Cells: func(th *theme.Theme, _ screen.Frame) []reader.Cell {
			return []reader.Cell{{Text: fmt.Sprintf("Book %d", i+1), Style: th.Text}, {Text: fmt.Sprint(lines), Style: th.Muted}}
		},
		Lines: func(_ *theme.Theme, width int) []reader.Line { return reader.Wrapped("", content(), width) },
		Copy:  func() screen.Copy { return screen.Copy{Text: content(), What: "the book"} },
	}
}

func shown(r *reader.Reader) string { return ansi.Strip(r.View(screen.Frame{})) }

func press(t testing.TB, s interface{ Commands() []screen.Command }, keys ...string) (out screen.Outcome) {
	t.Helper()
	for _, key := range keys {
		known, done := false, false
		for _, c := range s.Commands() {
			if !slices.Contains(c.Keys(), key) {
				continue
			}
			known = true
			if !done && (c.Why == nil || c.Why() == "") { // else the program says why not
				out, done = c.Run(key), true
			}
		}
		if !known {
			t.Fatalf("no command has the key %q", key)
		}
	}
	return out
}

func TestView_isExactlyItsSizeWhateverIsPressed(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := listing(rapid.IntRange(0, 30).Draw(rt, "rows"), rapid.IntRange(0, 60).Draw(rt, "lines"))
		for range 12 {
			w, h := rapid.IntRange(1, 130).Draw(rt, "w"), rapid.IntRange(1, 40).Draw(rt, "h")
			r.SetSize(w, h)
			viewtest.RequireSize(rt, r.View(screen.Frame{}), w, h)
			switch key := rapid.SampledFrom(strings.Fields("j k G g pgdown pgup ctrl+d ctrl+u enter y find esc wheel click")).Draw(rt, "key"); key {
			case "find":
				r.Find(rapid.SampledFrom([]string{"odd", "line 3", "nowhere"}).Draw(rt, "words"))
			case "esc":
				r.Back()
			case "wheel":
				r.Wheel(1, h/2, 1, 3)
			case "click":
				r.Click(1, h/3)
			default:
				press(t, r, key)
			}
			viewtest.RequireSize(rt, r.View(screen.Frame{}), w, h)
		}
	})
}

// Every line of the text can be read, below the list and in its room.
func TestReader_readsEveryLine(t *testing.T) {
	for _, whole := range []bool{false, true} {
		r := listing(4, 70)
		r.SetSize(80, 20)
		if whole {
			press(t, r, "enter")
		}
		seen := ""
		for range 20 {
			seen += shown(r)
			press(t, r, "pgdown")
		}
		for n := range 70 {
			if want := fmt.Sprintf("line %d of book 1 ", n+1); !strings.Contains(seen, want) {
				t.Errorf("whole %v: %q is not shown", whole, want)
			}
		}
	}
}

// A search goes through the rows that have the words, and through the places in their texts.
func TestFind_goesThroughRowsAndTexts(t *testing.T) {
	r := listing(12, 3)
	r.SetSize(80, 20)
	out := r.Find("is ODD")
	for i, want := range []string{"book 1 of 2, 1 of 3", "book 1 of 2, 2 of 3", "book 1 of 2, 3 of 3", "book 2 of 2, 1 of 3"} {
		if i > 0 {
			out = press(t, r, "n")
		}
		if diff := cmp.Diff(screen.Found{Words: "is ODD", Place: want}, out[0]); diff != "" {
			t.Error(diff)
		}
	}
	if s := shown(r); strings.Contains(s, " Book 1 ") || !strings.Contains(s, "▸ Book 10") || !strings.Contains(s, " Book 5") {
		t.Errorf("the rows without the words are listed:\n%s", s)
	}
	if got := press(t, r, "N")[0].(screen.Found).Place; got != "book 1 of 2, 3 of 3" {
		t.Errorf("back to %s", got)
	}
	if got := r.Find("nowhere")[0].(screen.Notice).Text; got != `No match for "nowhere" here.` || !strings.Contains(shown(r), " Book 1 ") {
		t.Errorf("%s\n%s", got, shown(r))
	}
}

// Esc ends the search first, then shows the list again, and leaves only then.
func TestBack_leavesStepByStep(t *testing.T) {
	r := listing(12, 3)
	r.SetSize(80, 20)
	press(t, r, "enter")
	r.Find("even")
	for _, want := range []struct {
		hint string
		out  screen.Outcome
	}{{"esc end search", screen.Outcome{screen.ClearNotice{}}}, {"esc list", nil}, {"esc back", screen.Outcome{screen.Close{}}}} {
		if got := r.BackHint(); got != want.hint {
			t.Errorf("hint %q, want %q", got, want.hint)
		}
		if diff := cmp.Diff(want.out, r.Back()); diff != "" {
			t.Error(diff)
		}
	}
}

// A click chooses a row, the wheel moves where the mouse is.
func TestMouse_choosesRowsAndScrolls(t *testing.T) {
	r := listing(5, 70)
	r.SetSize(80, 20)
	r.View(screen.Frame{})
	r.Click(10, 3)
	if s := shown(r); !strings.Contains(s, "▸ Book 3") || !strings.Contains(s, "line 1 of book 3 ") {
		t.Errorf("the row is not chosen:\n%s", s)
	}
	r.Wheel(10, 15, 1, 3)
	if s := shown(r); strings.Contains(s, "line 3 of book 3 ") || !strings.Contains(s, "line 4 of book 3 ") {
		t.Errorf("the text does not scroll:\n%s", s)
	}
	r.Wheel(10, 3, -1, -3)
	if s := shown(r); !strings.Contains(s, "▸ Book 2") {
		t.Errorf("the list does not move:\n%s", s)
	}
}

const long = "Given that our billing service runs on one Postgres instance with nightly dumps and a single engineer on call, " +
	"and that the auditors ask for point in time recovery by March, should we move the ledger to SQLite with WAL shipping now or wait?"

// All of the question can be read at any size, also after a rename, with what was asked
// along with it.
func TestTopic_showsAllOfTheQuestion(t *testing.T) {
	s := debate.Session{
		ID: "a", Topic: long + "\n\x1b[31mred", Author: ledger.Author{Kind: ledger.Assistant, Door: "claude-code"}, Title: "Billing", Question: debate.QuestionChoice,
		Mode: debate.Mode{Name: "socratic", Summary: "options against criteria", Options: []string{"move", "wait"}},
	}
	for _, size := range [][2]int{{80, 21}, {140, 37}, {40, 7}, {40, 2}, {41, 1}} {
		sc := reader.NewTopic(theme.New(theme.Options{Dark: true, Profile: colorprofile.TrueColor}))
		sc.SetSession(s)
		sc.SetSize(size[0], size[1])
		var seen []string
		for range 60 {
			view := sc.View(screen.Frame{})
			viewtest.RequireSize(t, view, size[0], size[1])
			if strings.Contains(view, "\x1b[31mred") || strings.Contains(view, "\x1b]") {
				t.Fatalf("foreign text reaches the terminal: %q", view)
			}
			text := strings.Split(ansi.Strip(view), "\n")
			if len(text) > 2 {
				text = text[1 : len(text)-1] // without the box
			}
			if sc.Wheel(0, 0, 1, 1); sc.View(screen.Frame{}) != view {
				text = text[:1]
			}
			seen = append(seen, strings.Trim(strings.Join(text, " "), "│ "))
			if len(text) > 1 {
				break
			}
		}
		words := strings.Join(strings.Fields(strings.ReplaceAll(strings.Join(seen, " "), "│", " ")), " ")
		for _, want := range []string{long, "Billing", "from “claude-code”, not you", "socratic: options against criteria", "move; wait"} {
			if !strings.Contains(words, want) {
				t.Errorf("at %v %q is missing in\n%s", size, want, words)
			}
		}
	}
}

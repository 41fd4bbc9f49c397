package viewtest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"roundtable/internal/testing/viewtest"
	"roundtable/tui/theme"
)

// recorder records whether a check has failed.
type recorder struct{ failure string }

func (r *recorder) Helper() {}

func (r *recorder) Fatalf(format string, args ...any) { r.failure = fmt.Sprintf(format, args...) }

func TestRequireSize(t *testing.T) {
	for view, want := range map[string]string{
		"ab\ncd": "", "ab": "1 rows, want 2", "ab\nc": "row 1 has 1 cells, want 2", "ab\n世": "", "ab\n世界": "row 1 has 4 cells",
	} {
		r := &recorder{}
		viewtest.RequireSize(r, view, 2, 2)
		if !strings.HasPrefix(r.failure, want) || want == "" && r.failure != "" {
			t.Errorf("%q: %q, want %q", view, r.failure, want)
		}
	}
}

func TestRequireMarkedCuts(t *testing.T) {
	for view, fails := range map[string]bool{
		"a text that is long": false, "a text that is lo…": false, "a text that … 3 h": false,
		"a text that is lo": true, "a text that is": true, "a text …": false, "other": false,
	} {
		r := &recorder{}
		viewtest.RequireMarkedCuts(r, view, "…", "a text that is long")
		if (r.failure != "") != fails {
			t.Errorf("%q: %q, want a failure: %v", view, r.failure, fails)
		}
	}
}

func TestStyles(t *testing.T) {
	th := theme.New(theme.Options{Dark: true, Profile: colorprofile.TrueColor})
	view := th.Text.Render("te") + " " + th.Danger.Render("世") + th.Seat(3).Render("x") + th.Match("m") + "\n" + th.Selected().Accent.Render("sel")
	if got, want := viewtest.Styles(th, view), "te 世xm\nsel\n\ntt dd3*\nAAA\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}

	th = theme.New(theme.Options{Dark: true, Profile: colorprofile.ASCII}) // marks matches by symbols
	if got, want := viewtest.Styles(th, "te"+th.Match("m")), "te«m»\n\n\n"; ansi.Strip(got) != want {
		t.Errorf("without colour: got %q, want %q", got, want)
	}
}

func TestRequireClosedBoxes(t *testing.T) {
	for view, fails := range map[string]bool{
		"╭ a ╮ x\n│ b │ y\n╰───╯ z":             false,
		"╭ a ╮\n│ bcd\n╰───╯":                   true,
		"╭ a ╮\nb   │\n╰───╯":                   true,
		"╭ a ──\n│ b │\n╰───╯":                  true,
		"╭ a ╮\n│ b │":                          true,
		"╭ a ──────╮\n│ b       │\n  3 below  ": false,
		"╭──────╮\n│ ╭──────╮\n│ │ 世界 │\n│ ╰──────╯\n╰──────╯": false, // covered
	} {
		r := &recorder{}
		viewtest.RequireClosedBoxes(r, view)
		if (r.failure != "") != fails {
			t.Errorf("%q: %q, want a failure: %v", view, r.failure, fails)
		}
	}
}

func TestRequireWholeWords(t *testing.T) {
	words := viewtest.Words("services are readable", "a debate")
	for view, fails := range map[string]bool{
		"services": false, "service": false, "reada…": false, "deba│ x": false, "other": false, "rea": false,
		"readab": true, "a deba te": true, "deba, services": true,
	} {
		r := &recorder{}
		viewtest.RequireWholeWords(r, view, "…", words)
		if (r.failure != "") != fails {
			t.Errorf("%q: %q, want a failure: %v", view, r.failure, fails)
		}
	}
}

package reader_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/testing/viewtest"
	"roundtable/tui/reader"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

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

package tui_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"roundtable/agents"
	"roundtable/debate"
)

// lengthy is a debate in which a tool gave a long result, and much was told.
func lengthy() debate.Session {
	s := used()
	var result strings.Builder
	for i := range 100 {
		fmt.Fprintf(&result, "line %d of the result\n", i+1)
	}
	s.History[1].Responses[2].Passages[0].Tools[0].Result.Text = result.String()
	for i := range 30 {
		s.Notices = append(s.Notices, debate.Notice{Text: fmt.Sprintf("Notice %d. %s", i+1, strings.Repeat("So it was shortened. ", 20)), At: at(0)})
	}
	return s
}

// lastCall moves from the newest notice to the newest call.
func lastCall(r *harness) {
	for range 30 {
		r.press("k")
	}
}

// A session that is opened again still tells which turns have failed, in the order
// of what happened.
func TestToolLog_tellsOfFailedTurnsOfASavedSession(t *testing.T) {
	bubble(t, func() debate.Session {
		s := used()
		s.Notices = []debate.Notice{{Text: "Half of the budget is spent.", At: at(3 * time.Minute)}, {Text: "Statements were shortened.", At: at(9 * time.Minute)}}
		x := &s.History[0].Responses[1]
		x.State, x.Failure = debate.TurnFailed, &debate.TurnFailure{Kind: agents.KindNetwork, Cause: "Anthropic does not answer: \x1b[31mconnection refused."}
		x.Ended = at(4 * time.Minute)
		return s
	}, func(r *harness, _ *scripted) {
		r.press("t")
		r.sees("Brook failed: Anthropic does not answer: connection refused.")
		before, after := strings.Index(r.screen(), "were shortened"), strings.Index(r.screen(), "Half of the budget")
		if i := strings.Index(r.screen(), "Brook failed"); before < 0 || i < before || after < i {
			t.Errorf("not in order:\n%s", r.screen())
		}
	})
}

// A search leaves the calls that have the words, in their row or in what they read.
func TestToolLog_findsCalls(t *testing.T) {
	bubble(t, lengthy, func(r *harness, _ *scripted) {
		r.press("t", "/", "Line 77 of", "enter")
		r.sees(`"Line 77 of": call 1 of 1, 1 of 1.`, "line 77 of the result", "request_context")
		r.misses("read_file")
		r.press("esc", "/", "denied", "enter")
		r.sees("read_file", "found in its row")
		r.misses("request_context")
		r.press("esc", "g")
		r.sees("23:55:00 3 Cy    2 ✓ request_context")
	})
}

// The verdict does not take the place of what is being read: it waits below it.
func TestToolLog_staysOpenWhenTheVerdictComes(t *testing.T) {
	bubble(t, used, func(r *harness, script *scripted) {
		r.press("space", "t")
		r.sees("Tool log")
		r.over(concluded(), nil)
		r.sees("Tool log")
		r.press("esc")
		r.sees("Verdict · written by seat")
		r.press("esc")
		r.misses("Verdict · written by seat")
	})
}

// The same keys go to both ends, and half a page, in every list and text.
func TestJump_worksInEveryListAndText(t *testing.T) {
	t.Parallel()
	for _, c := range []screenCase{
		{"list", weekly, nil},
		{"pane", sessionOf(func() debate.Session { return numbered(400) }), press("1", "z")},
		{"verdict", sessionOf(concluded), nil},
		{"evidence", sessionOf(cited), press("t", "g", "enter")},
		{"tool log", sessionOf(lengthy), press("t")},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			drawScreen(t, c, dark, func(r *harness) {
				r.resized(80, 12)
				at := func(key string) string {
					r.press(key)
					return ansi.Strip(r.last.Load().Content)
				}
				top := at("g")
				end := at("G")
				if top == end {
					t.Fatalf("G moves nothing:\n%s", top)
				}
				for _, jump := range []struct{ key, want string }{{"home", top}, {"end", end}, {"g", top}} {
					if got := at(jump.key); got != jump.want {
						t.Errorf("after %s it shows\n%s\nnot\n%s", jump.key, got, jump.want)
					}
				}
				if at("ctrl+d") == top {
					t.Errorf("ctrl+d moves nothing:\n%s", top)
				}
				if got := at("ctrl+u"); got != top {
					t.Errorf("after ctrl+d and ctrl+u it shows\n%s\nnot\n%s", got, top)
				}
			})
		})
	}
}

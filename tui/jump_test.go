package tui_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/tui"
)

// manySessions has more sessions than fit.
func manySessions() tui.Deps {
	script := storing()
	for i := range 40 {
		s := held(3, 1, 2)
		s.ID, s.Topic = fmt.Sprintf("m%09d", i), fmt.Sprintf("Question %d?", i)
		script.list = append(script.list, summary(s))
	}
	return script.deps()
}

// longQuestion is a debate with more calls, evidence and words than fit.
func longQuestion() debate.Session {
	s := cited()
	s.Topic += strings.Repeat(" It holds every invoice of nine years.", 40)
	s.Requests = answered().Requests
	for i := range s.History {
		for j := range s.History[i].Responses {
			x := &s.History[i].Responses[j]
			for n := range 6 {
				x.Passages = append([]debate.Passage{{Tools: []debate.ToolRecord{searched(x.Turn, n+1)}}}, x.Passages...)
			}
		}
	}
	var more []debate.Evidence
	for i := range 20 {
		more = append(more, debate.NewEvidence(fmt.Sprintf("notes/%d.md", i), debate.EvidenceFile, fmt.Sprintf("Note %d.\n", i), ""))
	}
	all, err := debate.AddEvidence(s.Evidence, more)
	if err != nil {
		panic(err)
	}
	s.Evidence = all
	return s
}

// The same keys go to both ends, and half a page, in every list and text.
func TestJump_worksInEveryListAndText(t *testing.T) {
	t.Parallel()
	long := func() tui.Deps {
		s := longQuestion()
		d := choices(s)()
		d.Receipts = sent{s}
		return d
	}
	for _, c := range []screenCase{
		{"list", manySessions, nil},
		{"pane", long, press("esc", "1", "z")},
		{"verdict", long, nil},
		{"question", long, press("Q")},
		{"evidence", long, press("t")},
		{"tool log", long, press("t", "t")},
		{"text of evidence", long, press("t", "g", "enter")},
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

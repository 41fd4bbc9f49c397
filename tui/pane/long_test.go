package pane_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"roundtable/agents"
	"roundtable/debate"
)

// A stored answer of megabytes is laid out by one drawing after the other, until its end is
// shown.
func TestView_laysALongAnswerOutInParts(t *testing.T) {
	body := strings.Repeat("```json\n{\"a\": 1}\n```\n\nWords of no **meaning**.\n\n", 10_000) + "This is the end."
	p := paneOf(1, ada, plain())
	p.SetSize(80, 24)
	p.SetSession(session([]agents.Profile{ada}, 1, nil, []debate.Response{
		doneResponse(turn(ada, 1), debate.Statement{Body: body}, 10, 1),
	}))
	for _, width := range []int{80, 60} {
		p.SetSize(width, 24)
		if !p.LayingOut() {
			t.Fatal("it does not ask to be drawn again")
		}
		drawn, end := 0, false
		for ; p.LayingOut() && drawn < 50; drawn++ {
			view := ansi.Strip(p.View(noon, 0))
			if end = strings.Contains(view, "This is the end."); end == p.LayingOut() {
				t.Fatalf("drawing %d: laying out %v:\n%s", drawn, p.LayingOut(), view)
			}
			if p.LayingOut() != strings.Contains(view, "laying out") {
				t.Errorf("drawing %d does not say that it is a part:\n%s", drawn, view)
			}
		}
		if drawn < len(body)/(200<<10) || !end {
			t.Errorf("%d bytes took %d drawings", len(body), drawn)
		}
	}
	p.Top()
	if view := p.View(noon, 0); !strings.Contains(view, "Words of no") || p.LayingOut() {
		t.Errorf("the beginning:\n%s", view)
	}
}

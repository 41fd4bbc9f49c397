package home_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"
	"pgregory.net/rapid"

	"roundtable/internal/testing/viewtest"
	"roundtable/tui/home"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

func TestList_view(t *testing.T) {
	requireScreen(t, newList(80, 21).View(screen.Frame{Now: now}), 80, 21)
}

func TestList_styles(t *testing.T) {
	golden.RequireEqual(t, viewtest.SameStyles(t, func(th *theme.Theme) string {
		l := newList(80, 21)
		l.SetTheme(th)
		return l.View(screen.Frame{Now: now})
	}))
}

// At any size, and whatever the user does, the view has exactly its size, and no text
// is cut without a mark.
func TestList_fitsEverySize(t *testing.T) {
	var texts []string
	for _, s := range sessions() {
		texts = append(texts, s.Topic, s.Asking) // a mode may be wrapped at its hyphens in a sentence
	}
	rapid.Check(t, func(rt *rapid.T) {
		w, h := rapid.IntRange(1, 160).Draw(rt, "w"), rapid.IntRange(4, 50).Draw(rt, "h")
		l := newList(w, h)
		for range rapid.IntRange(0, 8).Draw(rt, "steps") {
			switch rapid.IntRange(0, 5).Draw(rt, "step") {
			case 0:
				l.Move(rapid.IntRange(-3, 5).Draw(rt, "rows"))
			case 1:
				l.Search()
			case 2:
				typeText(l, rapid.SampledFrom([]string{"q", "mode:de", " ", "status:x"}).Draw(rt, "text"))
				l.SetHits(l.Query(), []home.Hit{{Session: "c3", Matches: []home.Match{
					{Where: "R2 Brook", Before: strings.Repeat("before ", 20), Text: "queue", After: "."},
				}}})
			case 3:
				l.Back()
			case 4:
				l.Page(1)
			case 5:
				w, h = rapid.IntRange(1, 160).Draw(rt, "w"), rapid.IntRange(4, 50).Draw(rt, "h")
				l.SetSize(w, h)
			}
			view := l.View(screen.Frame{Now: now})
			viewtest.RequireSize(rt, view, w, h)
			if c := l.Cursor(); c != nil && w >= 40 && (c.X < 0 || c.X >= w || c.Y < 0) {
				rt.Fatalf("the cursor is at %d,%d of %dx%d", c.X, c.Y, w, h)
			}
			viewtest.RequireMarkedCuts(rt, view, "…", texts...)
		}
	})
}

package setup_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"
	"pgregory.net/rapid"

	"roundtable/internal/testing/viewtest"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

func TestForm_styles(t *testing.T) {
	golden.RequireEqual(t, viewtest.SameStyles(t, func(th *theme.Theme) string {
		f := newForm(80, 21)
		f.SetTheme(th)
		focusOn(f, "Panel")
		return f.View(screen.Frame{})
	}))
}

// At any size, and whatever the user does, the view has exactly its size, and no text
// is cut without a mark.
func TestForm_fitsEverySize(t *testing.T) {
	var texts []string
	for _, s := range testOptions().Seats {
		texts = append(texts, s.Profile.Model, s.Problem)
	}
	rapid.Check(t, func(rt *rapid.T) {
		w, h := rapid.IntRange(1, 160).Draw(rt, "w"), rapid.IntRange(4, 50).Draw(rt, "h")
		f := newForm(w, h)
		for range rapid.IntRange(0, 8).Draw(rt, "steps") {
			switch rapid.IntRange(0, 6).Draw(rt, "step") {
			case 0:
				f.Next(rapid.SampledFrom([]int{-1, 1}).Draw(rt, "fields"))
			case 1:
				f.Move(1)
			case 2:
				f.Change(rapid.SampledFrom([]int{-1, 1}).Draw(rt, "by"))
			case 3:
				_ = f.Toggle() // some seats cannot be added
			case 4:
				typeInto(f, rapid.SampledFrom([]string{"7", "Should we? ", "世界; "}).Draw(rt, "text"))
			case 5:
				f.SetOptions(testOptions())
			case 6:
				w, h = rapid.IntRange(1, 160).Draw(rt, "w"), rapid.IntRange(4, 50).Draw(rt, "h")
				f.SetSize(w, h)
			}
			view := f.View(screen.Frame{})
			viewtest.RequireSize(rt, view, w, h)
			if c := f.Cursor(); c != nil && w >= 40 && (c.X < 0 || c.X >= w) {
				rt.Fatalf("the cursor is at %d,%d of %dx%d", c.X, c.Y, w, h)
			}
			viewtest.RequireMarkedCuts(rt, view, "…", texts...)
		}
	})
}

// What a mode does is wrapped, never cut.
func TestForm_wrapsWhatAModeDoes(t *testing.T) {
	for _, w := range []int{40, 60, 80, 140} {
		f := newForm(w, 60)
		f.SetOptions(testOptions())
		focusOn(f, "Mode")
		view := strings.Join(strings.Fields(shown(f)), " ")
		if !strings.Contains(view, "Each seat in one perspective, in depth.") {
			t.Errorf("at %d cells:\n%s", w, f.View(screen.Frame{}))
		}
	}
}

package textview_test

import (
	"slices"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"pgregory.net/rapid"

	"roundtable/tui/textview"
	"roundtable/tui/theme"
)

func plain() *theme.Theme { return theme.New(theme.Options{Profile: colorprofile.ASCII}) }

func TestText_scrollsWithinItsLines(t *testing.T) {
	var v textview.Text
	v.Range(30, 10)
	for _, step := range []struct {
		name  string
		do    func()
		first int
	}{
		{"up from the top", func() { v.Scroll(-3) }, 0},
		{"down", func() { v.Scroll(2) }, 2},
		{"half a page", func() { v.HalfPage(1) }, 7},
		{"up", func() { v.Scroll(-3) }, 4},
		{"to the end", func() { v.ToEnd(1) }, 20},
		{"up from the end", func() { v.Scroll(-1) }, 19},
		{"to a line", func() { v.ScrollTo(5) }, 5},
		{"to the beginning", func() { v.ToEnd(-1) }, 0},
	} {
		step.do()
		if from, to := v.Range(30, 10); from != step.first || to != from+10 || v.AtEnd() != (to == 30) {
			t.Errorf("%s: lines %d to %d, want 10 from %d", step.name, from, to, step.first)
		}
	}
}

func TestText_fillsItsRows(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n, h := rapid.IntRange(0, 40).Draw(rt, "lines"), rapid.IntRange(1, 20).Draw(rt, "h")
		var v textview.Text
		v.Scroll(rapid.IntRange(-50, 50).Draw(rt, "scrolled"))
		if from, to := v.Range(n, h); from != v.Top() || to-from != min(n, h) {
			rt.Fatalf("lines %d to %d of %d in %d rows", from, to, n, h)
		}
		if v.Top()+min(n, h) > n || v.AtEnd() != (v.Top()+min(n, h) == n) {
			rt.Fatalf("%d above of %d lines in %d rows", v.Top(), n, h)
		}
	})
}

func TestQuery_findsAcrossWrappedLines(t *testing.T) {
	lines := []string{"  The Fee is", "  low. The fee is", "  high."}
	q := textview.NewQuery("fee is low")
	want := []textview.Span{{Line: 0, From: 6, To: 12}, {Line: 1, From: 2, To: 5}}
	if got := q.Matches(lines); len(got) != 1 || !slices.Equal(got[0], want) {
		t.Errorf("found %v, want %v", got, want)
	}
	if got := textview.NewQuery("FEE").Highlight(plain(), lines); got[0] != "  The «Fee» is" || got[1] != "  low. The «fee» is" {
		t.Errorf("highlighted: %q", got)
	}
	if got := textview.NewQuery("").Matches(lines); got != nil {
		t.Errorf("an empty query finds %v", got)
	}
}

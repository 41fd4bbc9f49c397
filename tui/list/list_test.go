package list_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"roundtable/internal/testing/viewtest"
	"roundtable/tui/list"
	"roundtable/tui/theme"
)

func plain() *theme.Theme { return theme.New(theme.Options{Profile: colorprofile.ASCII}) }

// numbered returns n lines, of which some are as wide as the view.
func numbered(n, width int) []string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = fmt.Sprintf("line %d", i)
		if i%3 == 0 {
			lines[i] += strings.Repeat(".", max(width-len(lines[i]), 0))
		}
	}
	return lines
}

func TestView_showsTheSelectedLines(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n, w, h := rapid.IntRange(0, 40).Draw(rt, "lines"), rapid.IntRange(1, 60).Draw(rt, "w"), rapid.IntRange(1, 20).Draw(rt, "h")
		lines := numbered(n, w)
		var v list.Viewport
		for range rapid.IntRange(1, 5).Draw(rt, "steps") {
			top := rapid.IntRange(0, max(n-1, 0)).Draw(rt, "top")
			bottom := min(top+rapid.IntRange(0, 3).Draw(rt, "more"), max(n-1, 0))
			view := v.View(plain(), lines, top, bottom, w, h)
			viewtest.RequireSize(rt, view, w, h)
			rows := strings.Split(ansi.Strip(view), "\n")
			for i := top; i <= bottom && i < n; i++ {
				if bottom-top+3 > h { // not all of them need to fit
					break
				}
				if row := v.Row(i); w >= 20 && !strings.HasPrefix(rows[row], strings.TrimRight(lines[i], ".")) || v.Line(row) != i {
					rt.Fatalf("line %d is not in row %d:\n%s", i, row, view)
				}
			}
		}
	})
}

// What is hidden is counted exactly, and no count covers text.
func TestView_countsHiddenLines(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n, h := rapid.IntRange(1, 40).Draw(rt, "lines"), rapid.IntRange(4, 20).Draw(rt, "h")
		lines := numbered(n, 40)
		var v list.Viewport
		at := rapid.IntRange(0, n-1).Draw(rt, "selected")
		view := v.View(plain(), lines, at, at, 40, h)
		shown := strings.Count(view, "line ")
		var above, below int
		words := strings.Fields(view)
		for i, word := range words {
			switch word {
			case "above":
				fmt.Sscan(words[i-1], &above)
			case "below":
				fmt.Sscan(words[i-1], &below)
			}
		}
		if above+shown+below != n {
			rt.Fatalf("%d above, %d shown and %d below of %d lines:\n%s", above, shown, below, n, view)
		}
		for i, line := range lines {
			begin := strings.TrimRight(line, ".")
			if strings.HasSuffix(line, ".") && strings.Contains(view, begin+".") && !strings.Contains(view, line) {
				rt.Fatalf("line %d is covered:\n%s", i, view)
			}
		}
	})
}

func TestView_scrollsAsLittleAsPossible(t *testing.T) {
	var v list.Viewport
	lines := numbered(30, 0)
	for _, step := range []struct {
		selected int
		want     string
	}{{0, "line 0"}, {5, "line 0"}, {12, "line 4"}, {8, "line 4"}, {2, "line 2"}} {
		view := v.View(plain(), lines, step.selected, step.selected, 40, 10)
		if first := strings.Join(strings.Fields(view)[:2], " "); first != step.want {
			t.Errorf("with line %d selected the first is %q, want %q:\n%s", step.selected, first, step.want, view)
		}
	}
}

func TestList_keepsTheCursorAmongItsEntries(t *testing.T) {
	var l list.List
	for _, step := range []struct{ move, entries, want int }{
		{-1, 5, 0}, {2, 5, 2}, {1 << 20, 5, 4}, {0, 3, 2}, {-1, 3, 1}, {1, 0, 0}, {-1 << 20, 5, 0},
	} {
		if l.Move(step.move, step.entries); l.At != step.want {
			t.Errorf("moved by %d of %d entries, the cursor is at %d, want %d", step.move, step.entries, l.At, step.want)
		}
	}
}

func TestRange_showsTheSelectedLines(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var v list.Viewport
		n, h := rapid.IntRange(1, 40).Draw(rt, "lines"), rapid.IntRange(1, 20).Draw(rt, "h")
		for range rapid.IntRange(1, 5).Draw(rt, "steps") {
			at := rapid.IntRange(0, n-1).Draw(rt, "selected")
			from, to := v.Range(at, at, n, h)
			if from > at || at >= to || to-from != min(n, h) {
				rt.Fatalf("of %d lines in %d rows %d to %d are shown with %d selected", n, h, from, to, at)
			}
		}
	})
}

// The row that counts what is hidden is no line of the list.
func TestViewport_hasNoLineInTheRowThatCounts(t *testing.T) {
	var v list.Viewport
	v.View(plain(), numbered(10, 20), 0, 0, 20, 4)
	if v.Line(2) != 2 || v.Line(3) != -1 {
		t.Errorf("lines %d and %d", v.Line(2), v.Line(3))
	}
	v.View(plain(), numbered(4, 20), 0, 0, 20, 4)
	if v.Line(3) != 3 || v.Line(4) != -1 {
		t.Errorf("lines %d and %d of a list that fits", v.Line(3), v.Line(4))
	}
}

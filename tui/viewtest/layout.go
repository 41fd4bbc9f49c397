package viewtest

import (
	"fmt"
	"maps"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// box is a frame that is drawn with rounded corners.
type box struct{ left, top, right, bottom int }

func (b box) contains(x, y int) bool {
	return b.left <= x && x <= b.right && b.top <= y && y <= b.bottom
}

// RequireClosedBoxes fails if the border of a box is broken, as it is where content
// is wider or higher than its pane. A box may be covered by another that is whole, and
// end at a row that counts what is "below".
func RequireClosedBoxes(t TB, view string) {
	t.Helper()
	grid := cells(view)
	at := func(x, y int) string {
		if y >= len(grid) || x >= len(grid[y]) {
			return ""
		}
		return grid[y][x]
	}
	var whole []box
	gaps := map[[2]int]string{} // where a border is missing
	for y := range grid {
		for x := range grid[y] {
			if at(x, y) != "╭" {
				continue
			}
			b, missing := outline(at, len(grid), x, y)
			if len(missing) == 0 {
				whole = append(whole, b)
			}
			maps.Copy(gaps, missing)
		}
	}
	for gap, what := range gaps {
		covered := false
		for _, b := range whole {
			covered = covered || b.contains(gap[0], gap[1])
		}
		if !covered {
			t.Fatalf("%s in column %d of row %d:\n%s", what, gap[0], gap[1], ansi.Strip(view))
		}
	}
}

// outline follows the border of the box whose upper left corner is at x, y. It
// returns the box and the cells in which its border is missing.
func outline(at func(x, y int) string, height, x, y int) (box, map[[2]int]string) {
	b, missing := box{left: x, top: y}, map[[2]int]string{}
	for b.right = x + 1; at(b.right, y) != "╮"; b.right++ {
		if c := at(b.right, y); c == "" && at(b.right-1, y) == "" || c == "╭" {
			missing[[2]int{b.right, y}] = "the top of a box has no end"
			return b, missing
		}
	}
	for b.bottom = y + 1; b.bottom < height; b.bottom++ {
		left, right := at(x, b.bottom), at(b.right, b.bottom)
		if left != "│" && strings.Contains(strings.Join(row(at, b.bottom, x, b.right), ""), " below ") {
			return b, missing
		}
		if left != "│" && left != "╰" {
			missing[[2]int{x, b.bottom}] = fmt.Sprintf("%q is on the left border of a box", left)
		}
		if right != "│" && right != "╯" {
			missing[[2]int{b.right, b.bottom}] = fmt.Sprintf("%q is on the right border of a box", right)
		}
		if left == "╰" || right == "╯" {
			return b, missing
		}
	}
	missing[[2]int{x, height - 1}] = "a box has no bottom"
	return b, missing
}

// row returns the cells of a row from left to right.
func row(at func(x, y int) string, y, left, right int) []string {
	var cells []string
	for x := left; x <= right; x++ {
		cells = append(cells, at(x, y))
	}
	return cells
}

// cells returns the characters of a view by row and column. The second cell of a
// wide character is blank.
func cells(view string) [][]string {
	var grid [][]string
	for row := range strings.SplitSeq(ansi.Strip(view), "\n") {
		var line []string
		for state := byte(0); row != ""; {
			c, width, n, next := ansi.DecodeSequence(row, state, nil)
			row, state = row[n:], next
			for i := range width {
				if i > 0 {
					c = " "
				}
				line = append(line, c)
			}
		}
		grid = append(grid, line)
	}
	return grid
}

// minPart is how many letters of a word make a part of it, instead of a word of its own.
const minPart = 4

// Words returns the words of views.
func Words(views ...string) map[string]bool {
	words := map[string]bool{}
	for _, view := range views {
		for w := range strings.FieldsFuncSeq(ansi.Strip(view), isNoLetter) {
			words[w] = true
		}
	}
	return words
}

// RequireWholeWords fails if a view shows the first part of a word, without mark
// after it, and words has no such word. Words that differ in an s at the end are
// equal, and a word may be covered by a box.
func RequireWholeWords(t TB, view, mark string, words map[string]bool) {
	t.Helper()
	for _, row := range strings.Split(ansi.Strip(view), "\n") {
		rest := row
		for rest != "" {
			rest = strings.TrimLeftFunc(rest, isNoLetter)
			before, _ := utf8.DecodeLastRuneInString(strings.TrimSuffix(row, rest))
			end := strings.IndexFunc(rest, isNoLetter)
			if end < 0 {
				end = len(rest)
			}
			part := rest[:end]
			rest = rest[end:]
			if len(part) < minPart || words[part] || words[part+"s"] || words[part+"es"] || strings.HasPrefix(rest, mark) ||
				strings.IndexAny(rest, "╭│╰") == 0 || strings.ContainsRune("╮│╯", before) {
				continue
			}
			for w := range words {
				if strings.HasPrefix(w, part) {
					t.Fatalf("%q is shown as %q, without %q, in %q", w, part, mark, row)
				}
			}
		}
	}
}

func isNoLetter(r rune) bool { return !unicode.IsLetter(r) }

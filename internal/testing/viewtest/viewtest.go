// Package viewtest checks drawn views in tests: their size, that nothing is cut without
// a mark, and their styles.
//
// It imports theme and the width functions of x/ansi. Only tests import it.
package viewtest

import (
	"fmt"
	"maps"
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"roundtable/tui/theme"
)

// TB is the part of testing.TB that this package needs; *rapid.T has it too.
type TB interface {
	Helper()
	Fatalf(format string, args ...any)
}

// RequireSize fails unless a view has exactly h rows of exactly w cells.
func RequireSize(t TB, view string, w, h int) {
	t.Helper()
	rows := strings.Split(view, "\n")
	if len(rows) != h {
		t.Fatalf("%d rows, want %d:\n%s", len(rows), h, ansi.Strip(view))
	}
	for i, row := range rows {
		if n := ansi.StringWidth(row); n != w {
			t.Fatalf("row %d has %d cells, want %d: %q", i, n, w, ansi.Strip(row))
		}
	}
}

// minCut is how many characters of a text identify it in a view.
const minCut = 12

// RequireMarkedCuts fails if a row shows the beginning of a text and then neither the
// rest of it nor mark. A row that shows less than twelve characters of it passes.
func RequireMarkedCuts(t TB, view, mark string, texts ...string) {
	t.Helper()
	for _, row := range strings.Split(ansi.Strip(view), "\n") {
		for _, text := range texts {
			chars := []rune(text)
			n := len(chars)
			for n >= minCut && !strings.Contains(row, string(chars[:n])) {
				n--
			}
			if n < minCut || n == len(chars) {
				continue
			}
			begin := strings.TrimRight(string(chars[:n]), " ")
			if !strings.HasSuffix(begin, mark) && !strings.Contains(row, begin+mark) && !strings.Contains(row, begin+" "+mark) {
				t.Fatalf("%q is cut without %q in %q", text, mark, row)
			}
		}
	}
}

// Styles returns a view as text, followed by a letter for the style of each cell:
//
//	t text   m muted   f faint   - line   a accent   s success   w warning   d danger
//	1 to 8 the seats   * a search match   b bold text   ? another, such as the cursor's
//
// In the selected row the letters are capitals, and the seats ① to ⑧. Text has no style
// of its own; blanks without one are blank, and so is all text without colours.
func Styles(th *theme.Theme, view string) string {
	letters := map[string]string{"": " "}
	add := func(st lipgloss.Style, letter string) {
		sequence, _, _ := strings.Cut(st.Render("x"), "x")
		if _, taken := letters[sequence]; !taken {
			letters[sequence] = letter
		}
	}
	for i, th := range []*theme.Theme{th, th.Selected()} {
		for j, st := range []lipgloss.Style{th.Text, th.Muted, th.Faint, th.Line, th.Accent, th.Success, th.Warning, th.Danger} {
			add(st, []string{"tmf-aswd", "TMF=ASWD"}[i][j:j+1])
		}
		for n := 1; n <= theme.Seats; n++ {
			add(th.Seat(n), []string{fmt.Sprint(n), string(rune('①' + n - 1))}[i])
		}
		if match, _, _ := strings.Cut(th.Match("x"), "x"); match != "" {
			letters[match] = "*"
		}
	}
	for _, st := range []lipgloss.Style{th.Text, th.Success, th.Warning, th.Danger, th.Accent} {
		add(st.Bold(true), "b")
	}
	colored := th.Muted.Render("x") != "x"
	rows := strings.Split(view, "\n")
	styles := make([]string, len(rows))
	for i, row := range rows {
		styles[i] = strings.TrimRight(styleRow(letters, colored, row), " ")
	}
	return ansi.Strip(view) + "\n\n" + strings.Join(styles, "\n") + "\n"
}

// SameStyles returns the [Styles] of a view that is drawn with a dark and a light theme.
// It fails if they differ.
func SameStyles(t TB, draw func(*theme.Theme) string) string {
	t.Helper()
	var styles [2]string
	for i, dark := range []bool{true, false} {
		th := theme.New(theme.Options{Dark: dark, Profile: colorprofile.TrueColor})
		styles[i] = Styles(th, draw(th))
	}
	if styles[0] != styles[1] {
		t.Fatalf("the light theme has other styles:\n%s\nthe dark one has\n%s", styles[1], styles[0])
	}
	return styles[0]
}

func styleRow(letters map[string]string, colored bool, row string) string {
	var b strings.Builder
	style := ""
	for state := byte(0); row != ""; {
		sequence, width, n, next := ansi.DecodeSequence(row, state, nil)
		row, state = row[n:], next
		switch {
		case width > 0:
			letter, ok := letters[style]
			switch {
			case !ok:
				letter = "?"
			case style == "" && colored && sequence != " ":
				letter = "t"
			}
			b.WriteString(strings.Repeat(letter, width))
		case sequence == "\x1b[m" || sequence == "\x1b[0m":
			style = ""
		default:
			style += sequence
		}
	}
	return b.String()
}

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

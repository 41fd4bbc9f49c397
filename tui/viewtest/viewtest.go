// Package viewtest checks drawn views in tests: their size, that nothing is cut without
// a mark, and their styles.
//
// It imports theme and the width functions of x/ansi. Only tests import it.
package viewtest

import (
	"fmt"
	"strings"

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

// styleRow returns the letter of each cell of a row.
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

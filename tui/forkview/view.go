package forkview

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"roundtable/internal/text"
	"roundtable/tui/input"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// labelWidth is the width of the first column of the list.
const labelWidth = 16

// Title names the screen and the round from which it forks.
func (sc *Screen) Title(screen.Frame) (left, right []theme.Part) {
	return []theme.Part{
		{Text: " Fork", Style: sc.th.Accent},
		{Text: "   " + text.Line(sc.session.Name()), Style: sc.th.Muted, Cut: 1},
	}, nil
}

// begins says after which round the fork begins.
func (sc *Screen) begins(round int) string {
	rest := text.Count(sc.session.Rounds-round, "round")
	if round == 0 {
		return fmt.Sprintf("From the start: %s to run again.", rest)
	}
	return fmt.Sprintf("From round %d of %d: %s to run again.", round, sc.session.Rounds, rest)
}

// View draws the list, or the values of a row.
func (sc *Screen) View(screen.Frame) string {
	if sc.chosen {
		return sc.values()
	}
	said := sc.begins(sc.round) + " Change one thing:"
	if len(sc.rows) == 0 {
		said = sc.nothing()
	}
	head := []string{""}
	for _, l := range theme.Wrap(said, max(sc.w-2, 1)) {
		head = append(head, sc.line(sc.th.Text.Render(l)))
	}
	head = append(head, "")
	var lines []string
	top, bottom := 0, 0
	for i, r := range sc.rows {
		if i == sc.cursor {
			top = len(lines)
		}
		lines = append(lines, sc.rowLines(r, i == sc.cursor)...)
		if i == sc.cursor {
			bottom = len(lines) - 1
		}
	}
	return sc.fill(head, lines, top, bottom)
}

// rowLines draws a row; below the selected one stands what it changes.
func (sc *Screen) rowLines(r row, selected bool) []string {
	th, mark := sc.th, " "
	if selected {
		th, mark = th.Selected(), th.Symbols.Focus
	}
	about := strings.TrimSpace(r.about)
	if about == "" {
		about = r.now
	}
	lines := []string{th.Columns(theme.Column{Text: " " + mark, Width: 3, Style: th.Accent},
		theme.Column{Text: text.Clip(r.label, labelWidth-1), Width: labelWidth, Style: th.Text},
		theme.Column{Text: sc.th.Truncate(about, max(sc.w-4-labelWidth, 1)), Width: max(sc.w-3-labelWidth, 1), Style: th.Muted})}
	if !selected {
		return lines
	}
	if r.about != "" && r.now != "" {
		lines = append(lines, sc.below(sc.th.Truncate("now: "+r.now, sc.w-sc.indent()-1))...)
	}
	if r.note != "" {
		lines = append(lines, sc.below(r.note)...)
	}
	return lines
}

// indent is where stands what is below a row.
func (sc *Screen) indent() int { return min(3+labelWidth, sc.w/3) }

func (sc *Screen) below(said string) []string {
	var lines []string
	for _, l := range theme.Wrap(said, max(sc.w-sc.indent()-1, 1)) {
		lines = append(lines, sc.th.Fit(strings.Repeat(" ", sc.indent())+sc.th.Faint.Render(l), sc.w))
	}
	return lines
}

// values draws what a row can change to, or the field of an answer.
func (sc *Screen) values() string {
	th, r := sc.th, sc.row()
	head := []string{"", sc.line(th.Accent.Render(r.label)), ""}
	for _, said := range []string{r.about, sc.nowLine(r), r.note} {
		if said == "" {
			continue
		}
		for _, l := range theme.Wrap(said, max(sc.w-2, 1)) {
			head = append(head, sc.line(th.Muted.Render(l)))
		}
	}
	plan := r.plan
	if !r.isAnswer() {
		plan = r.values[sc.value].plan
	}
	head = append(head, sc.line(th.Muted.Render(sc.begins(plan.Round))), "")
	if r.isAnswer() {
		label := "Other answer:"
		if sc.unavailable {
			label = "No answer, because:"
		}
		head = append(head, sc.line(th.Text.Render(label)), th.Fit("  "+input.Line(sc.field, th), sc.w))
		sc.fieldRow = max(min(len(head), sc.h)-1, 0)
		return sc.fill(head, nil, 0, 0)
	}
	var lines []string
	for i, v := range r.values {
		rowTheme, mark := th, " "
		if i == sc.value {
			rowTheme, mark = th.Selected(), th.Symbols.Focus
		}
		lines = append(lines, rowTheme.Columns(theme.Column{Text: " " + mark, Width: 3, Style: rowTheme.Accent},
			theme.Column{Text: th.Truncate(v.text, max(sc.w-4, 1)), Width: max(sc.w-3, 1), Style: rowTheme.Text}))
	}
	return sc.fill(head, lines, sc.value, sc.value)
}

func (sc *Screen) nowLine(r row) string {
	if r.now == "" {
		return ""
	}
	return "Now: " + text.Clip(r.now, 200)
}

// Cursor is in the field of the answer.
func (sc *Screen) Cursor() *tea.Cursor {
	if !sc.Typing() {
		return nil
	}
	return screen.Offset(input.Cursor(sc.field, sc.th), 2, sc.fieldRow)
}

func (sc *Screen) line(content string) string { return sc.th.Fit(" "+content, sc.w) }

// fill draws a head and a list below it, in exactly the room of the screen.
func (sc *Screen) fill(head, lines []string, top, bottom int) string {
	for i := range head {
		head[i] = sc.th.Fit(head[i], sc.w)
	}
	if over := len(head) - sc.h; over > 0 { // the field is the last row
		head = head[over:]
	}
	rest := sc.h - len(head)
	if rest == 0 {
		return strings.Join(head, "\n")
	}
	return strings.Join(append(head, sc.viewport.View(sc.th, lines, top, bottom, sc.w, rest)), "\n")
}

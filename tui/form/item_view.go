package form

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"roundtable/debate/ledger"
	"roundtable/internal/text"
	"roundtable/tui/theme"
)

// expandItem draws the focused request except for the box of its answer, and returns
// the row at which that is to be inserted.
func (f frame) expandItem(p *listLayout, it *item) (frame int) {
	for _, l := range theme.Wrap(it.query, max(f.inner()-answerIndent, 8)) {
		p.add(strings.Repeat(" ", answerIndent) + f.th.Text.Bold(true).Render(l))
	}
	for _, r := range it.asks {
		if r.query != "" {
			p.add(f.labelled("asked", f.agentName(r.agent)+`: "`+r.query+`"`)...)
		}
		p.add(f.labelled("why", f.reasonText(it, r))...)
	}
	frame = len(p.rows)
	p.hasText, p.focus = true, rowRange{frame, frame}
	p.textRow, p.textCol = frame+1, answerIndent+2
	if f.focused.field == fieldSource {
		p.focus.to++
		p.textRow, p.textCol = frame, answerIndent+len(sourceLabel)
	}
	if !it.unavailable {
		p.add(f.sourceRow(it))
	}
	if it.joinable() {
		focused := f.focused.field == fieldJoin
		if focused {
			p.hasText, p.focus = false, rowRange{len(p.rows), len(p.rows) + 1}
		}
		words := fmt.Sprintf("+ Join %s: one answer for both", it.twin)
		p.add(f.row([]theme.Part{{Text: "  "}, f.focusMark(focused), {Text: words, Style: f.fieldStyle(focused), Cut: 1}}, ""))
	}
	return frame
}

// answerBox draws the box with the answer, or with the reason why there is none.
func (f frame) answerBox(it *item, area int) []string {
	box := theme.Box{Width: f.inner() - answerIndent, Height: area + 2}
	part := func(words string) []theme.Part { return []theme.Part{{Text: words, Style: f.th.Muted}} }
	count := ""
	if n := utf8.RuneCountInString(it.text()); n*5 >= ledger.MaxAnswer*4 {
		count = fmt.Sprintf("%s of %s characters", text.Number(n), text.Number(ledger.MaxAnswer))
	}
	box.Title, box.Hint = f.answerTitle(it), part(f.answerHint())
	box.Total = part(f.draftStatus(it))
	if count != "" {
		box.State = part(count)
	}
	switch {
	case it.unavailable:
		box.Title, box.State = part(f.th.Symbols.Unavailable+" unavailable because"), part("a reason is needed")
		box.Hint, box.Total = part("agents read it"), part("ctrl+x back to the answer")
	case it.State == ledger.Released:
		box.Title = part("correction")
	}
	switch {
	case f.InGracePeriod(f.now):
		box.Hint = part("finish typing")
	case f.edit.tooLong && f.focused.field == fieldAnswer:
		box.Hint = part("shown in part, ctrl+o to edit")
	}
	if f.draftStatus(it) == "" && !it.unavailable {
		box.Total = nil
	}
	box.Accent, box.Focused = f.th.Accent, f.focused.field == fieldAnswer
	if box.Focused {
		box.Lines, _ = f.edit.draw()
	} else {
		box.Lines = theme.Wrap(text.Sanitize(it.text()), max(box.Width-4, 1))
		if more := len(box.Lines) - area; more > 0 {
			box.Lines[area-1] = fmt.Sprintf("%s %d more lines", f.th.Symbols.Cut, more+1)
		}
	}
	rows := f.th.Box(box)
	for i := range rows {
		rows[i] = strings.Repeat(" ", answerIndent) + rows[i]
	}
	return rows
}

// draftStatus says whether what was typed is saved or recorded.
func (f frame) draftStatus(it *item) string {
	_, sending := f.sending[it.ID]
	switch {
	case sending:
		return "sending"
	case !it.hasDraft() && it.settled() && strings.TrimSpace(it.text()) == "":
		return "blank: the answer stays"
	case !it.hasDraft() && it.settled():
		a, _ := it.Answer()
		return string(a.Outcome)
	case !it.hasDraft():
		return ""
	case it.save.dirty:
		return "saving"
	}
	return "draft saved, not sent yet"
}

// sourceRow draws the source of an answer. While a long one is edited, marks stand for
// the text before and after the visible row.
func (f frame) sourceRow(it *item) string {
	source, label, end, style := it.source, sourceLabel, " optional", f.th.Muted
	if f.focused.field == fieldSource && f.focused.request == it.ID {
		f.resizeEditor(1)
		style = f.th.Accent
		lines, _ := f.edit.draw()
		source = strings.TrimRight(lines[0], " ")
		at, cut := f.edit.area.LineInfo(), f.th.Symbols.Cut
		if at.RowOffset > 0 {
			label = strings.TrimSuffix(label, " ") + cut
		}
		if at.RowOffset < at.Height-1 {
			end = cut + strings.TrimPrefix(end, " ")
		}
	}
	lead := strings.Repeat(" ", answerIndent) + label
	room := f.inner() - ansi.StringWidth(lead) - ansi.StringWidth(end)
	if room < 1 {
		return style.Render(lead) + source
	}
	return style.Render(lead) + f.th.Fit(source, room) + f.th.Muted.Render(end)
}

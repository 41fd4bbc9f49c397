package form

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"roundtable/agents/safetext"
	"roundtable/debate/ledger"
	"roundtable/tui/theme"
)


// unfold draws the rows of the request that has the focus, but for the frame of
// the answer. It returns where that belongs.
func (f *Form) unfold(p *page, it *item) (frame int) {
	for _, l := range strings.Split(ansi.Wrap(it.query, max(f.inner()-answerIndent, 8), ""), "\n") {
		p.add(strings.Repeat(" ", answerIndent) + f.th.Text.Render(l))
	}
	for _, r := range it.reasons {
		if r.query != "" {
			p.add(f.labelled("asked", f.called(r.agent)+`: "`+r.query+`"`)...)
		}
		p.add(f.labelled("why", f.why(it, r))...)
	}
	frame = len(p.rows)
	p.text, p.focus = true, span{frame, frame}
	p.row, p.col = frame+1, answerIndent+2
	if f.at.field == aSource {
		p.focus.to++
		p.row, p.col = frame, answerIndent+len(sourceLabel)
	}
	if !it.unavailable {
		p.add(f.sourceRow(it))
	}
	return frame
}

// field draws the frame of the answer, or of the reason why there is none.
func (f *Form) field(it *item, now time.Time, area int) []string {
	box := theme.Box{Width: f.inner() - answerIndent, Height: area + 2}
	part := func(words string) []theme.Part { return []theme.Part{{Text: words, Style: f.th.Muted}} }
	n := fmt.Sprintf("%s of %s", count(utf8.RuneCountInString(it.text())), count(ledger.MaxAnswer))
	box.Title, box.Hint = part("answer"), part("enter new line")
	box.State, box.Total = part(n+" characters"), part(f.draftState(it))
	if f.Compact() {
		box.State = part(n)
	}
	switch {
	case it.unavailable:
		box.Title, box.State = part(f.th.Symbols.Unavailable+" unavailable because"), part("a reason is needed")
		box.Hint, box.Total = part("agents read this text"), part("ctrl+x back to the answer")
	case it.State == ledger.Released:
		box.Title = part("correction")
	}
	switch {
	case f.Settling(now):
		box.Hint = part("finish typing")
	case f.edit.over && f.at.field == anAnswer:
		box.Hint = part("not all is shown, ctrl+o changes it")
	}
	if f.draftState(it) == "" && !it.unavailable {
		box.Total = nil
	}
	if f.at.field == anAnswer {
		box.Lines, _ = f.edit.draw()
	} else {
		box.Lines = strings.Split(ansi.Wrap(safetext.Text(it.text()), max(box.Width-4, 1), ""), "\n")
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

// draftState says how far what is typed has come.
func (f *Form) draftState(it *item) string {
	_, sending := f.sending[it.ID]
	switch {
	case sending:
		return "recording"
	case !it.draft() && it.settled() && it.touched:
		return "blank, the recorded answer stands"
	case !it.draft() && it.settled():
		a, _ := it.Answer()
		return string(a.Outcome)
	case !it.draft():
		return ""
	case it.save.due:
		return "saving"
	case it.settled():
		return "draft saved, the recorded answer stands"
	}
	return "draft saved, not yet an answer"
}

// sourceRow draws the field for where an answer comes from. While it is typed one
// row of a long text is seen; marks stand for what is before and after it.
func (f *Form) sourceRow(it *item) string {
	source, label, end := it.source, sourceLabel, " optional"
	if f.at.field == aSource && f.at.request == it.ID {
		f.fit(1)
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
		return f.th.Muted.Render(lead) + source
	}
	return f.th.Muted.Render(lead) + f.th.Fit(source, room) + f.th.Muted.Render(end)
}

package form

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/debate/cite"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
	"roundtable/tui/attach"
	"roundtable/tui/input"
	"roundtable/tui/theme"
)

const (
	answerIndent = 4
	sourceLabel  = "source  "
)

type listLayout struct {
	rows             []string
	items            []rowRange // the rows of each request
	focusedItem      rowRange   // the rows of the focused request
	focus            rowRange   // the rows of the focused field
	hasText          bool       // the focused field is a text field, whose first character stands at:
	textRow, textCol int
}

type rowRange struct{ from, to int }

func (p *listLayout) add(rows ...string) { p.rows = append(p.rows, rows...) }

// layoutList draws all requests. The box of the answer gets what is left of room by the others.
func (f frame) layoutList(room int) listLayout {
	p := f.layoutWith(0)
	if p.hasText {
		return f.layoutWith(f.editorRows(f.items[f.focused.request], room, room-len(p.rows)))
	}
	return p
}

// layoutWith draws all requests, the focused one with so many rows of its answer in a box; 0: no box.
func (f frame) layoutWith(answer int) (p listLayout) {
	for i, it := range f.visibleItems() {
		if i > 0 {
			p.add("")
		}
		start := len(p.rows)
		p.add(f.itemHeader(it))
		if it.ID == f.focused.request && !it.folded() {
			f.expandItem(&p, it, answer)
		} else {
			p.add(f.foldedRow(it))
		}
		itemRows := rowRange{start, len(p.rows)}
		p.items = append(p.items, itemRows)
		if it.ID == f.focused.request {
			p.focusedItem = itemRows
			if !p.hasText {
				p.focus = itemRows
			}
		}
	}
	if len(p.rows) == 0 && len(f.session.Requests) == 0 {
		p.add(f.truncatedRow("No seat has asked for anything yet.", f.th.Muted))
	}
	if f.focused.request == "" {
		p.focus = rowRange{len(p.rows), len(p.rows)}
	}
	return p
}

// actionRow draws a row that enter can do, which it says while the row has the focus.
func (f frame) actionRow(focused, enters bool, sign string, style lipgloss.Style, words string) string {
	right := ""
	if focused && enters {
		right = "enter"
	}
	left := []theme.Part{f.focusMark(focused), {Text: sign + " ", Style: style}, {Text: words, Style: f.fieldStyle(focused), Cut: 1}}
	return f.row(left, right)
}

func (f frame) fieldStyle(focused bool) lipgloss.Style {
	if focused {
		return f.th.Accent
	}
	return f.th.Text
}

func (f frame) focusMark(focused bool) theme.Part {
	if focused {
		return theme.Part{Text: f.th.Symbols.Focus + " ", Style: f.th.Accent}
	}
	return theme.Part{Text: "  "}
}

func (f frame) row(left []theme.Part, right string) string {
	if right == "" {
		return ansi.Truncate(f.th.Row(left, nil, f.inner()+1), f.inner(), "")
	}
	return f.th.Row(left, []theme.Part{{Text: right, Style: f.th.Muted}}, f.inner())
}

func (f frame) itemHeader(it *item) string {
	sign, style := f.statusSymbol(it)
	left := []theme.Part{
		f.focusMark(it.ID == f.focused.request),
		{Text: sign + " ", Style: style},
		{Text: f.statusWord(it) + "  ", Style: f.th.Muted},
		{Text: it.ID + "  ", Style: f.th.Text},
	}
	right := f.headerRight(it)
	used := ansi.StringWidth(right) + 1
	for _, p := range left {
		used += ansi.StringWidth(p.Text)
	}
	askers, full := f.askerParts(it, true)
	if used+full > f.inner() {
		askers, _ = f.askerParts(it, false)
	}
	return f.row(append(left, askers...), right)
}

func (f frame) statusSymbol(it *item) (string, lipgloss.Style) {
	y := f.th.Symbols
	switch a, ok := it.Answer(); {
	case it.withdrawn() || it.State == ledger.Unanswered:
		return y.Missing, f.th.Muted
	case ok && a.Outcome == ledger.Unavailable:
		return y.Unavailable, f.th.Muted
	case ok:
		return y.Done, f.th.Success
	case it.Priority == ledger.Required:
		return y.Required, f.th.Warning
	}
	return y.Optional, f.th.Muted
}

func (f frame) statusWord(it *item) string {
	switch it.State {
	case ledger.Released:
		if !it.sent() { // a correction
			return "not sent"
		}
		return "sent    "
	case ledger.Withdrawn:
		return "withdrawn"
	case ledger.Pending, ledger.Resolved, ledger.AfterVerdict, ledger.Unanswered:
	}
	return string(it.Priority)
}

func (f frame) headerRight(it *item) string {
	sep := " " + f.th.Symbols.Sep + " "
	switch {
	case it.ID == f.focused.request && it.folded():
		return "enter changes it"
	case it.settled():
		return f.settledText(it)
	}
	words := fmt.Sprintf("round %d", it.Round)
	if f.session.Verdict == nil {
		words += sep + text.Age(f.now.Sub(it.Asked))
	}
	if it.FollowUpOf != "" {
		words = "after " + it.FollowUpOf + sep + words
	}
	if it.hasDraft() && it.ID != f.focused.request {
		state := "draft"
		if _, sending := f.sending[it.ID]; sending {
			state = "sending"
		}
		words = state + sep + words
		if it.unavailable {
			words = f.th.Symbols.Unavailable + " unavailable, " + words
		}
	}
	if !it.seen {
		words = "new" + sep + words
	}
	return words
}

func (f frame) settledText(it *item) string {
	a, _ := it.Answer()
	sep := " " + f.th.Symbols.Sep + " "
	if it.hasDraft() {
		return string(a.Outcome) + sep + "changed in a draft"
	}
	return text.Line(a.Said()) + sep + "saved " + a.At.In(f.now.Location()).Format("15:04:05")
}

// askerParts names the agents that ask, on demand with model and provider. It also
// returns how many cells that takes.
func (f frame) askerParts(it *item, models bool) ([]theme.Part, int) {
	var parts []theme.Part
	n := 0
	for i, id := range it.Askers() {
		_, seat := f.session.Seat(id)
		name, model := f.agentName(id), ""
		if i > 0 {
			name = ", " + name
		}
		if words := f.modelOf(id); models && words != "" {
			model = " " + f.th.Symbols.Sep + " " + words
		}
		parts = append(parts, theme.Part{Text: name, Style: f.th.Seat(seat), Cut: 2}, theme.Part{Text: model, Style: f.th.Muted, Cut: 1})
		n += ansi.StringWidth(name + model)
	}
	return parts, n
}

// foldedRow draws the only row below the header of a request without the focus: what was typed
// or, as long as there is nothing, the question.
func (f frame) foldedRow(it *item) string {
	words := text.Line(text.Head(it.text(), 1000))
	switch {
	case it.unavailable:
		return f.labelledRow("why not", words)
	case words != "" && it.hasDraft():
		return f.labelledRow("draft", words)
	case words != "":
		return f.labelledRow("answer", words)
	}
	return f.truncatedRow(it.query, f.th.Text.Bold(true))
}

func (f frame) truncatedRow(words string, style lipgloss.Style) string {
	return f.row([]theme.Part{{Text: strings.Repeat(" ", answerIndent)}, {Text: words, Style: style, Cut: 1}}, "")
}

// led wraps words behind a lead.
func (f frame) led(lead string, style lipgloss.Style, words string) []string {
	var rows []string
	for _, l := range theme.Wrap(words, max(f.inner()-theme.Width(lead), 8)) {
		rows = append(rows, style.Render(lead)+f.th.Text.Render(l))
		lead = strings.Repeat(" ", theme.Width(lead))
	}
	return rows
}

func (f frame) labelledRow(label, words string) string {
	return f.row([]theme.Part{{Text: f.labelIndent(label), Style: f.th.Muted}, {Text: words, Style: f.th.Text, Cut: 1}}, "")
}

func (f frame) labelIndent(label string) string {
	return strings.Repeat(" ", answerIndent) + label + "  "
}

func (f *Screen) reasonText(it *item, r askReason) string {
	words := `"` + r.reason + `"`
	if len(it.Askers()) > 1 {
		words = f.agentName(r.agent) + ": " + words
	}
	return words
}

// expandItem draws the focused request, with so many rows of its answer.
func (f frame) expandItem(p *listLayout, it *item, answer int) {
	for _, l := range theme.Wrap(it.query, max(f.inner()-answerIndent, 8)) {
		p.add(strings.Repeat(" ", answerIndent) + f.th.Text.Bold(true).Render(l))
	}
	for _, r := range it.asks {
		if r.query != "" {
			p.add(f.led(f.labelIndent("asked"), f.th.Muted, f.agentName(r.agent)+`: "`+r.query+`"`)...)
		}
		p.add(f.led(f.labelIndent("why"), f.th.Muted, f.reasonText(it, r))...)
	}
	box := len(p.rows)
	p.hasText, p.textRow, p.textCol = true, box+1, answerIndent+2
	if answer > 0 {
		p.add(f.answerBox(it, answer)...)
	}
	p.focus = rowRange{box, len(p.rows)}
	if f.focused.field == fieldSource {
		p.focus.to++
		p.textRow, p.textCol = len(p.rows), answerIndent+len(sourceLabel)
	}
	if !it.unavailable && (it.source.text != "" || f.focused.field == fieldSource) {
		p.add(f.sourceRow(it))
	}
}

func (f frame) answerBox(it *item, area int) []string {
	box := theme.Box{Width: f.inner() - answerIndent, Height: area + 2}
	part := func(words string) []theme.Part {
		if words == "" {
			return nil
		}
		return []theme.Part{{Text: words, Style: f.th.Muted}}
	}
	state := ""
	if n := utf8.RuneCountInString(it.text()); n*5 >= ledger.MaxAnswer*4 {
		state = fmt.Sprintf("%s of %s characters", text.Number(n), text.Number(ledger.MaxAnswer))
	}
	box.Title, box.Hint, box.Total = f.answerTitle(it), part(f.answerHint(it)), part(f.draftStatus(it))
	switch {
	case it.unavailable:
		if strings.TrimSpace(it.text()) == "" {
			state = "a reason is needed"
		}
		box.Title = part(f.th.Symbols.Unavailable + " unavailable because")
		box.Hint, box.Total = part("the seats read it"), part(f.config.Keys.Of("unavailable")+" back to the answer")
	case it.State == ledger.Released:
		box.Title = part("correction")
	}
	if box.State = part(state); !f.edit.area.Whole() && f.focused.field == fieldAnswer {
		box.Hint = part("shown in part, " + f.config.Keys.Of("editor") + " to edit")
	}
	box.Accent, box.Focused = f.th.Accent, f.focused.field == fieldAnswer
	if f.focused.field == fieldAnswer {
		box.Lines, _ = f.edit.draw()
	} else {
		box.Lines = theme.Wrap(text.Sanitize(it.text()), max(box.Width-4, 1))
		if more := len(box.Lines) - area; more > 0 {
			box.Lines[area-1] = fmt.Sprintf("%s %d more lines", f.th.Symbols.Cut, more+1)
		}
	}
	return text.Each(f.th.Box(box), func(row string) string { return strings.Repeat(" ", answerIndent) + row })
}

func (f frame) answerHint(it *item) string {
	lines := 1 + strings.Count(it.text(), "\n")
	breaks := input.BreakKey(lines, f.config.EnterSends) + " new line"
	switch {
	case f.completes():
		return f.config.Keys.Of("next-field") + " completes the path"
	case lines > 1:
		return breaks + " " + f.th.Symbols.Sep + " ctrl+s save"
	case f.config.Files.Off() || f.focused.field != fieldAnswer:
		return breaks
	}
	return breaks + " " + f.th.Symbols.Sep + " @ a file"
}

// answerTitle returns the title of the box of an answer. It names the files that will be
// attached and those that are.
func (f frame) answerTitle(it *item) []theme.Part {
	title := []theme.Part{{Text: "answer", Style: f.th.Muted}}
	content := it.text()
	all := f.config.Files.In(&f.mentions, content)
	for _, c := range cite.In(content).Evidence {
		if e, ok := cite.FindEvidence(f.session.Evidence, c.ID); ok {
			all = append(all, attach.Found{Name: text.Line(e.ID + " " + e.Name), Kind: e.Kind, Size: int64(e.Size)})
		}
	}
	if len(all) == 0 {
		return title
	}
	return append(
		title,
		theme.Part{Text: " with ", Style: f.th.Muted, Cut: 2},
		theme.Part{Text: attach.Chips(f.th, all), Style: f.th.Accent, Cut: 1},
	)
}

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
	case f.control.ReadOnly != "":
		return "cannot be saved"
	case it.dirty:
		return "saving"
	}
	if d := f.session.Drafts[it.ID]; d.ProposedBy != "" && d.Text == it.text() {
		return "proposed by " + text.Label(d.ProposedBy) + ", not sent yet"
	}
	return "draft saved, not sent yet"
}

// sourceRow draws the source of an answer. While a long one is edited, marks show
// that there is text before and after the visible row.
func (f frame) sourceRow(it *item) string {
	source, label, end, style := it.source.text, sourceLabel, "  ", f.th.Muted
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
			end = cut + " "
		}
	}
	lead := strings.Repeat(" ", answerIndent) + label
	room := f.inner() - ansi.StringWidth(lead) - ansi.StringWidth(end)
	if room < 1 {
		return style.Render(lead) + source
	}
	if source == "" {
		source = " " + f.th.Faint.Render("optional: who or what says so")
	}
	return style.Render(lead) + f.th.Fit(source, room) + f.th.Muted.Render(end)
}

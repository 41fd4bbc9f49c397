package form

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/debate/ledger"
	"roundtable/tui/theme"
)


const (
	answerIndent = 4
	sourceLabel  = "source  "
)

// page is the list of requests as rows, and where in it the focus is.
type page struct {
	rows     []string
	items    []span // of the requests
	item     span   // of the one that has the focus
	focus    span   // of its focused field
	text     bool   // that is a text field; its first character stands at:
	row, col int
}

// span is rows from one to before another.
type span struct{ from, to int }

// insert puts rows into the item that has the focus; what stands below moves down.
func (p *page) insert(at int, rows []string) {
	n := len(rows)
	p.rows = slices.Insert(p.rows, at, rows...)
	for i, it := range p.items {
		if it.from > at {
			p.items[i].from += n
		}
		if it.to > at {
			p.items[i].to += n
		}
	}
	p.item.to += n
	p.focus.to += n
}

func (p *page) add(rows ...string) { p.rows = append(p.rows, rows...) }

// list draws all requests. The frame of the answer gets what is left of the room.
func (f *Form) list(now time.Time, room int) page {
	var p page
	frame := -1
	for i, it := range f.listed() {
		if i > 0 {
			p.add("")
		}
		begin := len(p.rows)
		p.add(f.head(it, now))
		switch {
		case it.ID == f.at.request && !f.folded(it):
			frame = f.unfold(&p, it)
		case f.Compact():
			p.add(f.brief(it))
		default:
			p.add(f.glance(it, now)...)
		}
		here := span{begin, len(p.rows)}
		p.items = append(p.items, here)
		if it.ID == f.at.request {
			p.item = here
			if !p.text {
				p.focus = here
			}
		}
	}
	if n := f.frozen(); n > 0 && !f.released && f.filter == All {
		p.add("")
		if f.at.field == theReleased {
			p.focus = span{len(p.rows), len(p.rows) + 1}
		}
		p.add(f.line(f.at.field == theReleased, "+", f.th.Muted, fmt.Sprintf("%d released before", n), "enter lists them"))
	}
	if !f.Compact() && len(p.rows) > 0 {
		p.add("")
	}
	if f.at.request == "" && f.at.field != theReleased {
		p.focus = span{len(p.rows), len(p.rows)}
	}
	if frame >= 0 {
		it := f.items[f.at.request]
		box := f.field(it, now, f.area(it, room, room-len(p.rows)))
		p.insert(frame, box)
		if f.at.field == aSource {
			p.row += len(box)
		}
	}
	return p
}

// line draws a row that can have the focus: a sign, words, and what stands right.
func (f *Form) line(focused bool, sign string, style lipgloss.Style, words, right string) string {
	left := []theme.Part{f.mark(focused), {Text: sign + " ", Style: style}, {Text: words, Style: f.th.Text, Cut: 1}}
	return f.row(left, right)
}

func (f *Form) mark(focused bool) theme.Part {
	if focused {
		return theme.Part{Text: f.th.Symbols.Focus + " ", Style: f.th.Accent}
	}
	return theme.Part{Text: "  "}
}

func (f *Form) row(left []theme.Part, right string) string {
	if right == "" {
		return ansi.Truncate(f.th.Row(left, nil, f.inner()+1), f.inner(), "")
	}
	return f.th.Row(left, []theme.Part{{Text: right, Style: f.th.Muted}}, f.inner())
}

// head draws a request's first row: how it stands, who asks, since when.
func (f *Form) head(it *item, now time.Time) string {
	sign, style := f.sign(it)
	gap := "   "
	if f.Compact() {
		gap = "  "
	}
	left := []theme.Part{
		f.mark(it.ID == f.at.request),
		{Text: sign + " ", Style: style},
		{Text: f.kind(it) + gap, Style: f.th.Muted},
		{Text: it.ID + "  ", Style: f.th.Text},
	}
	right := f.right(it, now)
	used := ansi.StringWidth(right) + 1
	for _, p := range left {
		used += ansi.StringWidth(p.Text)
	}
	askers, full := f.askers(it, true)
	if used+full > f.inner() {
		askers, _ = f.askers(it, false)
	}
	return f.row(append(left, askers...), right)
}

// sign returns how a request stands.
func (f *Form) sign(it *item) (string, lipgloss.Style) {
	y := f.th.Symbols
	switch a, ok := it.Answer(); {
	case it.gone() || it.State == ledger.Expired:
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

func (f *Form) kind(it *item) string {
	switch it.State {
	case ledger.Released, ledger.Expired:
		return fmt.Sprintf("%-8s", it.State)
	case ledger.Withdrawn:
		return "withdrawn"
	case ledger.Pending, ledger.Resolved:
	}
	return string(it.Priority)
}

// right says when a request was asked, or how it was settled.
func (f *Form) right(it *item, now time.Time) string {
	sep := " " + f.th.Symbols.Sep + " "
	if f.Compact() && it.settled() {
		return f.settlement(it, now)
	}
	words := fmt.Sprintf("round %d%s%s", it.Round, sep, age(now.Sub(it.Asked)))
	if it.FollowUpOf != "" {
		words = "after " + it.FollowUpOf + sep + words
	}
	if f.Compact() && it.draft() && it.ID != f.at.request {
		words = "draft" + sep + words
		if it.unavailable {
			words = f.th.Symbols.Unavailable + " unavailable, " + words
		}
	}
	if !it.seen {
		words = "new" + sep + words
	}
	return words
}

// settlement says how and when a request was settled.
func (f *Form) settlement(it *item, now time.Time) string {
	a, _ := it.Answer()
	sep := " " + f.th.Symbols.Sep + " "
	if it.draft() {
		return string(a.Outcome) + sep + "a draft changes it"
	}
	return string(a.Outcome) + sep + "saved " + a.At.In(now.Location()).Format("15:04:05")
}

// askers names who asks, with model and provider where there is room, and how
// many cells that takes.
func (f *Form) askers(it *item, models bool) ([]theme.Part, int) {
	var parts []theme.Part
	n := 0
	for i, id := range it.Askers() {
		who := f.people[id]
		_, seat := f.session.Seat(id)
		name, model := f.called(id), ""
		if i > 0 {
			name = ", " + name
		}
		if models && who.model != "" {
			model = " " + f.th.Symbols.Sep + " " + who.model
		}
		parts = append(parts, theme.Part{Text: name, Style: f.th.Seat(seat), Cut: 2}, theme.Part{Text: model, Style: f.th.Muted, Cut: 1})
		n += ansi.StringWidth(name + model)
	}
	return parts, n
}

// brief is the one row below the head of a request that is folded; its mark says
// that there is more.
func (f *Form) brief(it *item) string {
	if a, ok := it.Answer(); ok && a.Outcome == ledger.Unavailable {
		return f.labelledRow("why not", glimpse(it.reason), "")
	}
	if words := it.query + " " + f.th.Symbols.Cut; answerIndent+ansi.StringWidth(words) <= f.inner() {
		return f.cutRow(words)
	}
	return f.cutRow(it.query)
}

// cutRow is a row of which the end may be cut off.
func (f *Form) cutRow(words string) string {
	return f.row([]theme.Part{{Text: strings.Repeat(" ", answerIndent)}, {Text: words, Style: f.th.Text, Cut: 1}}, "")
}

// glance is the rows below the head of a request that has not the focus: a row each.
func (f *Form) glance(it *item, now time.Time) []string {
	rows := []string{f.cutRow(it.query)}
	if len(it.reasons) > 0 {
		rows = append(rows, f.labelledRow("why", f.why(it, it.reasons[0]), ""))
	}
	one := glimpse(it.text())
	switch {
	case it.draft():
		if it.unavailable {
			return append(rows, f.labelledRow("why not", one, f.th.Symbols.Unavailable+" unavailable, "+f.draftState(it)))
		}
		return append(rows, f.labelledRow("draft", one, f.draftState(it)))
	case !it.settled():
		return append(rows, f.labelledRow("", f.idle(it), ""))
	case it.unavailable:
		return append(rows, f.labelledRow("why not", one, f.settlement(it, now)))
	}
	source := it.source
	if source == "" {
		source = "none"
	}
	return append(rows, f.labelledRow("answer", one, ""), f.labelledRow("source", source, f.settlement(it, now)))
}

// idle says what an open request means for the next round.
func (f *Form) idle(it *item) string {
	words := "no answer yet " + f.th.Symbols.Sep
	switch {
	case it.gone():
		return "nobody asks this any more"
	case f.opts.Final || it.State == ledger.Expired:
		return words + " an answer is kept, and used if you add rounds"
	case it.Priority == ledger.Required:
		return fmt.Sprintf("%s round %d waits for it", words, f.opts.Round)
	}
	return words + " does not block, may be answered in any later round"
}

// labelled draws words behind a label, broken into rows.
func (f *Form) labelled(label, words string) []string {
	lead := f.lead(label)
	indent := ansi.StringWidth(lead)
	var rows []string
	for i, l := range strings.Split(ansi.Wrap(words, max(f.inner()-indent, 8), ""), "\n") {
		if i > 0 {
			lead = strings.Repeat(" ", indent)
		}
		rows = append(rows, f.th.Muted.Render(lead)+f.th.Text.Render(l))
	}
	return rows
}

// labelledRow draws words behind a label as one row; they are cut where they do
// not fit beside what stands right.
func (f *Form) labelledRow(label, words, right string) string {
	return f.row([]theme.Part{{Text: f.lead(label), Style: f.th.Muted}, {Text: words, Style: f.th.Text, Cut: 1}}, right)
}

// lead is the indent of a row with its label.
func (f *Form) lead(label string) string {
	lead := strings.Repeat(" ", answerIndent)
	switch {
	case label == "":
		return lead
	case f.Compact():
		return lead + label + "  "
	}
	return lead + fmt.Sprintf("%-6s  ", label)
}

// why returns a reason as its agent gave it; of several askers with the name.
func (f *Form) why(it *item, r reason) string {
	words := `"` + r.why + `"`
	if len(it.Askers()) > 1 {
		words = f.called(r.agent) + ": " + words
	}
	return words
}

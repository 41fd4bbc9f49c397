package form

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/debate/ledger"
	"roundtable/internal/text"
	"roundtable/tui/theme"
)

// scrollState is the scroll position of the list and where its text field was drawn.
type scrollState struct {
	offset int  // the first visible row of the list
	reveal bool // the next drawing scrolls to the focus
	cursor *tea.Cursor

	locked   bool // the user types: the text field keeps its place and size
	textRow  int  // the row of the list where the text field was last drawn
	textRows int  // its number of rows
}

// Hint returns the keys that work now, as parts of a row. Where there is no room for
// all, whole keys are dropped, first those that other rows name.
func (f *Screen) Hint() []theme.Part {
	parts := []theme.Part{{Text: f.config.Keys.Of("next-field") + " next", Style: f.th.Muted}}
	if f.completes() {
		parts[0].Text = f.config.Keys.Of("next-field") + " complete the path"
	}
	hints := f.hints()
	for i, h := range hints {
		parts = append(parts, theme.Part{Text: " " + f.th.Symbols.Sep + " " + h, Style: f.th.Muted, Cut: len(hints) - i, Whole: true})
	}
	return parts
}

func (f *Screen) inner() int { return max(f.w-4, 0) }

type frame struct {
	*Screen
	now time.Time
}

func (f frame) draw() []string {
	foot := f.footer()
	room := max(f.h-2-len(foot), 0)
	p := f.layoutList(room)
	f.scrollToFocus(p, room)
	lines := f.visibleRows(p, room)
	if divider := f.divider(p, room); len(foot) > 0 {
		foot[0] = divider
	}
	f.placeCursor(p, room)
	box := theme.Box{
		Width: f.w, Height: f.h, Title: []theme.Part{{Text: f.title(), Style: f.th.Text}}, State: f.countParts(),
		Lines: append(lines, foot...),
	}
	f.border(&box)
	return f.th.Box(box)
}

// editorRows sizes the text field to the rows that are left, within limits, and
// returns their number.
func (f frame) editorRows(it *item, room, left int) int {
	if f.scroll.locked && f.scroll.textRows <= room {
		f.resizeEditor(f.scroll.textRows)
		return f.scroll.textRows
	}
	minRows, maxRows := 3, 6
	switch {
	case it.unavailable:
		minRows, maxRows = 1, 3
	case room < 12:
		minRows = 1
	}
	rows := min(max(left-2, minRows), maxRows)
	f.resizeEditor(rows)
	f.scroll.textRows = rows
	return rows
}

// scrollToFocus scrolls the list so that the focus is visible. While the user types,
// the text field stays where it is: rows added or removed above it scroll the list,
// which may then begin above the form or below its first row.
func (f frame) scrollToFocus(p listLayout, room int) {
	v := &f.scroll
	locked := v.locked && p.hasText
	if locked {
		v.offset += p.textRow - v.textRow
	}
	if v.reveal && !locked {
		for _, part := range []rowRange{p.focusedItem, p.focus} {
			if part.to-part.from <= room {
				v.offset = min(max(v.offset, part.to-room), part.from)
			}
		}
	}
	if _, c := f.edit.draw(); c != nil && p.hasText && v.reveal {
		v.offset = min(max(v.offset, p.textRow+c.Y+1-room), p.textRow+c.Y)
	}
	if !locked {
		v.offset = max(0, min(v.offset, len(p.rows)-room))
	}
	v.textRow, v.locked = p.textRow, p.hasText
}

func (f frame) visibleRows(p listLayout, room int) []string {
	above := min(max(-f.scroll.offset, 0), room)
	from := min(max(f.scroll.offset, 0), len(p.rows))
	rows := p.rows[from:max(from, min(f.scroll.offset+room, len(p.rows)))]
	return append(make([]string, above, above+len(rows)), rows...)
}

func (f frame) placeCursor(p listLayout, room int) {
	_, c := f.edit.draw()
	if c == nil || !p.hasText {
		return
	}
	c.X = min(c.X+p.textCol+2, f.w-3)
	c.Y += p.textRow - f.scroll.offset
	if c.Y < 0 || c.Y >= room || c.X < 0 {
		return
	}
	c.Y++
	f.scroll.cursor = c
}

func (f frame) title() string {
	if f.final {
		return "Context " + f.th.Symbols.Sep + " after the last round"
	}
	return fmt.Sprintf("Context for round %d", f.round)
}

func (f frame) countParts() []theme.Part {
	required, answered, optional, unseen := 0, 0, 0, 0
	for _, it := range f.items {
		if !it.seen && !it.withdrawn() {
			unseen++
		}
		switch {
		case it.withdrawn() || it.State == ledger.Released:
		case it.Priority != ledger.Required:
			optional++
		case it.settled():
			required, answered = required+1, answered+1
		default:
			required++
		}
	}
	words := []string{"nothing required"}
	if required > 0 {
		words[0] = fmt.Sprintf("required %d of %d done", answered, required)
	}
	if n := len(f.pendingDrafts()); n > 0 {
		words = append(words, text.Count(n, "draft"))
	}
	if optional > 0 {
		words = append(words, fmt.Sprintf("%d optional", optional))
	}
	parts := []theme.Part{{Text: strings.Join(words, " "+f.th.Symbols.Sep+" "), Style: f.th.Muted, Cut: 1}}
	if unseen > 0 {
		parts = append(parts, theme.Part{Text: fmt.Sprintf(" %s +%d new", f.th.Symbols.Sep, unseen), Style: f.th.Warning})
	}
	return parts
}

// border sets the text of the bottom border: the keys.
func (f frame) border(box *theme.Box) {
	keys := f.Hint()
	if box.Hint, box.Total = keys[:1], keys[1:]; len(box.Total) == 0 {
		return
	}
	box.Total[0].Text = strings.TrimPrefix(box.Total[0].Text, " "+f.th.Symbols.Sep+" ")
}

// hints returns the keys besides tab, the most important first.
func (f *Screen) hints() []string {
	if f.control.ReadOnly != "" {
		return nil
	}
	it := f.items[f.focused.request]
	var out []string
	if send := f.sendHint(); send != "" {
		out = append(out, send)
	}
	switch {
	case it != nil && it.unavailable:
		out = append(out, f.config.Keys.Of("unavailable")+" back to the answer")
	case f.focused.field == fieldRow:
		out = append(out, "enter edit")
	case it != nil:
		out = append(out, f.config.Keys.Of("unavailable")+" unavailable")
	}
	if it != nil && !f.running {
		out = append(out, f.config.Keys.Of("editor")+" editor")
	}
	return out
}

// minHeightForEnd is the height below which the row that ends the debate is only drawn
// while it has the focus, since the answer needs its room.
const minHeightForEnd = 16

// footer draws what is below the list and does not scroll: a divider, the release
// row, notes, and the row that ends the debate.
func (f frame) footer() []string {
	rows := []string{""} // the divider, drawn once the list is scrolled
	rows = append(rows, f.releaseLine())
	rows = append(rows, f.noteRows()...)
	if f.releasable() && f.control.ReadOnly == "" && (f.h >= minHeightForEnd || f.focused.field == fieldEnd) {
		rows = append(rows, f.endRow())
	}
	if f.readers == "" || f.h < minHeightForEnd && f.focused.field != fieldRelease { // the answer needs the rows more
		return rows
	}
	for _, l := range theme.Wrap("goes to: "+f.readers, max(f.inner()-2, 8)) {
		rows = append(rows, "  "+f.th.Muted.Render(l))
	}
	return rows
}

// divider draws the line above the footer. It says how many requests are hidden, in
// full or in part.
func (f frame) divider(p listLayout, room int) string {
	h := f.th.Border.Horizontal
	above, below := 0, 0
	for _, it := range p.items {
		switch {
		case it.from < f.scroll.offset:
			above++
		case it.to > f.scroll.offset+room:
			below++
		}
	}
	words := f.th.HiddenNote(above, below)
	if words == "" {
		return f.th.Line.Render(strings.Repeat(h, f.inner()))
	}
	text := " " + words + " "
	rest := max(f.inner()-2-ansi.StringWidth(text), 0)
	return f.th.Line.Render(h+h) + f.th.Muted.Render(text) + f.th.Line.Render(strings.Repeat(h, rest))
}

func (f frame) releaseLine() string {
	focused, y := f.focused.field == fieldRelease, f.th.Symbols
	sign, style := y.Queued, f.th.Muted
	switch {
	case f.control.ReadOnly != "":
		return f.actionRow(focused, false, sign, style, "Nothing can be saved: "+f.control.ReadOnly+".")
	case f.late() && len(f.pendingDrafts()) == 0:
		words := fmt.Sprintf("%s round %d with %s, %s", f.starts(focused), len(f.session.History)+1, f.releaseContents(), f.oneMore)
		return f.actionRow(focused, false, y.Ready, f.th.Success, words)
	case f.saved:
		sign, style = y.Done, f.th.Success
	case f.releasable() && len(f.blocking(f.pendingDrafts())) > 0:
		return f.blockedLine(focused)
	case f.releasable():
		words := fmt.Sprintf("%s round %d with %s", f.starts(focused), f.round, f.releaseContents())
		return f.actionRow(focused, false, y.Ready, f.th.Success, words)
	}
	words := "After the last round: one more round uses an answer, " + f.oneMore + "."
	if f.oneMore == "" {
		words = "An answer now waits for another round: " + f.config.Keys.Of("more") + " on the verdict."
	}
	if f.running {
		words = fmt.Sprintf("Round %d can start once round %d is done.", f.round, f.round-1)
	}
	if f.saved {
		words = "Saved. " + words
	}
	return f.actionRow(focused, !f.saved && len(f.pendingDrafts()) > 0, sign, style, words)
}

func (f frame) starts(focused bool) string {
	if focused {
		return "Ready: enter starts"
	}
	return "Start"
}

// releaseContents lists what the next round will get, and counts what stays open.
func (f frame) releaseContents() string {
	answers, unavailable, optional := 0, 0, 0
	for _, r := range f.session.Requests {
		a, ok := r.Undelivered()
		switch it := f.items[r.ID]; {
		case it.hasDraft():
		case ok && a.Outcome == ledger.Answered:
			answers++
		case ok:
			unavailable++
		case r.Open() && r.Priority == ledger.Optional:
			optional++
		}
	}
	var parts []string
	if answers > 0 {
		parts = append(parts, text.Count(answers, "answer"))
	}
	if unavailable > 0 {
		parts = append(parts, fmt.Sprintf("%d unavailable", unavailable))
	}
	if d := f.pendingDrafts(); len(d) > 0 {
		parts = append(parts, "your "+text.Plural(len(d), "draft")+" for "+draftList(d))
	}
	if len(parts) == 0 {
		parts = append(parts, "no new answers")
	}
	if optional > 0 {
		parts = append(parts, fmt.Sprintf("%d optional open", optional))
	}
	return strings.Join(parts, ", ")
}

// blockedLine says what the next round waits for.
func (f frame) blockedLine(focused bool) string {
	var requests []string
	for _, r := range f.session.Unanswered() {
		names := f.session.NamesOf(r.Askers())
		if f.items[r.ID].hasDraft() {
			names = []string{"draft"}
		}
		requests = append(requests, fmt.Sprintf("%s (%s)", r.ID, text.Line(strings.Join(names, ", "))))
	}
	words := fmt.Sprintf("Round %d waits for %s", f.round, strings.Join(requests, ", "))
	return f.actionRow(focused, true, f.th.Symbols.Blocked, f.th.Warning, words)
}

// noteRows wraps the note behind its symbol.
func (f frame) noteRows() []string {
	if f.note.text == "" {
		return nil
	}
	sign, style := f.th.Symbols.Done, f.th.Success
	if f.note.bad {
		sign, style = f.th.Symbols.Warning, f.th.Warning
	}
	return f.led("  "+sign+" ", style, f.note.text)
}

func (f frame) endRow() string {
	focused := f.focused.field == fieldEnd
	return f.actionRow(focused, true, " ", f.th.Muted, "End now: the chair writes the verdict")
}

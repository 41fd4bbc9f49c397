package form

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

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
	free     bool // nothing was typed since a join: the text field may move
	textRow  int  // the row of the list where the text field was last drawn
	textRows int  // its number of rows
}

// compactHeight is the height below which the form is compact.
const compactHeight = 26

// Compact reports whether the form has little room. It then folds requests further and
// shows who reads the answers in its border; its keys are to be shown elsewhere, see
// [Form.Hint].
func (f *Form) Compact() bool { return f.h < compactHeight }

// Hint returns the keys that work now, as parts of a row. Where there is no room for
// all, whole keys are dropped, first those that other rows name.
func (f *Form) Hint() []theme.Part {
	parts := []theme.Part{{Text: "tab next", Style: f.th.Muted}}
	if f.files.completes() {
		parts[0].Text = "tab complete the path"
	}
	hints := f.hints()
	for i, h := range hints {
		parts = append(parts, theme.Part{Text: " " + f.th.Symbols.Sep + " " + h, Style: f.th.Muted, Cut: len(hints) - i, Whole: true})
	}
	return parts
}

// inner returns the width of the text.
func (f *Form) inner() int { return max(f.w-4, 0) }

// Scroll moves a list that is longer than the form by lines, until the next key.
func (f *Form) Scroll(lines int) {
	f.scroll.offset, f.scroll.reveal, f.scroll.locked = max(0, f.scroll.offset+lines), false, false
}

// View draws the form: exactly its height of lines, each of exactly its width.
func (f *Form) View(now time.Time) string {
	f.scroll.cursor = nil
	if f.w <= 0 || f.h <= 0 {
		return ""
	}
	return strings.Join(frame{f, now}.draw(), "\n")
}

// frame is one drawing of the form.
type frame struct {
	*Form
	now time.Time
}

// draw returns the rows of the form.
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

// Cursor returns the position of the cursor in the drawing of the last View. It is nil
// if nothing can be typed or the text field is hidden.
func (f *Form) Cursor() *tea.Cursor { return f.scroll.cursor }

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
	v.textRow, v.locked = p.textRow, p.hasText && !v.free
}

// visibleRows returns the rows of the list that are visible.
func (f frame) visibleRows(p listLayout, room int) []string {
	above := min(max(-f.scroll.offset, 0), room)
	from := min(max(f.scroll.offset, 0), len(p.rows))
	rows := p.rows[from:max(from, min(f.scroll.offset+room, len(p.rows)))]
	return append(make([]string, above, above+len(rows)), rows...)
}

// placeCursor puts the cursor into the text field.
func (f frame) placeCursor(p listLayout, room int) {
	_, c := f.edit.draw()
	if c == nil || !p.hasText || f.InGracePeriod(f.now) {
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

// title returns which round the answers are for.
func (f frame) title() string {
	if f.opts.Final {
		return "Context " + f.th.Symbols.Sep + " no later round"
	}
	return fmt.Sprintf("Context for round %d", f.opts.Round)
}

// countParts counts requests and drafts.
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
		words[0] = fmt.Sprintf("required %d of %d answered", answered, required)
	}
	switch f.filter {
	case Required:
		words = append(words, "required only")
	case Open:
		words = append(words, "open only")
	case All:
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

// border sets the text of the bottom border: the keys, or in a compact form who will
// read the answers, if that fits.
func (f frame) border(box *theme.Box) {
	if f.Compact() {
		if f.opts.GoesTo != "" && f.inBorder() {
			box.Hint = []theme.Part{{Text: f.goesTo(), Style: f.th.Muted}}
		}
		return
	}
	keys := f.Hint()
	box.Hint, box.Total = keys[:1], keys[1:]
	box.Total[0].Text = strings.TrimPrefix(box.Total[0].Text, " "+f.th.Symbols.Sep+" ")
}

// hints returns the keys besides tab, the most important first.
func (f *Form) hints() []string {
	it := f.items[f.focused.request]
	var out []string
	if send := sendHint(f); send != "" {
		out = append(out, send)
	}
	switch {
	case it != nil && it.unavailable:
		out = append(out, "ctrl+x back to the answer")
	case f.focused.field == fieldJoin:
		out = append(out, "enter join "+it.twin)
	case f.focused.field == fieldRow:
		out = append(out, "enter edit")
	case it != nil:
		out = append(out, "ctrl+x unavailable")
	}
	if it != nil && !f.opts.Running {
		out = append(out, "ctrl+o editor")
	}
	if !f.Compact() {
		out = append(out, "esc close, drafts kept")
	}
	return out
}

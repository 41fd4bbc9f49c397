package form

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate/ledger"
	"roundtable/tui/theme"
)


// view is where the drawing stands.
type view struct {
	offset int  // lines of the list above the form
	reveal bool // scroll to the focus
	cursor *tea.Cursor

	still bool // what arrives moves and resizes nothing: the user types
	row   int  // of the list at which the text field was drawn last
	lines int  // of the text field
}

// compactBelow is the height under which rows are folded further.
const compactBelow = 26

// Compact reports whether the form has little room: then it shows who reads the
// answers in its border, and its keys are for others to show, see [Form.Hint].
func (f *Form) Compact() bool { return f.h < compactBelow }

// Hint names the keys that work now.
func (f *Form) Hint() string {
	return strings.Join(append([]string{"tab next"}, f.hints()...), " "+f.th.Symbols.Sep+" ")
}

// inner is the width of the text.
func (f *Form) inner() int { return max(f.w-4, 0) }

// Scroll moves the list by lines where it is longer than the form, until the next key.
func (f *Form) Scroll(lines int) {
	f.view.offset, f.view.reveal, f.view.still = max(0, f.view.offset+lines), false, false
}

// View draws the form: exactly its height of lines, each of exactly its width.
func (f *Form) View(now time.Time) string {
	f.view.cursor = nil
	if f.w <= 0 || f.h <= 0 {
		return ""
	}
	foot := f.footer()
	room := max(f.h-2-len(foot), 0)
	p := f.list(now, room)
	f.place(p, room)
	lines := f.window(p, room)
	if rule := f.rule(p, room); len(foot) > 0 {
		foot[0] = rule
	}
	f.point(p, now, room)
	box := theme.Box{Width: f.w, Height: f.h, Title: []theme.Part{{Text: f.title(), Style: f.th.Text}}, State: f.tally(), Lines: append(lines, foot...)}
	f.border(&box)
	return strings.Join(f.th.Box(box), "\n")
}

// Cursor returns where the terminal's cursor belongs within the drawing of the
// last View, or nil: nothing can be typed now, or it is out of sight.
func (f *Form) Cursor() *tea.Cursor { return f.view.cursor }

// area gives the text field the rows that are left of the room, within limits.
func (f *Form) area(it *item, room, left int) int {
	if f.view.still && f.view.lines <= room {
		f.fit(f.view.lines)
		return f.view.lines
	}
	least, most := 3, 6
	switch {
	case it.unavailable:
		least, most = 1, 3
	case room < 12:
		least = 1
	}
	rows := min(max(left-2, least), most)
	f.fit(rows)
	f.view.lines = rows
	return rows
}

// place scrolls the list so that the focus is visible. While the user types, rows
// that come or go above the text field move what stands there, not the field: the
// list then begins above the form, or below its first row.
func (f *Form) place(p page, room int) {
	v := &f.view
	still := v.still && p.text
	if still {
		v.offset += p.row - v.row
	}
	if v.reveal && !still {
		for _, part := range []span{p.item, p.focus} {
			if part.to-part.from <= room {
				v.offset = min(max(v.offset, part.to-room), part.from)
			}
		}
	}
	if _, c := f.edit.draw(); c != nil && p.text && v.reveal {
		v.offset = min(max(v.offset, p.row+c.Y+1-room), p.row+c.Y)
	}
	if !still {
		v.offset = max(0, min(v.offset, len(p.rows)-room))
	}
	v.row, v.still = p.row, p.text
}

// window returns the rows of the list that are on the screen.
func (f *Form) window(p page, room int) []string {
	above := min(max(-f.view.offset, 0), room)
	from := min(max(f.view.offset, 0), len(p.rows))
	rows := p.rows[from:max(from, min(f.view.offset+room, len(p.rows)))]
	return append(make([]string, above, above+len(rows)), rows...)
}

// point puts the cursor into the text field.
func (f *Form) point(p page, now time.Time, room int) {
	_, c := f.edit.draw()
	if c == nil || !p.text || f.Settling(now) {
		return
	}
	c.X = min(c.X+p.col+2, f.w-3)
	c.Y += p.row - f.view.offset
	if c.Y < 0 || c.Y >= room || c.X < 0 {
		return
	}
	c.Y++
	f.view.cursor = c
}

// title says what the answers are for.
func (f *Form) title() string {
	if f.opts.Final {
		return "Context " + f.th.Symbols.Sep + " no later round"
	}
	return fmt.Sprintf("Context for round %d", f.opts.Round)
}

// tally counts what there is.
func (f *Form) tally() []theme.Part {
	required, answered, optional, fresh := 0, 0, 0, 0
	for _, it := range f.items {
		if !it.seen && !it.gone() {
			fresh++
		}
		switch {
		case it.gone() || it.State == ledger.Released:
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
	if n := len(f.drafts()); n > 0 {
		words = append(words, plural(n, "draft"))
	}
	if optional > 0 {
		words = append(words, fmt.Sprintf("%d optional", optional))
	}
	parts := []theme.Part{{Text: strings.Join(words, " "+f.th.Symbols.Sep+" "), Style: f.th.Muted, Cut: 1}}
	if fresh > 0 {
		parts = append(parts, theme.Part{Text: fmt.Sprintf(" %s +%d new", f.th.Symbols.Sep, fresh), Style: f.th.Warning})
	}
	return parts
}

// border fills the bottom line: with the keys, or where it is narrow with who
// will read the answers.
func (f *Form) border(box *theme.Box) {
	if f.Compact() {
		if f.opts.GoesTo != "" {
			box.Hint = []theme.Part{{Text: "goes to: " + f.opts.GoesTo, Style: f.th.Muted}}
		}
		return
	}
	box.Hint = []theme.Part{{Text: "tab next", Style: f.th.Muted}}
	hints := f.hints()
	for i, h := range hints {
		if i > 0 {
			h = " " + f.th.Symbols.Sep + " " + h
		}
		// What is said elsewhere leaves first: the release row names its key.
		box.Total = append(box.Total, theme.Part{Text: h, Style: f.th.Muted, Cut: len(hints) - i, Whole: true})
	}
}

// hints names the keys besides tab, the most needed first.
func (f *Form) hints() []string {
	it := f.items[f.at.request]
	var out []string
	switch {
	case it != nil && it.unavailable:
		out = append(out, "ctrl+x back to the answer")
	case f.at.field == aRow:
		out = append(out, "enter changes it")
	case it != nil:
		out = append(out, "ctrl+x unavailable")
	}
	if it != nil && !f.opts.Running {
		out = append(out, "ctrl+o editor")
	}
	if f.gate() {
		out = append(out, "ctrl+s release")
	} else {
		out = append(out, "ctrl+s save")
	}
	if !f.Compact() {
		out = append(out, "esc close, drafts stay")
	}
	return out
}

package form

import (
	"strings"
	"time"
	"unicode/utf8"

	"roundtable/agents/safetext"
)

// merge returns a text as it is to be kept, of which the field has shown before and
// shows now: what was not touched stays as it was kept, with all that a screen
// cannot show, and what was added is kept as added.
func merge(raw, shownBefore, shown, added string) string {
	if raw == shownBefore && added == "" {
		return shown
	}
	head := commonAffix(shownBefore, shown, false)
	tail := commonAffix(shownBefore[head:], shown[head:], true)
	middle := shown[head : len(shown)-tail]
	if added != "" && safetext.Text(added) == middle {
		middle = added
	}
	from, ok1 := rawOffset(raw, shownBefore[:head])
	to, ok2 := rawOffset(raw, shownBefore[:len(shownBefore)-tail])
	if text := raw[:from] + middle + raw[to:]; ok1 && ok2 && from <= to && safetext.Text(text) == safetext.Text(shown) {
		return text
	}
	return shown // the new characters change what stands beside them
}

// common returns how many bytes two texts begin or end with alike, in whole runes.
func commonAffix(a, b string, end bool) int {
	n := 0
	for n < len(a) && n < len(b) {
		ra, size := utf8.DecodeRuneInString(a[n:])
		rb, _ := utf8.DecodeRuneInString(b[n:])
		if end {
			ra, size = utf8.DecodeLastRuneInString(a[:len(a)-n])
			rb, _ = utf8.DecodeLastRuneInString(b[:len(b)-n])
		}
		if ra != rb {
			break
		}
		n += size
	}
	return n
}

// cutAt returns where in a kept text what it shows as head ends. What has no shape
// belongs to what stands before it.
func rawOffset(raw, shown string) (at int, ok bool) {
	for at < len(raw) {
		r, size := utf8.DecodeRuneInString(raw[at:])
		next, width := utf8.DecodeRuneInString(shown)
		switch {
		case width > 0 && r == next:
			shown = shown[width:]
		case isModifier(string(r)):
		case width > 0 && safetext.Text(string(r)) == string(next): // half a flag is a letter
			shown = shown[width:]
		default:
			return at, shown == ""
		}
		at += size
	}
	return at, shown == ""
}

// shapeless reports whether a key's text only changes how the characters around it look.
func isModifier(key string) bool {
	return utf8.RuneCountInString(key) == 1 && safetext.Text(key) == "" && safetext.Own("a"+key+"a") == "a"+key+"a"
}

// style puts what has no shape behind the character before the cursor: it is kept,
// and the field does not show it.
func (f *Form) insertModifier(key string, now time.Time) Outcome {
	e := &f.edit
	it := f.items[f.focused.request]
	if it == nil || f.focused.field != fieldAnswer || e.tooLong {
		return None{}
	}
	head := 0
	lines := strings.Split(e.shown, "\n")
	for _, l := range lines[:e.area.Line()] {
		head += len(l) + 1
	}
	head += len(string([]rune(lines[e.area.Line()])[:e.area.Column()]))
	at, ok := rawOffset(e.raw, e.shown[:head])
	if !ok || head == 0 {
		return None{}
	}
	before := e.state()
	e.raw = e.raw[:at] + key + e.raw[at:]
	f.recordUndo(before)
	it.setText(e.raw)
	f.itemEdited(it, now)
	return None{}
}

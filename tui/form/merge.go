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
func merge(kept, before, now, added string) string {
	if kept == before && added == "" {
		return now
	}
	head := common(before, now, false)
	tail := common(before[head:], now[head:], true)
	middle := now[head : len(now)-tail]
	if added != "" && safetext.Text(added) == middle {
		middle = added
	}
	from, ok1 := cutAt(kept, before[:head])
	to, ok2 := cutAt(kept, before[:len(before)-tail])
	if text := kept[:from] + middle + kept[to:]; ok1 && ok2 && from <= to && safetext.Text(text) == safetext.Text(now) {
		return text
	}
	return now // the new characters change what stands beside them
}

// common returns how many bytes two texts begin or end with alike, in whole runes.
func common(a, b string, end bool) int {
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
func cutAt(kept, head string) (at int, ok bool) {
	for at < len(kept) {
		r, size := utf8.DecodeRuneInString(kept[at:])
		next, width := utf8.DecodeRuneInString(head)
		switch {
		case width > 0 && r == next:
			head = head[width:]
		case shapeless(string(r)):
		case width > 0 && safetext.Text(string(r)) == string(next): // half a flag is a letter
			head = head[width:]
		default:
			return at, head == ""
		}
		at += size
	}
	return at, head == ""
}

// shapeless reports whether a key's text only changes how the characters around it look.
func shapeless(key string) bool {
	return utf8.RuneCountInString(key) == 1 && safetext.Text(key) == "" && safetext.Own("a"+key+"a") == "a"+key+"a"
}

// style puts what has no shape behind the character before the cursor: it is kept,
// and the field does not show it.
func (f *Form) style(key string, now time.Time) Outcome {
	e := &f.edit
	it := f.items[f.at.request]
	if it == nil || f.at.field != anAnswer || e.over {
		return None{}
	}
	head := 0
	lines := strings.Split(e.base, "\n")
	for _, l := range lines[:e.area.Line()] {
		head += len(l) + 1
	}
	head += len(string([]rune(lines[e.area.Line()])[:e.area.Column()]))
	at, ok := cutAt(e.raw, e.base[:head])
	if !ok || head == 0 {
		return None{}
	}
	before := e.state()
	e.raw = e.raw[:at] + key + e.raw[at:]
	f.remember(before)
	it.setText(e.raw)
	it.touch()
	it.save.change(now)
	f.notes, f.saved = nil, false
	return None{}
}

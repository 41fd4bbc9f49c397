package form

import (
	"strings"
	"time"
	"unicode/utf8"

	"roundtable/internal/text"
)

// merge applies an edit to a raw text. The field showed shownBefore and now shows
// shown; raw may hold characters that the field cannot show. They are kept where
// nothing was edited, and added is inserted as it was typed or pasted.
func merge(raw, shownBefore, shown, added string) string {
	if raw == shownBefore && added == "" {
		return shown
	}
	head := commonAffix(shownBefore, shown, false)
	tail := commonAffix(shownBefore[head:], shown[head:], true)
	middle := shown[head : len(shown)-tail]
	if added != "" && text.Sanitize(added) == middle {
		middle = added
	}
	from, ok1 := rawOffset(raw, shownBefore[:head])
	to, ok2 := rawOffset(raw, shownBefore[:len(shownBefore)-tail])
	if content := raw[:from] + middle + raw[to:]; ok1 && ok2 && from <= to && text.Sanitize(content) == text.Sanitize(shown) {
		return content
	}
	return shown // the new characters change how their neighbours are shown
}

// commonAffix returns the number of bytes in which two texts agree at the beginning,
// or at the end, in whole characters.
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

// rawOffset returns where the part of raw that is shown as shown ends. Invisible
// characters belong to the character before them.
func rawOffset(raw, shown string) (at int, ok bool) {
	for at < len(raw) {
		r, size := utf8.DecodeRuneInString(raw[at:])
		next, width := utf8.DecodeRuneInString(shown)
		switch {
		case width > 0 && r == next:
			shown = shown[width:]
		case isModifier(string(r)):
		case width > 0 && text.Sanitize(string(r)) == string(next): // half of a flag is shown as a letter
			shown = shown[width:]
		default:
			return at, shown == ""
		}
		at += size
	}
	return at, shown == ""
}

// isModifier reports whether the text of a key is a character that only changes how
// its neighbours look, such as a joiner or a variation selector.
func isModifier(key string) bool {
	return utf8.RuneCountInString(key) == 1 && text.Sanitize(key) == "" && text.SanitizeInput("a"+key+"a") == "a"+key+"a"
}

// insertModifier adds an invisible character behind the one before the cursor. It is
// kept, although the field does not show it.
func (f *Form) insertModifier(key string, now time.Time) {
	e := &f.edit
	it := f.items[f.focused.request]
	if it == nil || f.focused.field != fieldAnswer || e.tooLong {
		return
	}
	head := 0
	lines := strings.Split(e.shown, "\n")
	for _, l := range lines[:e.area.Line()] {
		head += len(l) + 1
	}
	head += len(string([]rune(lines[e.area.Line()])[:e.area.Column()]))
	at, ok := rawOffset(e.raw, e.shown[:head])
	if !ok || head == 0 {
		return
	}
	before := e.state()
	e.raw = e.raw[:at] + key + e.raw[at:]
	f.recordUndo(before)
	it.setText(e.raw)
	f.itemEdited(it, now)
}

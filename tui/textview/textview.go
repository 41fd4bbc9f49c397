// Package textview scrolls a text on the screen, and searches it.
//
// It imports theme. It must not know what the text is, nor which key scrolls.
package textview

// Text is a text that scrolls. Its zero value shows the beginning. The keys that move it do
// not know where it ends; drawing it, which follows every key, brings it back.
type Text struct {
	top         int // the first visible line
	rows, lines int // of the last drawing
}

// Scroll moves by lines.
func (t *Text) Scroll(n int) { t.top = max(t.top+n, 0) }

// HalfPage moves by about half of what is visible, down if n is 1 and up if it is -1.
func (t *Text) HalfPage(n int) { t.Scroll(n * max(t.rows/2, 1)) }

// ToEnd moves to the last line, or with -1 to the first one.
func (t *Text) ToEnd(n int) { t.Scroll(n * 1 << 20) }

// ScrollTo makes a line the first visible one.
func (t *Text) ScrollTo(line int) { t.top = max(line, 0) }

// Top returns the first visible line.
func (t *Text) Top() int { return t.top }

// Range returns which of so many lines a number of rows show.
func (t *Text) Range(lines, rows int) (from, to int) {
	t.rows, t.lines = rows, lines
	t.top = max(0, min(t.top, lines-rows))
	return t.top, min(t.top+max(rows, 0), lines)
}

// AtEnd reports whether the last line is visible, or would be if it were drawn again.
func (t *Text) AtEnd() bool { return t.top >= t.lines-t.rows }

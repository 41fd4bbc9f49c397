package input

import (
	"cmp"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/tui/theme"
)

// Line draws a text field of one line, one cell wider than its width to leave room for
// the cursor. Marks stand for text that is hidden to the left or right.
func Line(f textinput.Model, th *theme.Theme) string {
	text, _ := visiblePart(f, th)
	return th.Text.Render(text)
}

// Cursor returns the position of the cursor in what [Line] draws; it is nil without
// the focus. The position that textinput returns ignores wide characters and
// scrolling.
func Cursor(f textinput.Model, th *theme.Theme) *tea.Cursor {
	c := f.Cursor()
	if c != nil {
		_, c.X = visiblePart(f, th)
	}
	return c
}

// visiblePart returns the visible part of the text and the cell of the cursor in it.
// The cursor stands in the middle if text is hidden on both sides.
func visiblePart(f textinput.Model, th *theme.Theme) (text string, at int) {
	runes := []rune(f.Value())
	before, after := string(runes[:f.Position()]), string(runes[f.Position():])
	room, head := f.Width(), ansi.StringWidth(before)
	if over := min(head-room/2, head+ansi.StringWidth(after)-room); over > 0 {
		whole := before
		before = ansi.TruncateLeft(whole, over+1, th.Symbols.Cut)
		if ansi.StringWidth(before) > head-over { // half of a wide character would be left
			before = cmp.Or(ansi.TruncateLeft(whole, over+2, th.Symbols.Cut), th.Symbols.Cut)
		}
	}
	return ansi.Truncate(before+after, room+1, th.Symbols.Cut), ansi.StringWidth(before)
}

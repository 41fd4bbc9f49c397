package input

import (
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/tui/theme"
)


// Line draws a field of one line, with a cell more than its width for the cursor.
// A mark stands for what there is further left, or further right.
func Line(f textinput.Model, th *theme.Theme) string {
	text, _ := window(f, th)
	return th.Text.Render(text)
}

// Cursor returns where the cursor stands in what [Line] draws; nil: the field has
// not the focus. The field's own does not know of wide characters, nor of scrolling.
func Cursor(f textinput.Model, th *theme.Theme) *tea.Cursor {
	c := f.Cursor()
	if c != nil {
		_, c.X = window(f, th)
	}
	return c
}

// window returns the part of the text that is shown, and the cell of the cursor in
// it: in the middle where the text goes on at both sides.
func window(f textinput.Model, th *theme.Theme) (text string, at int) {
	runes := []rune(f.Value())
	before, after := string(runes[:f.Position()]), string(runes[f.Position():])
	room, head := f.Width(), ansi.StringWidth(before)
	if over := min(head-room/2, head+ansi.StringWidth(after)-room); over > 0 {
		before = ansi.TruncateLeft(before, over+1, th.Symbols.Cut)
	}
	return ansi.Truncate(before+after, room+1, th.Symbols.Cut), ansi.StringWidth(before)
}

// Package input holds what the text fields of the interface share: the field of several
// lines, an undo history, and the drawing of a line that is longer than its field.
//
// It imports theme and internal/text. It must not know what a text is for, nor keep one beyond its
// field: a [History] belongs to one text only.
package input

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/bubbles/v2/textarea"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/tui/theme"
)

// State is a text and the position of the cursor in it, in characters.
type State struct {
	Text         string
	Line, Column int
}

func (s State) restore(a *textarea.Model) {
	lines := strings.Split(s.Text, "\n")
	line := min(s.Line, len(lines)-1)
	runes := []rune(lines[line])
	column := min(s.Column, len(runes))
	before := strings.Join(append(slices.Clone(lines[:line]), string(runes[:column])), "\n")
	// A textarea moves its cursor by rows of the screen only, so the text before the
	// cursor is inserted last.
	a.SetValue(s.Text[len(before):])
	a.MoveToBegin()
	a.InsertString(before)
	*a, _ = a.Update(nil) // scrolls to the cursor
}

// NewField returns a field of one line that takes so many characters.
func NewField(content string, limit int) textinput.Model {
	f := textinput.New()
	f.Prompt, f.CharLimit = "", limit
	f.SetVirtualCursor(false)
	f.SetValue(content)
	return f
}

const maxSteps = 100

// History is the undo history of one text. A step is a typed word with the blanks
// after it, a run of deleted characters, or any other change. The zero value is ready
// to use.
type History struct {
	states []State
	last   State // after the last recorded change
	grew   int   // by so many characters in that change
}

// Record adds a change, if the text has changed.
func (h *History) Record(before, after State) {
	if before.Text == after.Text {
		return
	}
	grew := utf8.RuneCountInString(after.Text) - utf8.RuneCountInString(before.Text)
	merges := before == h.last && grew == h.grew && (grew == -1 || grew == 1 && !after.beginsWord())
	if !merges {
		h.states = append(h.states, before)
		if len(h.states) > maxSteps {
			h.states = slices.Delete(h.states, 0, 1)
		}
	}
	h.last, h.grew = after, grew
}

// beginsWord reports whether the first character of a word is before the cursor.
func (s State) beginsWord() bool {
	lines := strings.Split(s.Text, "\n")
	line := []rune(lines[min(s.Line, len(lines)-1)])
	at := min(s.Column, len(line))
	return at > 0 && !unicode.IsSpace(line[at-1]) && (at == 1 || unicode.IsSpace(line[at-2]))
}

// Undo returns the text as it was one step ago; ok is false if there is no such step.
func (h *History) Undo() (s State, ok bool) {
	n := len(h.states)
	if n == 0 {
		return State{}, false
	}
	s, h.states[n-1] = h.states[n-1], State{}
	h.states, h.last, h.grew = h.states[:n-1], s, 0
	return s, true
}

// Line draws a text field of one line, one cell wider than its width to leave room for
// the cursor. Marks show that text is hidden to the left or right.
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
// The cursor is in the middle if text is hidden on both sides.
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

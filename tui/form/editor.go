package form

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"roundtable/agents/safetext"
	"roundtable/debate/ledger"
	"roundtable/tui/theme"
)


// maxLines is how many lines a text may have here; a textarea takes no more.
const maxLines = 10_000

// editor is the one text field, lent to whatever has the focus.
type editor struct {
	area   textarea.Model
	at     stop   // whose text it holds
	other  bool   // that text is the reason, not the answer
	raw    string // the text that was lent, as it is kept
	base   string // the text as the field had it last: what can be shown of it
	over   bool   // the text has more lines than the field takes: it is not changed here
	fitted stop   // where it has its size for
	drawn  []string
	cursor *tea.Cursor
}

// newArea returns a textarea without the keys that mean something else here:
// ctrl+p and the pages are taken by others, and the clipboard is the terminal's,
// which pastes through [Form.Paste].
func newArea(th *theme.Theme) textarea.Model {
	a := textarea.New()
	a.Prompt, a.ShowLineNumbers = "", false
	a.MaxHeight, a.MaxWidth = 0, 0
	a.SetVirtualCursor(false)
	a.SetStyles(areaStyles(th))
	k := &a.KeyMap
	for _, b := range []*key.Binding{&k.PageUp, &k.PageDown, &k.Paste, &k.CopySelection} {
		b.SetEnabled(false)
	}
	k.LinePrevious.SetKeys("up")
	k.InsertNewline.SetKeys("enter", "ctrl+m", "shift+enter", "alt+enter", "ctrl+j")
	return a
}

func areaStyles(th *theme.Theme) textarea.Styles {
	state := textarea.StyleState{Base: lipgloss.NewStyle(), Text: th.Text, CursorLine: th.Text, Selection: th.Selected().Text}
	return textarea.Styles{Focused: state, Blurred: state, Cursor: textarea.CursorStyle{Shape: tea.CursorBlock, Blink: true}}
}

// load lends the text field to the focus.
func (f *Form) load() {
	it := f.items[f.at.request]
	if it == nil || !f.at.types() {
		f.edit.at, f.edit.drawn = f.at, nil
		f.edit.area.Blur()
		return
	}
	text := it.text()
	if f.at.field == aSource {
		text = it.source
	}
	e := &f.edit
	if e.at == f.at && e.other == it.unavailable && e.area.Focused() && text == e.raw {
		return
	}
	e.at, e.other, e.raw, e.drawn = f.at, it.unavailable, text, nil
	e.area.SetValue(safetext.Text(text))
	e.base, e.over = e.area.Value(), strings.Count(text, "\n") >= maxLines
	e.area.Focus()
	f.fit(max(e.area.Height(), 1))
	e.area.MoveToEnd()
}

// fit gives the text field its size; a source has one row.
func (f *Form) fit(rows int) {
	width := f.inner() - answerIndent - 4
	if f.at.field == aSource {
		width, rows = f.inner()-answerIndent-len(sourceLabel)-len(" optional"), 1
	}
	e := &f.edit
	if width = max(width, 1); e.at == e.fitted && e.area.Width() == width && e.area.Height() == rows {
		return
	}
	e.fitted, e.drawn = e.at, nil
	// A dynamic height is what makes a textarea scroll back when it grows. As a
	// limit it would refuse lines, so it is set for this moment only. The text is
	// laid out in between, since it scrolls in what was laid out last.
	a := &e.area
	a.DynamicHeight, a.MinHeight, a.MaxHeight = true, rows, rows
	a.SetWidth(width)
	a.View()
	a.SetWidth(width)
	a.DynamicHeight, a.MaxHeight = false, 0
}

// draw returns the rows of the text field and where its cursor is. With a long
// text both take milliseconds, so they are kept until something changes.
func (e *editor) draw() ([]string, *tea.Cursor) {
	if e.drawn == nil {
		e.drawn, e.cursor = strings.Split(e.area.View(), "\n"), e.area.Cursor()
	}
	if e.cursor == nil {
		return e.drawn, nil
	}
	c := *e.cursor
	return e.drawn, &c
}

// pass gives the text field a message and takes over what has become of the text.
func (f *Form) pass(msg tea.Msg) tea.Cmd {
	e := &f.edit
	var cmd tea.Cmd
	e.area, cmd = e.area.Update(msg)
	e.drawn = nil
	f.view.still = f.view.still && f.view.reveal
	f.view.reveal = true
	return cmd
}

// keep writes the text field back; it reports whether the text has changed. Added
// is what was typed or pasted, as it is to be kept.
func (f *Form) keep(added string) bool {
	e := &f.edit
	it, shown := f.items[f.at.request], e.area.Value()
	if it == nil || shown == e.base || e.over {
		return false
	}
	if f.at.field == aSource {
		it.source, e.raw = shown, shown
	} else {
		e.raw = merge(e.raw, e.base, shown, added)
		it.setText(e.raw)
	}
	e.base = shown
	it.touch()
	return true
}

// room returns how many characters the focused text may still get.
func (f *Form) room() (free, limit int) {
	limit = ledger.MaxAnswer
	if f.at.field == aSource {
		limit = ledger.MaxSource
	}
	return max(0, limit-utf8.RuneCountInString(f.edit.area.Value())), limit
}

// typed makes the text of a key safe: as it is shown, and as it is to be kept. A mark
// may come as a key of its own, for the character before the cursor.
func typed(text string) (shown, kept string) {
	const base = "0" // carries any mark and joins none
	return strings.TrimPrefix(safetext.Text(base+text), base), safetext.Own(text)
}

// pasted makes pasted text safe and cuts it to what there is room for, before
// anything else has to cope with its length. It returns it as the field shows it
// and as it is to be kept, and reports whether it was cut.
func (f *Form) pasted(text string) (shown, kept string, cut bool) {
	free, _ := f.room()
	if most := 8*free + 1024; len(text) > most {
		for most > 0 && !utf8.RuneStart(text[most]) {
			most--
		}
		text, cut = text[:most], true
	}
	shown, kept = safetext.Text(text), safetext.Own(text)
	if f.at.field == aSource {
		shown = safetext.Line(text)
	}
	runes, lines := 0, f.edit.area.LineCount()
	for i, r := range shown {
		if r == '\n' {
			lines++
		}
		if runes == free || lines > maxLines {
			return shown[:i], shown[:i], true
		}
		runes++
	}
	return shown, kept, cut
}

// tooLong says why keys change nothing in a text that the field does not hold whole.
func (f *Form) tooLong() Notice {
	lines := 1 + strings.Count(f.edit.raw, "\n")
	return f.notice(fmt.Sprintf("This text has %s lines, of which %s are shown here. It is kept whole; ctrl+o changes it in $EDITOR.", count(lines), count(maxLines)))
}

// limits says how long the focused text may be.
func (f *Form) limits() string {
	if f.at.field == aSource {
		return fmt.Sprintf("A source has at most %s characters.", count(ledger.MaxSource))
	}
	return fmt.Sprintf("An answer has at most %s characters in %s lines.", count(ledger.MaxAnswer), count(maxLines))
}

package form

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate/ledger"
	"roundtable/tui/attach"
	"roundtable/tui/input"
	"roundtable/tui/screen"
)

// editor is the only text field of the form; it holds the text that has the focus.
type editor struct {
	area     input.Area
	target   tabStop // the field whose text it holds
	isReason bool    // the text is the reason, not the answer
	sizedFor tabStop // the field that the text field has its size for
	drawn    []string
	cursor   *tea.Cursor
}

func (f *Screen) loadEditor() {
	it := f.items[f.focused.request]
	if it == nil || !f.focused.isText() {
		f.edit.target, f.edit.drawn = f.focused, nil
		f.edit.area.Blur()
		return
	}
	content, e := it.at(f.focused.field).text, &f.edit
	if e.target == f.focused && e.isReason == it.unavailable && e.area.Focused() && content == e.area.Text() {
		return
	}
	e.target, e.isReason, e.drawn = f.focused, it.unavailable, nil
	e.area.Holds, e.area.Limit, e.area.OneLine = "An answer", ledger.MaxAnswer, false
	if f.focused.field == fieldSource {
		e.area.Holds, e.area.Limit, e.area.OneLine = "A source", ledger.MaxSource, true
	}
	e.area.SetText(content)
	e.area.Focus()
	f.resizeEditor(max(e.area.Height(), 1))
	e.area.MoveToEnd()
}

// resizeEditor sets the size of the text field; that of a source has one row.
func (f *Screen) resizeEditor(rows int) {
	width := f.inner() - answerIndent - 4
	if f.focused.field == fieldSource {
		width, rows = f.inner()-answerIndent-len(sourceLabel)-2, 1
	}
	e := &f.edit
	if width = max(width, 1); e.target == e.sizedFor && e.area.Width() == width && e.area.Height() == rows {
		return
	}
	e.sizedFor, e.drawn = e.target, nil
	e.area.Resize(width, rows, rows)
}

// draw returns the rows of the text field and its cursor. They are cached, since a
// long text takes milliseconds.
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

// edited follows a change of the text field: it scrolls to it and copies the text back to its
// item.
func (f *Screen) edited(before input.State) {
	e := &f.edit
	e.drawn = nil
	f.scroll.locked = f.scroll.locked && f.scroll.reveal
	f.scroll.reveal = true
	it := f.items[f.focused.request]
	if it == nil || e.area.Text() == before.Text {
		return
	}
	to := it.at(f.focused.field)
	to.text = e.area.Text()
	to.past.Record(before, e.area.State())
	f.itemEdited(it)
}

func (f *Screen) undo() screen.Outcome {
	it := f.items[f.focused.request]
	if it == nil || !f.focused.isText() {
		return f.notice("Nothing to undo here: press " + f.config.Keys.Of("next-field") + " to reach a text field.")
	}
	to := it.at(f.focused.field)
	previous, ok := to.past.Undo()
	if !ok {
		return f.notice("Nothing more to undo in this text.")
	}
	to.text = previous.Text
	f.itemEdited(it)
	f.loadEditor()
	if f.edit.area.Whole() {
		f.edit.area.Restore(previous)
	}
	f.edit.drawn, f.scroll.reveal, f.scroll.locked = nil, true, false
	return nil
}

func (f *Screen) pathField() *attach.Field {
	return &attach.Field{
		Mentions: &f.mentions,
		Shown: func() (string, int, int) {
			if f.focused.field != fieldAnswer {
				return "", 0, 0
			}
			return f.edit.area.Shown()
		},
		Type: func(more string) screen.Outcome {
			return append(f.typeKey(tea.KeyPressMsg{Text: more}), screen.Run(f.saveSoon(draftEvery))...)
		},
		Leave: func() screen.Outcome {
			f.moveFocus(+1)
			return nil
		},
	}
}

func (f *Screen) completes() bool { return f.config.Files.Completes(f.path) }

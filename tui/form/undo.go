package form

import (
	"time"

	"roundtable/internal/text"
	"roundtable/tui/input"
)

// undoHistories are the changes of an item's texts since they were recorded or
// restored.
type undoHistories struct{ answer, reason, source input.History }

// undoHistory returns the history of the text of a field.
func (it *item) undoHistory(at field) *input.History {
	switch {
	case at == fieldSource:
		return &it.undo.source
	case it.unavailable:
		return &it.undo.reason
	}
	return &it.undo.answer
}

// state returns the text as it is kept, and the cursor in what is shown of it.
func (e *editor) state() input.State {
	return input.State{Text: e.raw, Line: e.area.Line(), Column: e.area.Column()}
}

// recordUndo records a change of the focused text.
func (f *Form) recordUndo(before input.State) {
	if it := f.items[f.focused.request]; it != nil {
		it.undoHistory(f.focused.field).Record(before, f.edit.state())
	}
}

// undo reverts the last change of the focused text.
func (f *Form) undo(now time.Time) Outcome {
	it := f.items[f.focused.request]
	if it == nil || !f.focused.isText() {
		return f.notice("Nothing to undo here: press tab to reach a text field.")
	}
	previous, ok := it.undoHistory(f.focused.field).Undo()
	if !ok {
		return f.notice("Nothing more to undo in this text.")
	}
	if f.focused.field == fieldSource {
		it.source = previous.Text
	} else {
		it.setText(previous.Text)
	}
	f.itemEdited(it, now)
	f.loadEditor()
	if !f.edit.tooLong {
		previous.Text = text.Sanitize(previous.Text)
		previous.Restore(&f.edit.area)
	}
	f.edit.drawn, f.scroll.reveal, f.scroll.locked = nil, true, false
	return None{}
}

package setup

import (
	"unicode/utf8"

	"roundtable/tui/input"
	"roundtable/tui/screen"
)

// edit is an undo entry: a text of the form before a key.
type edit struct {
	at field
	input.State
}

// textState returns the focused text; the cursor of a list is always at its end.
func (f *Form) textState() edit {
	e := edit{at: f.focused}
	if l, list := listFields[f.focused]; list {
		e.State = input.State{Text: f.lists[l], Column: utf8.RuneCountInString(f.lists[l])}
	} else if a := f.amountAt(f.focused); a != nil {
		e.State = input.State{Text: a.text, Column: utf8.RuneCountInString(a.text)}
	} else if f.focused == fieldFiles {
		e.State = f.files.state()
	} else if f.focused == fieldWorkspace {
		e.State = f.folder.state()
	} else if f.focused == fieldTopic {
		e.State = input.StateOf(&f.topic)
	}
	return e
}

// recordUndo records a change of the focused text.
func (f *Form) recordUndo(before edit) {
	if before.at != f.focused { // the key has moved the focus
		return
	}
	f.historyAt(f.focused).Record(before.State, f.textState().State)
}

// historyAt returns the undo history of a field.
func (f *Form) historyAt(at field) *input.History {
	if f.history[at] == nil {
		f.history[at] = &input.History{}
	}
	return f.history[at]
}

// Undo reverts the last change of the focused text; ok is false if there is none.
func (f *Form) Undo() (out screen.Outcome, ok bool) {
	h := f.history[f.focused]
	if h == nil {
		return nil, false
	}
	previous, ok := h.Undo()
	if !ok {
		return nil, false
	}
	if l, list := listFields[f.focused]; list {
		f.lists[l] = previous.Text
		return nil, true
	}
	if a := f.amountAt(f.focused); a != nil {
		*a = amount{text: previous.Text}
		return nil, true
	}
	if f.focused == fieldFiles {
		f.files.restore(previous)
		return nil, true
	}
	if f.focused == fieldWorkspace {
		f.folder.path = previous.Text
		return nil, true
	}
	previous.Restore(&f.topic)
	f.fitTopic()
	return nil, true
}

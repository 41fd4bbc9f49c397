package setup

import (
	"unicode/utf8"

	"roundtable/tui/input"
)

// edited is what a text of the form was before a key.
type edit struct {
	at field
	input.State
}

// state is the text that has the focus; a list is typed at its end.
func (f *Form) textState() edit {
	e := edit{at: f.focused}
	if l, list := listFields[f.focused]; list {
		e.State = input.State{Text: f.lists[l], Column: utf8.RuneCountInString(f.lists[l])}
	} else if f.focused == fieldTopic {
		e.State = input.StateOf(&f.topic)
	}
	return e
}

// remember keeps what the focused text was before a change.
func (f *Form) recordUndo(before edit) {
	if before.at != f.focused { // the key went to another field
		return
	}
	if f.history[f.focused] == nil {
		f.history[f.focused] = &input.History{}
	}
	f.history[f.focused].Record(before.State, f.textState().State)
}

// Undo takes back the last change of the text that has the focus. It reports whether
// there was one.
func (f *Form) Undo() bool {
	h := f.history[f.focused]
	if h == nil {
		return false
	}
	was, ok := h.Undo()
	if !ok {
		return false
	}
	if l, list := listFields[f.focused]; list {
		f.lists[l] = was.Text
		return true
	}
	was.Restore(&f.topic)
	f.fitTopic()
	return true
}

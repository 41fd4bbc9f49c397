package picker

import (
	"unicode/utf8"

	"roundtable/tui/input"
)


// edited is what a text of the form was before a key.
type edited struct {
	at spot
	input.State
}

// state is the text that has the focus; a list is typed at its end.
func (f *NewDebate) state() edited {
	e := edited{at: f.at}
	if l, list := listAt[f.at]; list {
		e.State = input.State{Text: f.lists[l], Column: utf8.RuneCountInString(f.lists[l])}
	} else if f.at == onTopic {
		e.State = input.Of(&f.topic)
	}
	return e
}

// remember keeps what the focused text was before a change.
func (f *NewDebate) remember(before edited) {
	if before.at != f.at { // the key went to another field
		return
	}
	if f.past[f.at] == nil {
		f.past[f.at] = &input.History{}
	}
	f.past[f.at].Note(before.State, f.state().State)
}

// Undo takes back the last change of the text that has the focus. It reports whether
// there was one.
func (f *NewDebate) Undo() bool {
	h := f.past[f.at]
	if h == nil {
		return false
	}
	was, ok := h.Back()
	if !ok {
		return false
	}
	if l, list := listAt[f.at]; list {
		f.lists[l] = was.Text
		return true
	}
	was.Show(&f.topic)
	f.fitTopic()
	return true
}

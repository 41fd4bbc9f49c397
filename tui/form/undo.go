package form

import (
	"time"

	"roundtable/agents/safetext"
	"roundtable/tui/input"
)


// pasts are the ways back in the texts of one request, to what was typed since they
// were recorded or restored.
type pasts struct{ answer, reason, source input.History }

// past returns the way back in the focused text, which is the item's.
func (f *Form) past(it *item) *input.History {
	switch {
	case f.at.field == aSource:
		return &it.past.source
	case it.unavailable:
		return &it.past.reason
	}
	return &it.past.answer
}

// state is the text in the field as it is kept, and where the cursor stands in what
// is shown of it.
func (e *editor) state() input.State {
	return input.State{Text: e.raw, Line: e.area.Line(), Column: e.area.Column()}
}

// remember keeps what the focused text was before a change.
func (f *Form) remember(before input.State) {
	if it := f.items[f.at.request]; it != nil {
		f.past(it).Note(before, f.edit.state())
	}
}

// undo takes back the last change of the focused text.
func (f *Form) undo(now time.Time) Outcome {
	it := f.items[f.at.request]
	if it == nil || !f.at.types() {
		return f.notice("Nothing to undo here: tab goes to a text field.")
	}
	was, ok := f.past(it).Back()
	if !ok {
		return f.notice("Nothing more to undo in this text.")
	}
	if f.at.field == aSource {
		it.source = was.Text
	} else {
		it.setText(was.Text)
	}
	it.touch()
	it.save.change(now)
	f.notes, f.saved = nil, false
	f.load()
	if !f.edit.over {
		was.Text = safetext.Text(was.Text)
		was.Show(&f.edit.area)
	}
	f.edit.drawn, f.view.reveal, f.view.still = nil, true, false
	return None{}
}

// Package input is what the text fields of the interface have in common: a way
// back to what was typed before, and how a line is drawn that is longer than its
// room.
//
// It imports theme at most. It must not know what a text is for, nor keep one for more
// than its own field: a [History] belongs to one text and to nothing else.
package input

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/bubbles/v2/textarea"
)

// UndoKeys are the keys that take a change back. A terminal sends the first for
// ctrl+/, too; the others are the same keys where it tells all of them apart.
func UndoKeys() []string { return []string{"ctrl+_", "ctrl+/", "ctrl+shift+-"} }

// State is a text, and where the cursor stands in it, in characters.
type State struct {
	Text         string
	Line, Column int
}

// Of returns the state of a field.
func StateOf(a *textarea.Model) State {
	return State{Text: a.Value(), Line: a.Line(), Column: a.Column()}
}

// Show puts the text and the cursor into a field.
func (s State) Restore(a *textarea.Model) {
	lines := strings.Split(s.Text, "\n")
	line := min(s.Line, len(lines)-1)
	here := []rune(lines[line])
	column := min(s.Column, len(here))
	before := strings.Join(append(slices.Clone(lines[:line]), string(here[:column])), "\n")
	// A field moves its cursor by rows of the screen only: what stands before the
	// cursor goes in last.
	a.SetValue(s.Text[len(before):])
	a.MoveToBegin()
	a.InsertString(before)
	*a, _ = a.Update(nil) // scrolls to the cursor
}

// most is how many steps back are kept of a text.
const maxSteps = 100

// kind is what a change was, so that those of a kind become one step.
type changeKind uint8

const (
	changeOther  changeKind = iota // a step of its own: a paste, a word or a line that was deleted
	changeLetter                   // of a word that is typed
	changeSpace                    // after a word
	changeDelete                   // a character
)

// History is the way back in one text. A step is a word that was typed with the
// blank behind it, a run of characters that were deleted, or any other change.
// Its zero value is a text that was not changed yet.
type History struct {
	states []State
	last   State      // after the change that was noted last
	kind   changeKind // of that change
}

// Note keeps what a change has made of a text, if it has changed it.
func (h *History) Record(before, after State) {
	if before.Text == after.Text {
		return
	}
	k := kindOf(before.Text, after.Text)
	joins := before == h.last && (k == h.kind && k != changeOther || k == changeSpace && h.kind == changeLetter)
	if !joins {
		h.states = append(h.states, before)
		if len(h.states) > maxSteps {
			h.states = slices.Delete(h.states, 0, 1)
		}
	}
	h.last, h.kind = after, k
}

// Back returns the text as it was a step ago; ok is false where there is none.
func (h *History) Undo() (s State, ok bool) {
	n := len(h.states)
	if n == 0 {
		return State{}, false
	}
	s, h.states[n-1] = h.states[n-1], State{}
	h.states, h.last, h.kind = h.states[:n-1], s, changeOther
	return s, true
}

func kindOf(before, after string) changeKind {
	switch utf8.RuneCountInString(after) - utf8.RuneCountInString(before) {
	case 1:
		at := 0
		for at < len(before) && before[at] == after[at] {
			at++
		}
		for !utf8.RuneStart(after[at]) {
			at--
		}
		if r, _ := utf8.DecodeRuneInString(after[at:]); unicode.IsSpace(r) {
			return changeSpace
		}
		return changeLetter
	case -1:
		return changeDelete
	}
	return changeOther
}

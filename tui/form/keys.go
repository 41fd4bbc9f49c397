package form

import (
	"fmt"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"roundtable/debate/ledger"
	"roundtable/tui/input"
)

// KeyMap is the keys of the form. All others are text where there is a text field.
type KeyMap struct {
	Next, Previous, Enter, Send, Unavailable, Editor, Undo, Close key.Binding

	// Passed are keys that the form never takes: the palette, quitting, and the
	// pages of the pane beside it.
	PassThrough key.Binding
}

// Keys returns the keys of the form, for it and for help.
func Keys() KeyMap {
	bind := func(help string, keys ...string) key.Binding {
		return key.NewBinding(key.WithKeys(keys...), key.WithHelp(keys[0], help))
	}
	return KeyMap{
		Next:        bind("next field", "tab"),
		Previous:    bind("previous field", "shift+tab"),
		Enter:       bind("new line; on the last rows: do it", "enter"),
		Send:        bind("record, then release", "ctrl+s"),
		Unavailable: bind("unavailable + reason", "ctrl+x"),
		Editor:      bind("write in $EDITOR", "ctrl+o"),
		Undo:        bind("undo typing", input.UndoKeys()...),
		Close:       bind("close, drafts stay", "esc"),
		PassThrough: bind("commands", "ctrl+p", "ctrl+c", "ctrl+z", "pgup", "pgdown"),
	}
}

var keys = Keys()

const (
	graceIdle = 400 * time.Millisecond
	graceMax  = 1500 * time.Millisecond
)

// grace is the time in which a form that opened by itself ignores keys: they
// were meant for what stood there before.
type gracePeriod struct {
	active            bool
	openedAt, lastKey time.Time
}

// settling reports whether keys are still ignored.
func (g *gracePeriod) ignores(now time.Time) bool {
	g.active = g.active && now.Sub(g.lastKey) < graceIdle && now.Sub(g.openedAt) < graceMax
	return g.active
}

// Settling reports whether the form ignores keys, since it has opened by itself
// and the user was typing. Quitting and scrolling work all the same.
func (f *Form) InGracePeriod(now time.Time) bool { return f.grace.ignores(now) }

// HandleKey takes a key that was pressed at a time. The command, if any, is for
// the program to run.
func (f *Form) HandleKey(msg tea.KeyPressMsg, now time.Time) (Outcome, tea.Cmd) {
	if key.Matches(msg, keys.PassThrough) {
		return None{}, nil
	}
	if f.InGracePeriod(now) {
		f.grace.lastKey = now
		return None{}, nil
	}
	if f.confirmSend && !key.Matches(msg, keys.Send) {
		f.confirmSend, f.notes = false, nil
	}
	if f.confirmEnd && !key.Matches(msg, keys.Enter) {
		f.confirmEnd = false
		if key.Matches(msg, keys.Close) {
			return None{}, nil
		}
	}
	switch {
	case key.Matches(msg, keys.Close):
		f.close()
		return Close{}, nil
	case key.Matches(msg, keys.Next):
		f.moveFocus(+1)
	case key.Matches(msg, keys.Previous):
		f.moveFocus(-1)
	case key.Matches(msg, keys.Send):
		return f.send(), nil
	case key.Matches(msg, keys.Unavailable):
		f.toggleUnavailable(now)
	case key.Matches(msg, keys.Editor):
		return f.openEditor(), nil
	case key.Matches(msg, keys.Undo):
		return f.undo(now), nil
	case f.focused.isText() && !(f.focused.field == fieldSource && key.Matches(msg, keys.Enter)):
		return f.typeKey(msg, now)
	case key.Matches(msg, keys.Enter):
		return f.activateRow(), nil
	case msg.String() == "down":
		f.moveFocus(+1)
	case msg.String() == "up":
		f.moveFocus(-1)
	}
	return None{}, nil
}

// close leaves the form; its drafts are to be stored at once.
func (f *Form) close() {
	f.notes = nil
	for _, it := range f.items {
		it.save.dirtySince = time.Time{}
	}
}

// typeKey gives a key to the text field.
func (f *Form) typeKey(msg tea.KeyPressMsg, now time.Time) (Outcome, tea.Cmd) {
	kept := ""
	if msg.Text != "" {
		if isModifier(msg.Text) {
			return f.insertModifier(msg.Text, now), nil
		}
		msg.Text, kept = sanitizeTyped(msg.Text)
		if f.focused.field == fieldSource {
			msg.Text = strings.ReplaceAll(msg.Text, "\n", " ")
		}
		if msg.Text == "" {
			return None{}, nil
		}
	}
	if f.edit.tooLong {
		return f.tooLongNotice(), nil
	}
	newline := key.Matches(msg, f.edit.area.KeyMap.InsertNewline)
	if newline && f.focused.field == fieldSource {
		return None{}, nil
	}
	free, _ := f.freeRunes()
	full := free < len([]rune(msg.Text)) || newline && (free == 0 || f.edit.area.LineCount() >= maxLines)
	if full && !f.edit.area.HasSelection() {
		return f.notice(f.limitText()), nil
	}
	before := f.edit.state()
	cmd := f.updateEditor(msg)
	f.storeText(now, kept)
	f.recordUndo(before)
	return None{}, cmd
}

// notice tells the user something. In a small terminal the keys of the form stand
// where notices would, so the form says it, too.
func (f *Form) notice(text string) Notice {
	if f.Compact() {
		f.notes = []note{{text: text, bad: true}}
	}
	return Notice{Text: text}
}

// itemEdited notes that the user has changed a text of an item.
func (f *Form) itemEdited(it *item, now time.Time) {
	it.updateEdited()
	it.save.markDirty(now)
	f.notes, f.saved = nil, false
}

// Paste takes text that the terminal pasted. What there is no room for is cut,
// and the outcome says so.
func (f *Form) Paste(msg tea.PasteMsg, now time.Time) Outcome {
	if f.InGracePeriod(now) {
		f.grace.lastKey = now
		return None{}
	}
	f.confirmSend, f.confirmEnd = false, false
	if !f.focused.isText() {
		return f.notice("Nothing was pasted: tab goes to a text field.")
	}
	if f.edit.tooLong {
		return f.tooLongNotice()
	}
	shown, kept, cut := f.sanitizePasted(msg.Content)
	before := f.edit.state()
	f.updateEditor(tea.PasteMsg{Content: shown})
	f.storeText(now, kept)
	f.recordUndo(before)
	if cut {
		return f.notice("The pasted text was cut. " + f.limitText())
	}
	return None{}
}

// act does what enter means on a row.
func (f *Form) activateRow() Outcome {
	switch f.focused.field {
	case fieldRow:
		f.openItem(f.focused.request)
	case fieldSource:
		f.moveFocus(+1)
	case fieldReleased:
		f.listReleased()
	case fieldRelease:
		return f.send()
	case fieldEnd:
		if f.confirmEnd {
			f.confirmEnd = false
			return EndNow{}
		}
		f.confirmEnd = true
	case fieldAnswer:
	}
	return None{}
}

// unfoldReleased lists the released answers and goes to the first.
func (f *Form) listReleased() {
	f.showReleased = true
	for _, s := range f.tabStops() {
		if it := f.items[s.request]; it != nil && it.State == ledger.Released {
			f.setFocus(s)
			return
		}
	}
	f.refocus()
}

// toggle goes from the answer to the reason why there is none, and back.
func (f *Form) toggleUnavailable(now time.Time) {
	it := f.items[f.focused.request]
	if it == nil {
		return
	}
	it.expanded = true
	it.unavailable = !it.unavailable
	it.updateEdited()
	it.save.markDirty(now)
	f.setFocus(tabStop{it.ID, fieldAnswer})
}

// editor asks for the text to be written elsewhere.
func (f *Form) openEditor() Outcome {
	it := f.items[f.focused.request]
	switch {
	case f.opts.Running:
		return f.notice("ctrl+o works when the round is done.")
	case it == nil:
		return f.notice("Nothing to write here: tab goes to a request.")
	}
	return Editor{Request: it.ID, Text: it.text()}
}

// Edited brings back a text that was written elsewhere. It may have more lines
// than can be typed here.
func (f *Form) Edited(request, text string, now time.Time) Outcome {
	it := f.items[request]
	if it == nil {
		return None{}
	}
	f.openItem(request)
	text, cut := truncateRunes(cleanText(text), ledger.MaxAnswer)
	if text != it.text() {
		before := f.edit.state()
		it.setText(text)
		f.itemEdited(it, now)
		f.loadEditor()
		f.recordUndo(before)
	}
	if cut {
		return f.notice(fmt.Sprintf("The text was cut. An answer has at most %s characters.", formatCount(ledger.MaxAnswer)))
	}
	return None{}
}

// first returns a text's first characters, and whether that is not all of it.
func truncateRunes(text string, limit int) (string, bool) {
	n := 0
	for i := range text {
		if n == limit {
			return text[:i], true
		}
		n++
	}
	return text, false
}

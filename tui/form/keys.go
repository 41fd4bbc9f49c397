package form

import (
	"fmt"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"roundtable/debate/ledger"
	"roundtable/internal/text"
	"roundtable/tui/input"
)

// KeyMap holds the keys of the form. In a text field all other keys are text.
type KeyMap struct {
	Next, Previous, NextRequest, PreviousRequest, Enter, Send, Unavailable, Editor, Join, Attach, Undo, Close key.Binding

	// PassThrough are keys that the form never handles: the palette, quitting, and the
	// pages of the pane beside it.
	PassThrough key.Binding
}

// Keys returns the keys of the form, for itself and for help.
func Keys() KeyMap {
	bind := func(help string, keys ...string) key.Binding {
		return key.NewBinding(key.WithKeys(keys...), key.WithHelp(keys[0], help))
	}
	return KeyMap{
		Next:            bind("next field", "tab"),
		Previous:        bind("previous field", "shift+tab"),
		NextRequest:     bind("next request", "alt+down"),
		PreviousRequest: bind("previous request", "alt+up"),
		Enter:           bind("new line; run the last rows", "enter"),
		Send:            bind("save, go to the next", "ctrl+s"),
		Unavailable:     bind("unavailable + reason", "ctrl+x"),
		Editor:          bind("write in $EDITOR", "ctrl+o"),
		Join:            bind("join to what looks the same", "ctrl+l"),
		Attach:          bind("attach a file", "ctrl+f"),
		Undo:            bind("undo typing", input.UndoKeys()...),
		Close:           bind("close, drafts kept", "esc"),
		PassThrough:     bind("commands", "ctrl+p", "ctrl+c", "ctrl+z", "pgup", "pgdown"),
	}
}

var keys = Keys()

// A form that opens by itself ignores keys until none has been pressed for graceIdle,
// but no longer than graceMax.
const (
	graceIdle = 400 * time.Millisecond
	graceMax  = 1500 * time.Millisecond
)

// gracePeriod is the time in which a form that opened by itself ignores keys, since
// they were meant for the screen before it.
type gracePeriod struct {
	active            bool
	openedAt, lastKey time.Time
	untouched         bool // no key has reached the form
}

// openKey opens the form.
const openKey = "c"

// isLateOpen reports whether a key was to open the form, which meanwhile opened by
// itself: it is the first one, and nobody has read the question by then.
func (g *gracePeriod) isLateOpen(pressed string, now time.Time) bool {
	late := g.untouched && pressed == openKey && now.Sub(g.openedAt) < graceMax
	g.untouched = false
	return late
}

// ignores reports whether keys are still ignored, and ends the period if not.
func (g *gracePeriod) ignores(now time.Time) bool {
	g.active = g.active && now.Sub(g.lastKey) < graceIdle && now.Sub(g.openedAt) < graceMax
	return g.active
}

// InGracePeriod reports whether the form ignores keys because it has just opened by
// itself. Quitting and scrolling work all the same.
func (f *Form) InGracePeriod(now time.Time) bool { return f.grace.ignores(now) }

// HandleKey handles a key pressed at the given time. The command, if any, is for the
// program to run.
func (f *Form) HandleKey(msg tea.KeyPressMsg, now time.Time) (Outcome, tea.Cmd) {
	if key.Matches(msg, keys.PassThrough) {
		return None{}, nil
	}
	if f.InGracePeriod(now) {
		f.grace.lastKey = now
		return None{}, nil
	}
	if f.grace.isLateOpen(msg.String(), now) {
		return None{}, nil
	}
	f.waiting = f.waiting && key.Matches(msg, keys.Send)
	switch {
	case key.Matches(msg, keys.Close):
		f.notes = nil
		for _, it := range f.items { // the drafts are to be stored at once
			it.save.dirtySince = time.Time{}
		}
		return Close{}, nil
	case key.Matches(msg, keys.Next) && f.files.completes():
		return None{}, f.files.service.Complete(f.files.field)
	case key.Matches(msg, keys.Next):
		f.moveFocus(+1)
	case key.Matches(msg, keys.Previous):
		f.moveFocus(-1)
	case key.Matches(msg, keys.NextRequest):
		moveRequest(f, +1)
	case key.Matches(msg, keys.PreviousRequest):
		moveRequest(f, -1)
	case key.Matches(msg, keys.Send), msg.String() == "enter" && enterSends(f):
		return f.send(), nil
	case key.Matches(msg, keys.Unavailable):
		f.toggleUnavailable(now)
	case key.Matches(msg, keys.Editor):
		return f.openEditor(), nil
	case key.Matches(msg, keys.Join):
		return f.join(now), nil
	case key.Matches(msg, keys.Attach):
		return f.files.attach(f, now)
	case key.Matches(msg, keys.Undo):
		return f.undo(now), nil
	case f.focused.isText() && !(f.focused.field == fieldSource && key.Matches(msg, keys.Enter)):
		return f.typeKey(msg, now)
	case key.Matches(msg, keys.Enter):
		return f.activateRow(now), nil
	case msg.String() == "down":
		f.moveFocus(+1)
	case msg.String() == "up":
		f.moveFocus(-1)
	}
	return None{}, nil
}

// typeKey passes a key to the text field.
func (f *Form) typeKey(msg tea.KeyPressMsg, now time.Time) (Outcome, tea.Cmd) {
	kept := ""
	if msg.Text != "" {
		if isModifier(msg.Text) {
			f.insertModifier(msg.Text, now)
			return None{}, nil
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
		return f.notice(f.edit.tooLongText()), nil
	}
	newline := key.Matches(msg, f.edit.area.KeyMap.InsertNewline)
	if newline && f.focused.field == fieldSource {
		return None{}, nil
	}
	free := f.edit.freeRunes()
	overLimit := free < len([]rune(msg.Text)) || newline && (free == 0 || f.edit.area.LineCount() >= maxLines)
	if overLimit && !f.edit.area.HasSelection() {
		return f.notice(f.edit.limitText()), nil
	}
	before := f.edit.state()
	cmd := f.updateEditor(msg)
	f.storeText(now, kept)
	f.recordUndo(before)
	if f.edit.state().Text != before.Text {
		cmd = tea.Batch(cmd, f.files.typed(f))
	}
	return None{}, cmd
}

// notice returns a message to the user. In a small terminal the row for notices shows
// the keys of the form, so the form shows the message too.
func (f *Form) notice(text string) Notice {
	if f.Compact() {
		f.notes = []note{{text: text, bad: true}}
	}
	return Notice{Text: text}
}

// itemEdited notes that the user has changed the text of an item.
func (f *Form) itemEdited(it *item, now time.Time) {
	it.updateEdited()
	it.save.markDirty(now)
	f.notes, f.saved = nil, false
}

// Paste inserts pasted text. The outcome says so if the text had to be cut.
func (f *Form) Paste(msg tea.PasteMsg, now time.Time) Outcome {
	if f.InGracePeriod(now) {
		f.grace.lastKey = now
		return None{}
	}
	if !f.focused.isText() {
		return f.notice("Nothing pasted: press tab to reach a text field.")
	}
	if f.edit.tooLong {
		return f.notice(f.edit.tooLongText())
	}
	shown, kept, cut := f.edit.sanitizePasted(msg.Content)
	before := f.edit.state()
	f.updateEditor(tea.PasteMsg{Content: shown})
	f.storeText(now, kept)
	f.recordUndo(before)
	if cut {
		return f.notice("The pasted text was cut. " + f.edit.limitText())
	}
	return None{}
}

// activateRow does what enter means on the focused row.
func (f *Form) activateRow(now time.Time) Outcome {
	switch f.focused.field {
	case fieldRow:
		f.openItem(f.focused.request)
	case fieldSource:
		f.moveFocus(+1)
	case fieldJoin:
		return f.join(now)
	case fieldReleased:
		f.listReleased()
	case fieldRelease:
		return f.send()
	case fieldEnd:
		return EndNow{}
	case fieldAnswer:
	}
	return None{}
}

// enterSends reports whether enter does what ctrl+s does: the answer has one line.
func enterSends(f *Form) bool {
	return f.opts.EnterSends && f.focused.isText() && f.edit.area.LineCount() <= 1
}

// listReleased lists the released answers and focuses the first.
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

// toggleUnavailable switches between the answer and the reason why there is none.
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

// openEditor asks to edit the focused text in an external editor.
func (f *Form) openEditor() Outcome {
	it := f.items[f.focused.request]
	switch {
	case f.opts.Running:
		return f.notice("The editor opens once the round is done.")
	case it == nil:
		return f.notice("Nothing to edit here: press tab to reach a request.")
	}
	return Editor{Request: it.ID, Text: it.text(), About: about(f, it)}
}

// about returns the question of a request, who asks it and why.
func about(f *Form, it *item) string {
	lines := []string{it.query, ""}
	for _, r := range it.asks {
		who := f.agentName(r.agent)
		if model := f.labels[r.agent].model; model != "" {
			who += ", " + model
		}
		lines = append(lines, "Asked by "+who+`: "`+r.reason+`"`)
		if r.query != "" {
			lines = append(lines, "In its words: "+r.query)
		}
	}
	return strings.Join(lines, "\n")
}

// Edited replaces the text of a request by one from an external editor. It may have
// more lines than can be typed here.
func (f *Form) Edited(request, edited string, now time.Time) Outcome {
	it := f.items[request]
	if it == nil {
		return None{}
	}
	f.openItem(request)
	edited, cut := truncateRunes(cleanText(edited), ledger.MaxAnswer)
	if edited != it.text() {
		before := f.edit.state()
		it.setText(edited)
		f.itemEdited(it, now)
		f.loadEditor()
		f.recordUndo(before)
	}
	if cut {
		return f.notice(fmt.Sprintf("The text was cut. An answer has at most %s characters.", text.Number(ledger.MaxAnswer)))
	}
	return None{}
}

// truncateRunes returns the first limit characters of a text, and whether it has more.
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

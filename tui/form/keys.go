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
	Passed key.Binding
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
		Passed:      bind("commands", "ctrl+p", "ctrl+c", "ctrl+z", "pgup", "pgdown"),
	}
}

var keys = Keys()

const (
	pause   = 400 * time.Millisecond
	longest = 1500 * time.Millisecond
)

// grace is the time in which a form that opened by itself ignores keys: they
// were meant for what stood there before.
type grace struct {
	on           bool
	opened, last time.Time
}

// settling reports whether keys are still ignored.
func (g *grace) settling(now time.Time) bool {
	g.on = g.on && now.Sub(g.last) < pause && now.Sub(g.opened) < longest
	return g.on
}

// Settling reports whether the form ignores keys, since it has opened by itself
// and the user was typing. Quitting and scrolling work all the same.
func (f *Form) Settling(now time.Time) bool { return f.grace.settling(now) }

// HandleKey takes a key that was pressed at a time. The command, if any, is for
// the program to run.
func (f *Form) HandleKey(msg tea.KeyPressMsg, now time.Time) (Outcome, tea.Cmd) {
	if key.Matches(msg, keys.Passed) {
		return None{}, nil
	}
	if f.Settling(now) {
		f.grace.last = now
		return None{}, nil
	}
	if f.armed && !key.Matches(msg, keys.Send) {
		f.armed, f.notes = false, nil
	}
	if f.confirm && !key.Matches(msg, keys.Enter) {
		f.confirm = false
		if key.Matches(msg, keys.Close) {
			return None{}, nil
		}
	}
	switch {
	case key.Matches(msg, keys.Close):
		f.close()
		return Close{}, nil
	case key.Matches(msg, keys.Next):
		f.move(+1)
	case key.Matches(msg, keys.Previous):
		f.move(-1)
	case key.Matches(msg, keys.Send):
		return f.send(), nil
	case key.Matches(msg, keys.Unavailable):
		f.toggle(now)
	case key.Matches(msg, keys.Editor):
		return f.editor(), nil
	case key.Matches(msg, keys.Undo):
		return f.undo(now), nil
	case f.at.types() && !(f.at.field == aSource && key.Matches(msg, keys.Enter)):
		return f.typeKey(msg, now)
	case key.Matches(msg, keys.Enter):
		return f.act(), nil
	case msg.String() == "down":
		f.move(+1)
	case msg.String() == "up":
		f.move(-1)
	}
	return None{}, nil
}

// close leaves the form; its drafts are to be stored at once.
func (f *Form) close() {
	f.notes = nil
	for _, it := range f.items {
		it.save.since = time.Time{}
	}
}

// typeKey gives a key to the text field.
func (f *Form) typeKey(msg tea.KeyPressMsg, now time.Time) (Outcome, tea.Cmd) {
	kept := ""
	if msg.Text != "" {
		if shapeless(msg.Text) {
			return f.style(msg.Text, now), nil
		}
		msg.Text, kept = typed(msg.Text)
		if f.at.field == aSource {
			msg.Text = strings.ReplaceAll(msg.Text, "\n", " ")
		}
		if msg.Text == "" {
			return None{}, nil
		}
	}
	if f.edit.over {
		return f.tooLong(), nil
	}
	newline := key.Matches(msg, f.edit.area.KeyMap.InsertNewline)
	if newline && f.at.field == aSource {
		return None{}, nil
	}
	free, _ := f.room()
	full := free < len([]rune(msg.Text)) || newline && (free == 0 || f.edit.area.LineCount() >= maxLines)
	if full && !f.edit.area.HasSelection() {
		return f.notice(f.limits()), nil
	}
	before := f.edit.state()
	cmd := f.pass(msg)
	f.changed(now, kept)
	f.remember(before)
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

// changed takes over the text after a key or a paste of what was added, as it is to
// be kept.
func (f *Form) changed(now time.Time, added string) {
	if f.keep(added) {
		f.items[f.at.request].save.change(now)
		f.notes, f.saved = nil, false
	}
}

// Paste takes text that the terminal pasted. What there is no room for is cut,
// and the outcome says so.
func (f *Form) Paste(msg tea.PasteMsg, now time.Time) Outcome {
	if f.Settling(now) {
		f.grace.last = now
		return None{}
	}
	f.armed, f.confirm = false, false
	if !f.at.types() {
		return f.notice("Nothing was pasted: tab goes to a text field.")
	}
	if f.edit.over {
		return f.tooLong()
	}
	shown, kept, cut := f.pasted(msg.Content)
	before := f.edit.state()
	f.pass(tea.PasteMsg{Content: shown})
	f.changed(now, kept)
	f.remember(before)
	if cut {
		return f.notice("The pasted text was cut. " + f.limits())
	}
	return None{}
}

// act does what enter means on a row.
func (f *Form) act() Outcome {
	switch f.at.field {
	case aRow:
		f.enter(f.at.request)
	case aSource:
		f.move(+1)
	case theReleased:
		f.unfoldReleased()
	case theRelease:
		return f.send()
	case theEnd:
		if f.confirm {
			f.confirm = false
			return EndNow{}
		}
		f.confirm = true
	case anAnswer:
	}
	return None{}
}

// unfoldReleased lists the released answers and goes to the first.
func (f *Form) unfoldReleased() {
	f.released = true
	for _, s := range f.stops() {
		if it := f.items[s.request]; it != nil && it.State == ledger.Released {
			f.focus(s)
			return
		}
	}
	f.refocus()
}

// toggle goes from the answer to the reason why there is none, and back.
func (f *Form) toggle(now time.Time) {
	it := f.items[f.at.request]
	if it == nil {
		return
	}
	it.open = true
	it.unavailable = !it.unavailable
	it.touch()
	it.save.change(now)
	f.focus(stop{it.ID, anAnswer})
}

// editor asks for the text to be written elsewhere.
func (f *Form) editor() Outcome {
	it := f.items[f.at.request]
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
	f.enter(request)
	text, cut := first(clean(text), ledger.MaxAnswer)
	if text != it.text() {
		before := f.edit.state()
		it.setText(text)
		it.touch()
		it.save.change(now)
		f.notes, f.saved = nil, false
		f.load()
		f.remember(before)
	}
	if cut {
		return f.notice(fmt.Sprintf("The text was cut. An answer has at most %s characters.", count(ledger.MaxAnswer)))
	}
	return None{}
}

// first returns a text's first characters, and whether that is not all of it.
func first(text string, most int) (string, bool) {
	n := 0
	for i := range text {
		if n == most {
			return text[:i], true
		}
		n++
	}
	return text, false
}

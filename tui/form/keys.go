package form

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate/ledger"
	"roundtable/internal/text"
	"roundtable/tui/input"
	"roundtable/tui/screen"
)

// HandleKey handles a key that is no command's.
func (f *Screen) HandleKey(msg tea.KeyPressMsg) screen.Outcome {
	return f.does(func() screen.Outcome { return f.handle(msg) })(msg.String())
}

// does makes the action of a key: what is typed by it is saved, and the pane beside the
// form follows.
func (f *Screen) does(do func() screen.Outcome) func(pressed string) screen.Outcome {
	return func(pressed string) screen.Outcome {
		entered := f.entered
		if f.entered = true; !entered && (pressed == "enter" || pressed == "tab") {
			return nil
		}
		now := f.config.Now()
		repeated := now.Sub(f.lastKey) < screen.Settle
		f.lastKey = now
		if pressed == "enter" && f.focused.field == fieldRelease && repeated { // it was meant for the answer before
			return nil
		}
		f.waiting = f.waiting && pressed == "ctrl+s"
		return f.changed(do())
	}
}

// changed follows a key or a paste: the pane beside the form is that of the agent that
// asks, and what was typed is to be saved.
func (f *Screen) changed(out screen.Outcome) screen.Outcome {
	if id, _ := f.Asker(); id != f.asker { // without a pane beside it, the form is laid out after every key
		f.Arrange()
	}
	return append(screen.Run(f.saveSoon(draftEvery)), out...)
}

// handle handles a key. In a text field all keys without another meaning are text.
func (f *Screen) handle(msg tea.KeyPressMsg) screen.Outcome {
	switch pressed := msg.String(); {
	case pressed == "shift+tab":
		f.moveFocus(-1)
	case f.focused.isText() && f.means(pressed) == input.Sends:
		return f.send()
	case f.focused.isText() && f.edit.area.Text() == "" && scrollLines(pressed, f.h) != 0:
		f.scrollBy(scrollLines(pressed, f.h))
	case f.focused.isText() && !(f.focused.field == fieldSource && pressed == "enter"):
		return f.typeKey(msg)
	case pressed == "enter":
		return f.activateRow()
	case pressed == "down":
		f.moveFocus(+1)
	case pressed == "up":
		f.moveFocus(-1)
	}
	return nil
}

// scrollLines returns by how many lines a key scrolls the asker's pane while the field has no
// text; 0: it does not.
func scrollLines(pressed string, height int) int {
	return map[string]int{
		"up": -1, "down": 1, "ctrl+u": -max(height/2, 1), "ctrl+d": max(height/2, 1), "home": -1 << 20, "end": 1 << 20,
	}[pressed]
}

func (f *Screen) next() screen.Outcome {
	if f.completes() {
		return screen.Run(f.config.Files.Complete(f.path))
	}
	f.moveFocus(+1)
	return nil
}

func (f *Screen) typeKey(msg tea.KeyPressMsg) screen.Outcome {
	before := f.edit.area.State()
	cmd, refused := f.edit.area.Type(msg)
	if refused != "" {
		return f.notice(refused)
	}
	f.edited(before)
	if f.edit.area.Text() != before.Text {
		cmd = tea.Batch(cmd, f.config.Files.Typed(f.path))
	}
	return screen.Run(cmd)
}

func (f *Screen) notice(text string) screen.Outcome { return screen.Tell(screen.Info, text) }

func (f *Screen) itemEdited(it *item) {
	it.updateEdited()
	it.dirty, f.note, f.saved = true, note{}, false
}

// Paste inserts pasted text. The outcome says so if the text had to be cut.
func (f *Screen) Paste(content string) screen.Outcome {
	f.entered = true
	return f.changed(f.paste(content))
}

func (f *Screen) paste(content string) screen.Outcome {
	if !f.focused.isText() {
		return f.notice("Nothing pasted: press " + f.config.Keys.Of("next-field") + " to reach a text field.")
	}
	before := f.edit.area.State()
	_, refused := f.edit.area.Paste(content)
	if f.edited(before); refused != "" {
		return f.notice(refused)
	}
	return nil
}

func (f *Screen) activateRow() screen.Outcome {
	switch f.focused.field {
	case fieldRow:
		f.openItem(f.focused.request)
	case fieldSource:
		f.moveFocus(+1)
	case fieldRelease:
		return f.send()
	case fieldEnd:
		return f.end()
	case fieldAnswer:
	}
	return nil
}

func (f *Screen) means(pressed string) input.Meaning {
	return input.Means(pressed, f.edit.area.LineCount(), f.config.EnterSends)
}

func (f *Screen) sendKey() string {
	switch {
	case f.focused.isText():
		return input.SendKey(f.edit.area.LineCount(), f.config.EnterSends)
	case f.focused.field == fieldRelease && f.config.EnterSends:
		return "enter"
	}
	return "ctrl+s"
}

func (f *Screen) toggleUnavailable() screen.Outcome {
	it := f.items[f.focused.request]
	if it == nil {
		return nil
	}
	f.note = note{}
	it.expanded, it.dirty = true, true
	it.unavailable = !it.unavailable
	it.updateEdited()
	f.setFocus(tabStop{it.ID, fieldAnswer})
	return nil
}

func (f *Screen) openEditor() screen.Outcome {
	it := f.items[f.focused.request]
	switch {
	case f.running:
		return f.notice("The editor opens once the round is done.")
	case it == nil:
		return f.notice("Nothing to edit here: press " + f.config.Keys.Of("next-field") + " to reach a question.")
	case f.control.ReadOnly != "":
		return nil
	}
	if why := f.config.NoEditor(); why != "" {
		return screen.Tell(screen.Info, why)
	}
	return screen.Outcome{OpenEditor{Request: it.ID, Text: it.text(), About: f.about(it)}}
}

func (f *Screen) about(it *item) string {
	lines := []string{it.query, ""}
	for _, r := range it.asks {
		who := f.agentName(r.agent)
		if model := f.modelOf(r.agent); model != "" {
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
func (f *Screen) Edited(request, edited string) screen.Outcome {
	it := f.items[request]
	if it == nil || !f.isOpen {
		return nil
	}
	f.openItem(request)
	whole := cleanText(edited)
	edited = text.Head(whole, ledger.MaxAnswer)
	if edited != it.text() {
		before := f.edit.area.State()
		to := it.at(fieldAnswer)
		to.text = edited
		f.itemEdited(it)
		f.loadEditor()
		to.past.Record(before, f.edit.area.State())
	}
	if len(edited) < len(whole) {
		return f.changed(f.notice(fmt.Sprintf("The text was cut. An answer has at most %s characters.", text.Number(ledger.MaxAnswer))))
	}
	return f.changed(nil)
}

type field uint8

const (
	fieldRow    field = iota // the row of a settled, folded request
	fieldAnswer              // the answer, or the reason why there is none
	fieldSource
	fieldRelease // the start row
	fieldEnd
)

// tabStop is a field of a request, or of the form if request is "".
type tabStop struct {
	request string
	field   field
}

func (s tabStop) isText() bool { return s.field == fieldAnswer || s.field == fieldSource }

// visibleItems returns the listed requests in the order in which they are drawn:
// required ones, optional ones, sent ones, each by arrival.
func (f *Screen) visibleItems() []*item {
	var required, optional, released []*item
	for _, r := range f.session.Requests {
		it := f.items[r.ID]
		switch {
		case it.withdrawn() && !it.edited && it.ID != f.focused.request:
		case it.sent():
			released = append(released, it)
		case it.Priority == ledger.Required:
			required = append(required, it)
		default:
			optional = append(optional, it)
		}
	}
	return slices.Concat(required, optional, released)
}

func (f *Screen) tabStops() []tabStop {
	var out []tabStop
	for _, it := range f.visibleItems() {
		switch {
		case it.folded():
			out = append(out, tabStop{it.ID, fieldRow})
		case it.unavailable:
			out = append(out, tabStop{it.ID, fieldAnswer})
		default:
			out = append(out, tabStop{it.ID, fieldAnswer}, tabStop{it.ID, fieldSource})
		}
	}
	out = append(out, tabStop{field: fieldRelease})
	if f.releasable() {
		out = append(out, tabStop{field: fieldEnd})
	}
	return out
}

// releasable reports whether ctrl+s starts a round: none is running, and a further one
// can follow.
func (f *Screen) releasable() bool { return !f.running && !f.final }

func (f *Screen) moveFocus(step int) {
	stops := f.tabStops()
	i := slices.Index(stops, f.focused)
	f.setFocus(stops[((i+step)%len(stops)+len(stops))%len(stops)])
}

func (f *Screen) moveRequest(step int) {
	var stops []tabStop
	for _, s := range f.tabStops() {
		if s.field == fieldRow || s.field == fieldAnswer || s.field == fieldRelease {
			stops = append(stops, s)
		}
	}
	n := len(stops)
	i := slices.IndexFunc(stops, func(s tabStop) bool { return s.request == f.focused.request })
	f.setFocus(stops[((i+step)%n+n)%n])
}

// setFocus focuses a tab stop. A settled request that was expanded but not edited is
// folded again when the focus leaves it.
func (f *Screen) setFocus(to tabStop) {
	if it := f.items[f.focused.request]; it != nil && f.focused.request != to.request {
		it.expanded = false
	}
	f.focused, f.scroll.reveal, f.scroll.locked = to, true, false
	if it := f.items[to.request]; it != nil {
		f.lastRequest, it.seen = to.request, true
	}
	f.loadEditor()
}

func (f *Screen) openItem(id string) {
	it := f.items[id]
	f.setFocus(tabStop{id, fieldAnswer})
	it.expanded = true
}

func (f *Screen) focusFirst() {
	to, stops := f.nextOpen(""), f.tabStops()
	if to.request == "" && !f.releasable() && !f.late() { // nothing can be started: an answer is to be changed
		to = stops[max(0, slices.IndexFunc(stops, func(s tabStop) bool { return s.field == fieldRow }))]
	}
	f.setFocus(to)
}

func (f *Screen) ensureFocus() {
	if !slices.Contains(f.tabStops(), f.focused) {
		f.refocus()
	}
}

// refocus moves the focus to another tab stop of its request, else to the first
// request.
func (f *Screen) refocus() {
	for _, s := range f.tabStops() {
		if s.request != "" && s.request == f.focused.request {
			f.setFocus(s)
			return
		}
	}
	f.focusFirst()
}

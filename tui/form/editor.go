package form

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"

	"roundtable/debate/ledger"
	"roundtable/internal/text"
	"roundtable/tui/attach"
	"roundtable/tui/input"
	"roundtable/tui/screen"
)

// maxLines is the largest number of lines that a textarea takes.
const maxLines = 10_000

// editor is the only text field of the form; it holds the text that has the focus.
type editor struct {
	area     textarea.Model
	target   tabStop // the field whose text it holds
	isReason bool    // the text is the reason, not the answer
	raw      string  // the text as it is kept
	shown    string  // the text as the textarea has it, which is what can be shown of raw
	tooLong  bool    // the text has more lines than the textarea takes, so it cannot be changed here
	sizedFor tabStop // the field that the textarea has its size for
	drawn    []string
	cursor   *tea.Cursor
}

// loadEditor puts the focused text into the text field.
func (f *Screen) loadEditor() {
	it := f.items[f.focused.request]
	if it == nil || !f.focused.isText() {
		f.edit.target, f.edit.drawn = f.focused, nil
		f.edit.area.Blur()
		return
	}
	content := it.text()
	if f.focused.field == fieldSource {
		content = it.source
	}
	e := &f.edit
	if e.target == f.focused && e.isReason == it.unavailable && e.area.Focused() && content == e.raw {
		return
	}
	e.target, e.isReason, e.raw, e.drawn = f.focused, it.unavailable, content, nil
	e.area.SetValue(text.Sanitize(content))
	e.shown, e.tooLong = e.area.Value(), strings.Count(content, "\n") >= maxLines
	e.area.Focus()
	f.resizeEditor(max(e.area.Height(), 1))
	e.area.MoveToEnd()
}

// resizeEditor sets the size of the text field; that of a source has one row.
func (f *Screen) resizeEditor(rows int) {
	width := f.inner() - answerIndent - 4
	if f.focused.field == fieldSource {
		width, rows = f.inner()-answerIndent-len(sourceLabel)-len(" optional"), 1
	}
	e := &f.edit
	if width = max(width, 1); e.target == e.sizedFor && e.area.Width() == width && e.area.Height() == rows {
		return
	}
	e.sizedFor, e.drawn = e.target, nil
	input.Resize(&e.area, width, rows, rows)
}

// draw returns the rows of the text field and its cursor. They are cached, since a
// long text takes milliseconds.
func (e *editor) draw() ([]string, *tea.Cursor) {
	if e.drawn == nil {
		e.drawn, e.cursor = strings.Split(e.area.View(), "\n"), e.area.Cursor()
	}
	if e.cursor == nil {
		return e.drawn, nil
	}
	c := *e.cursor
	return e.drawn, &c
}

// updateEditor passes a message to the text field and scrolls to it.
func (f *Screen) updateEditor(msg tea.Msg) tea.Cmd {
	e := &f.edit
	var cmd tea.Cmd
	e.area, cmd = e.area.Update(msg)
	e.drawn = nil
	f.scroll.locked = f.scroll.locked && f.scroll.reveal
	f.scroll.reveal, f.scroll.free = true, false
	return cmd
}

// storeText copies the text field back to its item after a key or a paste. Added is
// the typed or pasted text as it is to be kept.
func (f *Screen) storeText(added string) {
	e := &f.edit
	it, shown := f.items[f.focused.request], e.area.Value()
	if it == nil || shown == e.shown || e.tooLong {
		return
	}
	if f.focused.field == fieldSource {
		it.source, e.raw = shown, shown
	} else {
		e.raw = merge(e.raw, e.shown, shown, added)
		it.setText(e.raw)
	}
	e.shown = shown
	f.itemEdited(it)
}

// freeRunes returns how many characters the focused text may still get.
func (e *editor) freeRunes() int {
	limit := ledger.MaxAnswer
	if e.target.field == fieldSource {
		limit = ledger.MaxSource
	}
	return max(0, limit-utf8.RuneCountInString(e.area.Value()))
}

// sanitizeTyped makes the text of a key safe, and returns it as it is shown and as it
// is to be kept. A combining mark may arrive as a key of its own, for the character
// before the cursor.
func sanitizeTyped(content string) (shown, kept string) {
	const base = "0" // takes any combining mark and joins no character
	return strings.TrimPrefix(text.Sanitize(base+content), base), text.SanitizeInput(content)
}

// sanitizePasted makes pasted text safe and cuts it to the free room, before anything
// else has to cope with its length. It returns the text as it is shown and as it is to
// be kept, and whether it was cut.
func (e *editor) sanitizePasted(content string) (shown, kept string, cut bool) {
	free := e.freeRunes()
	if maxBytes := 8*free + 1024; len(content) > maxBytes {
		for maxBytes > 0 && !utf8.RuneStart(content[maxBytes]) {
			maxBytes--
		}
		content, cut = content[:maxBytes], true
	}
	shown, kept = text.Sanitize(content), text.SanitizeInput(content)
	if e.target.field == fieldSource {
		shown = text.Line(content)
	}
	runes, lines := 0, e.area.LineCount()
	for i, r := range shown {
		if r == '\n' {
			lines++
		}
		if runes == free || lines > maxLines {
			return shown[:i], shown[:i], true
		}
		runes++
	}
	return shown, kept, cut
}

// tooLongText says why a text that the field does not hold in full cannot be changed
// here. The key edits it elsewhere.
func (e *editor) tooLongText(key string) string {
	lines := 1 + strings.Count(e.raw, "\n")
	return fmt.Sprintf("This text has %s lines; only %s are shown. All of it is kept: %s edits it in $EDITOR.",
		text.Number(lines), text.Number(maxLines), key)
}

// limitText says how long the focused text may be.
func (e *editor) limitText() string {
	if e.target.field == fieldSource {
		return fmt.Sprintf("A source has at most %s characters.", text.Number(ledger.MaxSource))
	}
	return fmt.Sprintf("An answer has at most %s characters in %s lines.", text.Number(ledger.MaxAnswer), text.Number(maxLines))
}

// merge applies an edit to a raw text. The field showed shownBefore and now shows
// shown; raw may hold characters that the field cannot show. They are kept where
// nothing was edited, and added is inserted as it was typed or pasted.
func merge(raw, shownBefore, shown, added string) string {
	if raw == shownBefore && added == "" {
		return shown
	}
	head := commonAffix(shownBefore, shown, false)
	tail := commonAffix(shownBefore[head:], shown[head:], true)
	middle := shown[head : len(shown)-tail]
	if added != "" && text.Sanitize(added) == middle {
		middle = added
	}
	from, ok1 := rawOffset(raw, shownBefore[:head])
	to, ok2 := rawOffset(raw, shownBefore[:len(shownBefore)-tail])
	if content := raw[:from] + middle + raw[to:]; ok1 && ok2 && from <= to && text.Sanitize(content) == text.Sanitize(shown) {
		return content
	}
	return shown // the new characters change how their neighbours are shown
}

// commonAffix returns the number of bytes in which two texts agree at the beginning,
// or at the end, in whole characters.
func commonAffix(a, b string, end bool) int {
	n := 0
	for n < len(a) && n < len(b) {
		ra, size := utf8.DecodeRuneInString(a[n:])
		rb, _ := utf8.DecodeRuneInString(b[n:])
		if end {
			ra, size = utf8.DecodeLastRuneInString(a[:len(a)-n])
			rb, _ = utf8.DecodeLastRuneInString(b[:len(b)-n])
		}
		if ra != rb {
			break
		}
		n += size
	}
	return n
}

// rawOffset returns where the part of raw that is shown as shown ends. Invisible
// characters belong to the character before them.
func rawOffset(raw, shown string) (at int, ok bool) {
	for at < len(raw) {
		r, size := utf8.DecodeRuneInString(raw[at:])
		next, width := utf8.DecodeRuneInString(shown)
		switch {
		case width > 0 && r == next:
			shown = shown[width:]
		case isModifier(string(r)):
		case width > 0 && text.Sanitize(string(r)) == string(next): // half of a flag is shown as a letter
			shown = shown[width:]
		default:
			return at, shown == ""
		}
		at += size
	}
	return at, shown == ""
}

// isModifier reports whether the text of a key is a character that only changes how
// its neighbours look, such as a joiner or a variation selector.
func isModifier(key string) bool {
	return utf8.RuneCountInString(key) == 1 && text.Sanitize(key) == "" && text.SanitizeInput("a"+key+"a") == "a"+key+"a"
}

// insertModifier adds an invisible character behind the one before the cursor. It is
// kept, although the field does not show it.
func (f *Screen) insertModifier(key string) {
	e := &f.edit
	it := f.items[f.focused.request]
	if it == nil || f.focused.field != fieldAnswer || e.tooLong {
		return
	}
	head := 0
	lines := strings.Split(e.shown, "\n")
	for _, l := range lines[:e.area.Line()] {
		head += len(l) + 1
	}
	head += len(string([]rune(lines[e.area.Line()])[:e.area.Column()]))
	at, ok := rawOffset(e.raw, e.shown[:head])
	if !ok || head == 0 {
		return
	}
	before := e.state()
	e.raw = e.raw[:at] + key + e.raw[at:]
	f.recordUndo(before)
	it.setText(e.raw)
	f.itemEdited(it)
}

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
func (f *Screen) recordUndo(before input.State) {
	if it := f.items[f.focused.request]; it != nil {
		it.undoHistory(f.focused.field).Record(before, f.edit.state())
	}
}

// undo reverts the last change of the focused text.
func (f *Screen) undo() screen.Outcome {
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
	f.itemEdited(it)
	f.loadEditor()
	if !f.edit.tooLong {
		previous.Text = text.Sanitize(previous.Text)
		previous.Restore(&f.edit.area)
	}
	f.edit.drawn, f.scroll.reveal, f.scroll.locked = nil, true, false
	return nil
}

// pathField returns the path that is typed in an answer, which tab completes.
func (f *Screen) pathField() *attach.Field {
	field := f.mentions.Field(
		func() (string, int, int) {
			if f.focused.field != fieldAnswer {
				return "", 0, 0
			}
			at := input.StateOf(&f.edit.area)
			return at.Text, at.Line, at.Column
		},
		func(more string) screen.Outcome {
			return append(f.typeKey(tea.KeyPressMsg{Text: more}), screen.Run(f.saveSoon())...)
		},
	)
	field.Leave = func() screen.Outcome {
		f.moveFocus(+1)
		return nil
	}
	return field
}

// completes reports whether tab completes a path.
func (f *Screen) completes() bool {
	return !f.config.Files.Off() && f.config.Files.Completes(f.path)
}

// attach begins a mention in the answer.
func (f *Screen) attach() screen.Outcome {
	switch {
	case f.config.Files.Off():
		return f.notice("Files cannot be read here.")
	case f.focused.field != fieldAnswer:
		return f.notice("Press tab to reach an answer, then ctrl+f.")
	}
	at := input.StateOf(&f.edit.area)
	return f.typeKey(tea.KeyPressMsg{Text: attach.Beginning(at.Text, at.Line, at.Column)})
}

// lookAtPath looks for the file that is mentioned at the cursor, after a key.
func (f *Screen) lookAtPath() tea.Cmd {
	if f.config.Files.Off() || f.focused.field != fieldAnswer {
		return nil
	}
	at := input.StateOf(&f.edit.area)
	f.mentions.Typed(at.Text, at.Line, at.Column)
	return f.config.Files.LookAt(&f.mentions, at.Text, at.Line, at.Column)
}

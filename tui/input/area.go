package input

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"
	"golang.org/x/text/unicode/norm"

	"roundtable/internal/text"
	"roundtable/tui/theme"
)

// MaxLines is the largest number of lines that an [Area] takes.
const MaxLines = 10_000

// Area is a text field of several lines. It keeps what the user wrote, of which the field
// shows what has cells of its own: joiners and selectors are kept, not drawn.
type Area struct {
	textarea.Model
	Holds   string // what it holds, such as "A topic"
	Limit   int    // of its characters
	OneLine bool   // it takes no line breaks

	raw   string // the text as it is kept
	shown string // the text as the model has it
}

// NewArea returns a field without the keys that have another meaning in the interface: the
// palette, the pages, and the clipboard, which the terminal pastes.
func NewArea(th *theme.Theme) Area {
	a := textarea.New()
	a.Prompt, a.ShowLineNumbers, a.EndOfBufferCharacter = "", false, ' '
	a.MaxHeight, a.MaxWidth = 0, 0
	a.CharLimit = 0 // it would count cells: Area counts characters
	a.SetVirtualCursor(false)
	a.SetStyles(AreaStyles(th))
	k := &a.KeyMap
	k.PageUp.SetEnabled(false)
	k.PageDown.SetEnabled(false)
	k.Paste.SetEnabled(false)
	k.CopySelection.SetEnabled(false)
	k.LinePrevious.SetKeys("up")
	k.InsertNewline.SetKeys(breaks()...)
	return Area{Model: a}
}

// Text returns the text as it is kept; Value returns what is shown of it.
func (a *Area) Text() string { return a.raw }

// SetText replaces the text by one that is as it is to be kept, whatever its length.
func (a *Area) SetText(content string) {
	a.raw = content
	a.SetValue(plain(content))
	a.shown = a.Value()
}

// Whole reports whether the field shows all lines of its text. A text with more is kept, but
// cannot be changed.
func (a *Area) Whole() bool { return strings.Count(a.raw, "\n") < MaxLines }

// Type passes a key to the field. If the text would become too long, it returns why the key
// did nothing.
func (a *Area) Type(msg tea.KeyPressMsg) (cmd tea.Cmd, refused string) {
	if !a.Whole() {
		return nil, a.limitText()
	}
	kept := ""
	if msg.Text != "" {
		if isModifier(msg.Text) {
			return nil, a.modify(msg.Text)
		}
		if msg.Text, kept = a.typed(msg.Text); msg.Text == "" {
			return nil, ""
		}
	}
	breaks := key.Matches(msg, a.KeyMap.InsertNewline)
	if breaks && a.OneLine { // as in a text that is pasted
		msg, kept, breaks = tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}, " ", false
	}
	free := a.free()
	over := free < utf8.RuneCountInString(msg.Text) || breaks && (free == 0 || a.LineCount() >= MaxLines)
	if over && !a.HasSelection() {
		return nil, a.limitText()
	}
	return a.update(msg, kept), ""
}

// Paste inserts text. If it was cut, it returns why.
func (a *Area) Paste(content string) (cmd tea.Cmd, refused string) {
	if !a.Whole() {
		return nil, a.limitText()
	}
	shown, kept, cut := a.pasted(content)
	if cmd = a.update(tea.PasteMsg{Content: shown}, kept); cut {
		refused = "The pasted text was cut. " + a.limitText()
	}
	return cmd, refused
}

// Resize sets the width of a text field and gives it as many rows as its text needs,
// from minRows to maxRows.
func (a *Area) Resize(width, minRows, maxRows int) {
	// A textarea scrolls back when it grows only if its height is dynamic, but a
	// dynamic height also refuses lines, so it is set for this moment only. The text
	// is laid out in between, since scrolling uses the last layout.
	a.DynamicHeight, a.MinHeight, a.MaxHeight = true, minRows, maxRows
	a.SetWidth(width)
	a.View()
	a.SetWidth(width)
	a.DynamicHeight, a.MaxHeight = false, 0
}

// Fit sets the width and gives the field as many rows as its text needs, up to most. It
// returns how many rows are hidden above and below.
func (a *Area) Fit(width, most int) (above, below int) {
	a.Resize(width, 1, a.Limit+1)
	all := a.Height()
	a.Resize(width, 1, most)
	above = a.ScrollYOffset()
	return above, max(0, all-above-a.Height())
}

// State returns the text as it is kept, and the cursor in what is shown of it.
func (a *Area) State() State { return State{Text: a.raw, Line: a.Line(), Column: a.Column()} }

// Shown returns the text as it is shown, and the cursor in it.
func (a *Area) Shown() (content string, line, column int) { return a.shown, a.Line(), a.Column() }

// Restore goes back to a state.
func (a *Area) Restore(s State) {
	a.raw = s.Text
	s.Text = plain(s.Text)
	s.restore(&a.Model)
	a.shown = a.Value()
}

// update passes a message to the field and follows what it changes. Kept is the typed or
// pasted text as it is to be kept.
func (a *Area) update(msg tea.Msg, kept string) (cmd tea.Cmd) {
	a.Model, cmd = a.Model.Update(msg)
	if shown := a.Value(); shown != a.shown {
		a.raw, a.shown = merge(a.raw, a.shown, shown, kept), shown
	}
	return cmd
}

// free returns how many characters the text may still get.
func (a *Area) free() int { return max(0, a.Limit-utf8.RuneCountInString(a.raw)) }

func (a *Area) limitText() string {
	words := fmt.Sprintf("%s has at most %s characters", a.Holds, text.Number(a.Limit))
	if a.Limit > MaxLines && !a.OneLine {
		words += fmt.Sprintf(" in %s lines", text.Number(MaxLines))
	}
	return words + "."
}

// typed makes the text of a key safe, and returns it as it is shown and as it is to be kept.
// A combining mark may arrive as a key of its own, for the character before the cursor.
func (a *Area) typed(content string) (shown, kept string) {
	const base = "0" // takes any combining mark and joins no character
	shown, kept = strings.TrimPrefix(plain(base+content), base), text.Clean(content)
	if a.OneLine {
		shown = strings.ReplaceAll(shown, "\n", " ")
		return shown, shown
	}
	return shown, kept
}

// pasted makes pasted text safe and cuts it to the free room, before anything else has to
// cope with its length. It returns the text as it is shown and as it is to be kept, and
// whether it was cut.
func (a *Area) pasted(content string) (shown, kept string, cut bool) {
	free := a.free()
	if maxBytes := 8*free + 1024; len(content) > maxBytes {
		for maxBytes > 0 && !utf8.RuneStart(content[maxBytes]) {
			maxBytes--
		}
		content, cut = content[:maxBytes], true
	}
	if a.OneLine {
		content = text.Line(content)
	}
	kept = text.Clean(content)
	runes, lines := 0, a.LineCount()
	for i, r := range kept {
		if r == '\n' {
			lines++
		}
		if runes == free || lines > MaxLines {
			kept, cut = kept[:i], true
			break
		}
		runes++
	}
	return plain(kept), kept, cut
}

// modify adds an invisible character behind the one before the cursor. If the text would
// become too long, it returns why it did not.
func (a *Area) modify(key string) (refused string) {
	if a.free() == 0 {
		return a.limitText()
	}
	lines := strings.Split(a.shown, "\n")
	head := strings.Join(append(lines[:a.Line():a.Line()], string([]rune(lines[a.Line()])[:a.Column()])), "\n")
	if at, ok := rawOffset(a.raw, head); ok && head != "" && !a.OneLine {
		a.raw = a.raw[:at] + key + a.raw[at:]
	}
	return ""
}

// merge applies an edit to a raw text. The field showed shownBefore and now shows
// shown; raw may hold characters that the field cannot show. They are kept where
// nothing was edited, and added is inserted as it was typed or pasted.
func merge(raw, shownBefore, shown, added string) string {
	if raw == shownBefore && plain(added) == added {
		return shown
	}
	head := commonAffix(shownBefore, shown, false)
	tail := commonAffix(shownBefore[head:], shown[head:], true)
	middle := shown[head : len(shown)-tail]
	if added != "" && plain(added) == middle {
		middle = added
	}
	from, ok1 := rawOffset(raw, shownBefore[:head])
	to, ok2 := rawOffset(raw, shownBefore[:len(shownBefore)-tail])
	if content := raw[:from] + middle + raw[to:]; ok1 && ok2 && from <= to && plain(content) == plain(shown) {
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
	whole := shown
	for at < len(raw) {
		size := norm.NFC.NextBoundaryInString(raw[at:], true)
		part := raw[at : at+size]
		if !strings.HasPrefix(shown, part) {
			part = plain(part)
		}
		if raw[at] == '\t' { // as wide as its place asks for
			before := whole[:len(whole)-len(shown)]
			line := before[strings.LastIndexByte(before, '\n')+1:]
			part = strings.TrimPrefix(plain(line+"\t"), line)
		}
		if !strings.HasPrefix(shown, part) {
			break
		}
		shown = shown[len(part):]
		at += size
	}
	return at, shown == ""
}

// isModifier reports whether the text of a key is a character that only changes how
// its neighbours look, such as a joiner or a variation selector.
func isModifier(key string) bool {
	return utf8.RuneCountInString(key) == 1 && plain(key) == "" && text.Clean(key) == key
}

// plain makes a text safe for the field, which counts cells character by character.
func plain(content string) string {
	return strings.NewReplacer("\u200c", "", "\u200d", "").Replace(text.Sanitize(content))
}

package input

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"

	"roundtable/internal/text"
	"roundtable/tui/theme"
)

// MaxLines is the largest number of lines that an [Area] takes.
const MaxLines = 10_000

// Area is a text field of several lines. It keeps a text that is set or pasted as it was
// written until the user changes it; what is changed is as the field shows it, without the
// joiners and selectors of emoji.
type Area struct {
	textarea.Model
	Holds   string // what it holds, such as "A topic"
	Limit   int    // of its characters
	OneLine bool   // it takes no line breaks

	kept, shown string // the text that was set, and how it is shown
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
func (a *Area) Text() string {
	if value := a.Value(); value != a.shown {
		return value
	}
	return a.kept
}

// SetText replaces the text by one that is as it is to be kept, whatever its length.
func (a *Area) SetText(content string) {
	a.SetValue(text.Sanitize(content))
	a.kept, a.shown = content, a.Value()
}

// Whole reports whether the field shows all lines of its text. A text with more is kept, but
// cannot be changed.
func (a *Area) Whole() bool { return strings.Count(a.Text(), "\n") < MaxLines }

// Type passes a key to the field. If the text would become too long, it returns why the key
// did nothing.
func (a *Area) Type(msg tea.KeyPressMsg) (cmd tea.Cmd, refused string) {
	if !a.Whole() {
		return nil, a.limitText()
	}
	if msg.Text != "" {
		if msg.Text = a.typed(msg.Text); msg.Text == "" {
			return nil, ""
		}
	}
	breaks := key.Matches(msg, a.KeyMap.InsertNewline)
	if breaks && a.OneLine { // as in a text that is pasted
		msg, breaks = tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}, false
	}
	free := a.free()
	over := free < utf8.RuneCountInString(msg.Text) || breaks && (free == 0 || a.LineCount() >= MaxLines)
	if over && !a.HasSelection() {
		return nil, a.limitText()
	}
	a.Model, cmd = a.Model.Update(msg)
	return cmd, ""
}

// Paste inserts text. If it was cut, it returns why.
func (a *Area) Paste(content string) (cmd tea.Cmd, refused string) {
	if !a.Whole() {
		return nil, a.limitText()
	}
	kept, cut := a.pasted(content)
	if a.Value() == "" {
		a.SetText(kept)
		a.Model, cmd = a.Model.Update(nil) // scrolls to the cursor
	} else {
		shown := text.Sanitize(kept)
		kept = text.Head(shown, a.free())
		cut = cut || len(kept) < len(shown)
		a.Model, cmd = a.Model.Update(tea.PasteMsg{Content: kept})
	}
	if cut {
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
func (a *Area) State() State { return State{Text: a.Text(), Line: a.Line(), Column: a.Column()} }

// Shown returns the text as it is shown, and the cursor in it.
func (a *Area) Shown() (content string, line, column int) { return a.Value(), a.Line(), a.Column() }

// Restore goes back to a state.
func (a *Area) Restore(s State) {
	a.kept, s.Text = s.Text, text.Sanitize(s.Text)
	s.restore(&a.Model)
	a.shown = a.Value()
}

func (a *Area) free() int { return max(0, a.Limit-utf8.RuneCountInString(a.Text())) }

func (a *Area) limitText() string {
	words := fmt.Sprintf("%s has at most %s characters", a.Holds, text.Number(a.Limit))
	if a.Limit > MaxLines && !a.OneLine {
		words += fmt.Sprintf(" in %s lines", text.Number(MaxLines))
	}
	return words + "."
}

// typed makes the text of a key safe. A combining mark or a joiner may arrive as a key of its
// own, for the character before the cursor.
func (a *Area) typed(content string) string {
	const base = "0" // takes any combining mark and joins no character
	shown := strings.TrimPrefix(text.Sanitize(base+content), base)
	if content == "\u200c" || content == "\u200d" {
		line := []rune(strings.Split(a.Value(), "\n")[a.Line()])
		if text.TakesJoiner(string(line[:a.Column()])) {
			shown = content
		}
	}
	if a.OneLine {
		shown = strings.ReplaceAll(shown, "\n", " ")
	}
	return shown
}

// pasted makes pasted text safe and cuts it to the free room, before anything else has to
// cope with its length. It reports whether it was cut.
func (a *Area) pasted(content string) (kept string, cut bool) {
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
			return kept[:i], true
		}
		runes++
	}
	return kept, cut
}

// Package chooser is the screen on which one entry of a list is chosen, such as a command, a mode
// or a model. What is typed filters the list.
//
// It imports screen for what it is to the shell, and list and theme to draw. It must not know
// what is chosen, nor other screens.
package chooser

import (
	"cmp"
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/internal/text"
	"roundtable/tui/input"
	"roundtable/tui/list"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// Screen lists the entries of a menu over another screen.
type Screen struct {
	th            *theme.Theme
	width, height int
	commands      []screen.Command

	menu     screen.Menu
	field    textinput.Model
	selected list.List // of the entries that match
	entryOf  []int     // the entry of each line
}

var (
	_ screen.Screen   = (*Screen)(nil)
	_ screen.Scroller = (*Screen)(nil)
	_ screen.Clicker  = (*Screen)(nil)
)

// maxTyped is the largest length of what is typed, in characters.
const maxTyped = 200

// New returns a list without entries.
func New(th *theme.Theme) *Screen {
	c := &Screen{th: th, field: input.NewField("", maxTyped)}
	c.field.Focus()
	bind, move := screen.Bind, screen.Moves
	c.commands = []screen.Command{
		{Binding: bind("chooser-down", "up  down", "move"), Group: screen.Moving, InField: true, Run: move(c.move, 1)},
		{Binding: bind("chooser-up", "", ""), Group: screen.Moving, InField: true, Run: move(c.move, -1)},
		{Binding: bind("chooser-page-down", "pgup pgdn", "page"), Group: screen.Moving, InField: true, Run: move(c.page, 1)},
		{Binding: bind("chooser-page-up", "", ""), Group: screen.Moving, InField: true, Run: move(c.page, -1)},
		{
			Binding: bind("choose", "enter", "choose"), Group: screen.Choosing, InField: true,
			Hint: screen.Say("enter choose"), Rank: 1, Run: screen.Do(c.enter),
		},
	}
	return c
}

// Open shows a menu, with the cursor at the entry that is chosen at present.
func (c *Screen) Open(m screen.Menu) {
	c.menu, c.selected = m, list.List{}
	c.field.SetValue("")
	c.selectNamed(m.Present)
}

func (c *Screen) selectNamed(name string) {
	named := func(e screen.Entry) bool { return e.Name == name }
	if c.selected.At = 0; slices.ContainsFunc(c.menu.All, named) { // what was typed alone is not chosen before what matches
		c.selected.At = max(0, slices.IndexFunc(c.shown(), named))
	}
}

func (c *Screen) typed() string { return strings.TrimSpace(text.Line(c.field.Value())) }

// shown returns the entries that match what is typed: those with words that begin with it before
// those that have its letters, and those that cannot be chosen last.
func (c *Screen) shown() []screen.Entry {
	typed := c.typed()
	if typed == "" {
		return c.menu.All[:min(len(c.menu.All), cmp.Or(c.menu.Most, len(c.menu.All)))]
	}
	var ranked [3][]screen.Entry
	var off []screen.Entry
	exact := false
	for _, e := range c.menu.All {
		exact = exact || e.Name == typed
		rank, ok := text.Match(typed, e.Name)
		if also, has := text.Match(typed, e.Name+" "+e.Text+" "+e.Also); has && also < 2 && (!ok || also < rank) {
			rank, ok = also, true
		}
		switch {
		case ok && e.Off != "":
			off = append(off, e)
		case ok:
			ranked[rank] = append(ranked[rank], e)
		}
	}
	out := slices.Concat(ranked[0], ranked[1], ranked[2], off)
	if exact || c.menu.Free == nil {
		return out
	}
	return append(out, screen.Entry{
		Name: typed, Text: "use this name as typed", Do: func() screen.Outcome { return c.menu.Free(typed) },
	})
}

func (c *Screen) move(n int) { c.selected.Move(n, len(c.shown())) }

func (c *Screen) page(n int) { c.move(n * max((c.height-3)/3, 1)) }

func (c *Screen) enter() screen.Outcome {
	shown := c.shown()
	if c.selected.At >= len(shown) {
		return screen.Tell(screen.Info, "Nothing matches. ctrl+u clears what is typed.")
	}
	return screen.Outcome{screen.Close{}, screen.Then(shown[c.selected.At].Do)}
}

// HandleKey types a key into the filter.
func (c *Screen) HandleKey(msg tea.KeyPressMsg) screen.Outcome { return c.update(msg) }

// Paste adds text to the filter.
func (c *Screen) Paste(content string) screen.Outcome {
	return c.update(tea.PasteMsg{Content: text.Line(content)})
}

// update changes what is typed. The cursor goes to the entry of exactly that name, or to the
// first one.
func (c *Screen) update(msg tea.Msg) screen.Outcome {
	was := c.field.Value()
	var cmd tea.Cmd
	if c.field, cmd = c.field.Update(msg); c.field.Value() != was {
		c.selectNamed(c.typed())
	}
	return screen.Run(cmd)
}

// Name returns the title of the menu.
func (c *Screen) Name() string { return c.menu.Title }

// SetSize sets the room between the top line and the notice row.
func (c *Screen) SetSize(w, h int) {
	c.width, c.height = w, h
	c.field.SetWidth(max(w-fieldAt-1, 1))
}

// SetTheme changes colours and symbols.
func (c *Screen) SetTheme(th *theme.Theme) { c.th = th }

// Commands lists the keys of the list.
func (c *Screen) Commands() []screen.Command { return c.commands }

// Back leaves the list without a choice.
func (c *Screen) Back() screen.Outcome { return screen.Outcome{screen.Close{}} }

// BackHint says so.
func (c *Screen) BackHint() string { return "esc back" }

// Title names the list, and says what letters do.
func (c *Screen) Title(screen.Frame) (left, right []theme.Part) {
	left = []theme.Part{{Text: " " + c.menu.Title, Style: c.th.Accent, Cut: 1}}
	return left, []theme.Part{{Text: "type to filter ", Style: c.th.Muted, Cut: 2, Whole: true}}
}

// Typing returns true: letters filter the list.
func (c *Screen) Typing() bool { return true }

// TypingHints says how to move; enter and esc have hints of their own.
func (c *Screen) TypingHints() []string {
	return []string{c.th.Symbols.Up + c.th.Symbols.Down + " move"}
}

// Wheel moves in the list.
func (c *Screen) Wheel(_, _, step, _ int) { c.move(step) }

// Click moves to an entry, and chooses the one under the cursor.
func (c *Screen) Click(_, y int) screen.Outcome {
	line := c.selected.Line(y - 1)
	switch {
	case y < 1 || line < 0 || line >= len(c.entryOf):
		return nil
	case c.entryOf[line] == c.selected.At:
		return c.enter()
	}
	c.selected.At = c.entryOf[line]
	return nil
}

// fieldAt is the column of what is typed.
const fieldAt = 5

// Cursor returns where text is typed.
func (c *Screen) Cursor() *tea.Cursor { return screen.Offset(c.field.Cursor(), fieldAt, 0) }

// View draws what is typed, and the entries with their explanations.
func (c *Screen) View(screen.Frame) string {
	head := c.th.Fit(c.th.Accent.Render("   / ")+c.field.View(), c.width)
	if c.height < 2 {
		return head
	}
	lines, top, bottom := c.lines()
	return head + "\n" + c.selected.View(c.th, lines, top, bottom, c.width, c.height-1)
}

// lines draws the entries, and returns which lines are under the cursor.
func (c *Screen) lines() (lines []string, top, bottom int) {
	shown, names := c.shown(), 8
	for _, e := range append(slices.Clone(c.menu.All), shown...) {
		names = max(names, ansi.StringWidth(e.Name))
	}
	names = min(names, max(c.width/3, 8)) + 2
	for _, l := range theme.Wrap(c.menu.Problem, max(c.width-6, 10)) {
		lines = append(lines, "   "+c.th.Warning.Render(strings.TrimLeft(l, " ")))
	}
	c.entryOf = make([]int, len(lines))
	off := slices.IndexFunc(shown, func(e screen.Entry) bool { return e.Off != "" })
	for i, e := range shown {
		if i == off {
			lines = append(lines, c.th.Faint.Render(" "+strings.Repeat(c.th.Border.Horizontal, 3)+" not now"))
			c.entryOf = append(c.entryOf, i)
		}
		drawn := c.entryLines(e, i == c.selected.At, names)
		if i == c.selected.At {
			top, bottom = len(lines), len(lines)+len(drawn)-1
		}
		lines = append(lines, drawn...)
		c.entryOf = append(c.entryOf, slices.Repeat([]int{i}, len(drawn))...)
	}
	if len(shown) == 0 && c.typed() != "" {
		lines = append(lines, c.th.Muted.Render("   Nothing matches."))
	}
	return lines, top, bottom
}

// entryLines draws an entry: its name and its key in one line, or its name in a column of that
// width with its explanation beside it.
func (c *Screen) entryLines(e screen.Entry, selected bool, names int) (lines []string) {
	th, mark := c.th.ForRow(selected)
	if e.Text == "" {
		name, style := text.Line(e.Name), th.Text
		if e.Off != "" {
			name, style = name+" "+th.Symbols.Sep+" "+strings.TrimSuffix(e.Off, "."), th.Faint
		}
		return []string{th.Row([]theme.Part{{Text: " " + mark + " ", Style: th.Accent}, {Text: name, Style: style, Cut: 1}},
			[]theme.Part{{Text: e.Key + "  ", Style: th.Muted}}, c.width)}
	}
	room := max(c.width-names-6, 10)
	name, about := theme.Wrap(text.Line(e.Name), names-2), theme.Wrap(e.Text, room)
	rows := max(len(name), len(about))
	name, about = append(name, make([]string, rows-len(name))...), append(about, make([]string, rows-len(about))...)
	for k := range rows {
		lines = append(lines, c.th.Accent.Render(" "+mark+" ")+th.Columns(
			theme.Column{Text: name[k], Width: names, Style: th.Text},
			theme.Column{Text: strings.TrimLeft(about[k], " "), Width: room, Style: th.Muted}))
		mark = " "
	}
	return lines
}

package setup

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/list"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// Chooser is a list over a screen from which one entry is chosen, such as a mode or
// a model. What is typed filters it.
type Chooser struct {
	th            *theme.Theme
	width, height int
	commands      []screen.Command

	menu     screen.Menu
	typed    string
	selected list.List // of the entries that match
}

var (
	_ screen.Screen   = (*Chooser)(nil)
	_ screen.Scroller = (*Chooser)(nil)
)

// maxChoice is the largest length of what is typed, in characters.
const maxChoice = 200

// newChooser returns a list without entries.
func newChooser() *Chooser {
	c := &Chooser{}
	bind, move, do := screen.Bind, screen.Moves, screen.Do
	c.commands = []screen.Command{
		{Binding: bind("chooser-down", "up  down", "move"), Group: screen.Moving, InField: true, Run: move(c.move, 1)},
		{Binding: bind("chooser-up", "", ""), Group: screen.Moving, InField: true, Run: move(c.move, -1)},
		{Binding: bind("chooser-page-down", "pgup pgdn", "page"), Group: screen.Moving, InField: true, Run: move(c.page, 1)},
		{Binding: bind("chooser-page-up", "", ""), Group: screen.Moving, InField: true, Run: move(c.page, -1)},
		{
			Binding: bind("choose", "enter", "choose"), Group: screen.Choosing, InField: true,
			Hint: screen.Say("enter choose"), Rank: 1, Run: do(c.enter),
		},
		{
			Binding: bind("chooser-clear", "ctrl+u", "clear what is typed"), Group: screen.Choosing, InField: true,
			Run: do(func() screen.Outcome { return c.retype("") }),
		},
	}
	return c
}

// Open shows a list, with the cursor at the entry that is chosen at present.
func (c *Chooser) Open(m screen.Menu) {
	c.menu, c.typed, c.selected = m, "", list.List{}
	for i, e := range c.shown() {
		if e.Name == m.Present {
			c.selected.At = i
		}
	}
}

// shown returns the entries that match what is typed.
func (c *Chooser) shown() []screen.Entry {
	var out []screen.Entry
	typed, exact := strings.TrimSpace(c.typed), false
	words := strings.Fields(text.Fold(typed))
	for _, e := range c.menu.All {
		exact = exact || e.Name == typed
		if matches(text.Fold(e.Name+" "+e.Text), words) {
			out = append(out, e)
		}
	}
	if typed == "" || exact || !c.menu.Free {
		return out
	}
	return append(out, screen.Entry{Name: typed, Text: "use this name as typed"})
}

func matches(content string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(content, w) {
			return false
		}
	}
	return true
}

func (c *Chooser) move(n int) { c.selected.Move(n, len(c.shown())) }

func (c *Chooser) page(n int) { c.move(n * max((c.height-3)/3, 1)) }

// enter chooses the entry under the cursor.
func (c *Chooser) enter() screen.Outcome {
	shown := c.shown()
	if c.selected.At >= len(shown) {
		return screen.Tell(screen.Info, "Nothing matches. ctrl+u clears what is typed.")
	}
	return append(screen.Outcome{screen.Close{}}, c.menu.Choose(shown[c.selected.At].Name)...)
}

// retype replaces what is typed. The cursor goes to the entry of exactly that name, or
// to the first one.
func (c *Chooser) retype(content string) screen.Outcome {
	c.typed, c.selected.At = firstRunes(content, maxChoice), 0
	for i, e := range c.shown() {
		if e.Name == strings.TrimSpace(c.typed) {
			c.selected.At = i
		}
	}
	return nil
}

// HandleKey types a key into the filter.
func (c *Chooser) HandleKey(msg tea.KeyPressMsg) screen.Outcome {
	switch r := []rune(c.typed); {
	case msg.String() == "backspace":
		return c.retype(string(r[:max(len(r)-1, 0)]))
	case msg.Text != "":
		return c.retype(c.typed + safeTyped(msg.Text))
	}
	return nil
}

// Paste appends text to the filter.
func (c *Chooser) Paste(content string) screen.Outcome {
	return c.retype(c.typed + strings.TrimSpace(text.Line(content)))
}

// Name returns the title of the list.
func (c *Chooser) Name() string { return c.menu.Title }

// SetSize sets the room between the top line and the notice row.
func (c *Chooser) SetSize(w, h int) { c.width, c.height = w, h }

// SetTheme changes colours and symbols.
func (c *Chooser) SetTheme(th *theme.Theme) { c.th = th }

// Commands lists the keys of the list.
func (c *Chooser) Commands() []screen.Command { return c.commands }

// Back leaves the list without a choice.
func (c *Chooser) Back() screen.Outcome { return screen.Outcome{screen.Close{}} }

// BackHint says so.
func (c *Chooser) BackHint() string { return "esc back" }

// Title names the list, and says what letters do.
func (c *Chooser) Title(screen.Frame) (left, right []theme.Part) {
	left = []theme.Part{{Text: " " + c.menu.Title, Style: c.th.Accent, Cut: 1}}
	return left, []theme.Part{{Text: "type to filter ", Style: c.th.Muted, Cut: 2, Whole: true}}
}

// Typing returns true: letters filter the list.
func (c *Chooser) Typing() bool { return true }

// TypingHints says how to move; enter and esc have hints of their own.
func (c *Chooser) TypingHints() []string {
	return []string{c.th.Symbols.Up + " " + c.th.Symbols.Down + " move"}
}

// Wheel moves in the list.
func (c *Chooser) Wheel(_, _, step, _ int) { c.move(step) }

// fieldAt is the column of what is typed.
const fieldAt = 5

// Cursor returns where text is typed.
func (c *Chooser) Cursor() *tea.Cursor {
	return tea.NewCursor(min(fieldAt+ansi.StringWidth(c.tail()), max(c.width-1, 0)), 0)
}

// tail returns the end of what is typed that fits.
func (c *Chooser) tail() string {
	over := ansi.StringWidth(c.typed) - max(c.width-fieldAt-2, 1)
	if over <= 0 {
		return c.typed
	}
	return ansi.TruncateLeft(c.typed, over+1, c.th.Symbols.Cut)
}

// View draws what is typed, and the entries with their explanations.
func (c *Chooser) View(screen.Frame) string {
	head := c.th.Fit(c.th.Accent.Render("   / ")+c.th.Text.Render(c.tail()), c.width)
	if c.height < 2 {
		return head
	}
	lines, top, bottom := c.lines()
	return head + "\n" + c.selected.View(c.th, lines, top, bottom, c.width, c.height-1)
}

// lines draws the entries, and returns which lines are under the cursor.
func (c *Chooser) lines() (lines []string, top, bottom int) {
	th, shown, names := c.th, c.shown(), 8
	for _, e := range append(slices.Clone(c.menu.All), shown...) {
		names = max(names, ansi.StringWidth(e.Name))
	}
	names = min(names, max(c.width/3, 8)) + 2
	room := max(c.width-names-6, 10)
	for _, l := range theme.Wrap(c.menu.Problem, max(c.width-6, 10)) {
		lines = append(lines, "   "+th.Warning.Render(strings.TrimLeft(l, " ")))
	}
	for i, e := range shown {
		th, mark := th.ForRow(i == c.selected.At)
		if i == c.selected.At {
			top = len(lines)
		}
		name, about := theme.Wrap(text.Line(e.Name), names-2), theme.Wrap(e.Text, room)
		for k := range max(len(name), len(about)) {
			lines = append(lines, c.th.Accent.Render(" "+mark+" ")+th.Columns(
				theme.Column{Text: at(name, k), Width: names, Style: th.Text},
				theme.Column{Text: strings.TrimLeft(at(about, k), " "), Width: room, Style: th.Muted}))
			mark = " "
		}
		if i == c.selected.At {
			bottom = len(lines) - 1
		}
	}
	if len(shown) == 0 && c.typed != "" {
		lines = append(lines, th.Muted.Render("   Nothing matches."))
	}
	return lines, top, bottom
}

// at returns a line, or "" behind the last one.
func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

// Chooser returns the list in which modes, models and panels are chosen, here and for a fork.
func (f *Form) Chooser() *Chooser { return f.chooser }

func (f *Form) chooseMode() screen.Outcome {
	l := screen.Menu{Title: "Modes", Present: f.mode().Name}
	for _, m := range f.modes {
		l.All = append(l.All, screen.Entry{Name: text.Line(m.Name), Text: modeText(m)})
	}
	l.Choose = func(name string) screen.Outcome {
		if i := slices.IndexFunc(f.modes, func(m debate.Mode) bool { return text.Line(m.Name) == name }); i >= 0 {
			f.modeIndex = i
			f.useModeRounds()
			f.setFocus(fieldMode)
		}
		return nil
	}
	return screen.Outcome{l}
}

// modeText explains a mode.
func modeText(m debate.Mode) string {
	words := fmt.Sprintf("%d to %s, %s.", m.MinSeats, text.Count(m.MaxSeats, "seat"), text.Count(m.Rounds, "round"))
	if m.Use != "" {
		words = "Use it for: " + text.Line(m.Use) + ". " + words
	}
	if m.Summary != "" {
		words = text.Capitalize(text.Line(m.Summary)) + ". " + words
	}
	return words
}

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

// Chooser is a list over the form from which one entry is chosen: a mode or
// a model. What is typed filters it.
type Chooser struct {
	th            *theme.Theme
	width, height int
	commands      []screen.Command

	list     chooserList
	typed    string
	selected list.List // of the entries that match
}

var (
	_ screen.Screen   = (*Chooser)(nil)
	_ screen.Scroller = (*Chooser)(nil)
)

type chooserList struct {
	title  string
	all    []entry
	free   bool // what is typed is an entry of its own
	choose func(name string) screen.Outcome

	present string // the name under the cursor at first
	problem string // why it could not be read; "" if it could
}

type entry struct{ name, text string }

// maxChoice is the largest length of what is typed, in characters.
const maxChoice = 200

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

// open shows a list, with the cursor at the entry that is chosen at present.
func (c *Chooser) open(l chooserList) {
	c.list, c.typed, c.selected = l, "", list.List{}
	for i, e := range c.shown() {
		if e.name == l.present {
			c.selected.At = i
		}
	}
}

func (c *Chooser) shown() []entry {
	var out []entry
	typed, exact := strings.TrimSpace(c.typed), false
	words := strings.Fields(text.Fold(typed))
	for _, e := range c.list.all {
		exact = exact || e.name == typed
		if matches(text.Fold(e.name+" "+e.text), words) {
			out = append(out, e)
		}
	}
	if typed == "" || exact || !c.list.free {
		return out
	}
	return append(out, entry{typed, "use this name as typed"})
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

func (c *Chooser) enter() screen.Outcome {
	shown := c.shown()
	if c.selected.At >= len(shown) {
		return screen.Tell(screen.Info, "Nothing matches. ctrl+u clears what is typed.")
	}
	return append(screen.Outcome{screen.Close{}}, c.list.choose(shown[c.selected.At].name)...)
}

// retype replaces what is typed. The cursor goes to the entry of exactly that name, or
// to the first one.
func (c *Chooser) retype(content string) screen.Outcome {
	c.typed, c.selected.At = firstRunes(content, maxChoice), 0
	for i, e := range c.shown() {
		if e.name == strings.TrimSpace(c.typed) {
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
func (c *Chooser) Name() string { return c.list.title }

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
	left = []theme.Part{{Text: " " + c.list.title, Style: c.th.Accent, Cut: 1}}
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

func (c *Chooser) lines() (lines []string, top, bottom int) {
	th, shown, names := c.th, c.shown(), 8
	for _, e := range append(slices.Clone(c.list.all), shown...) {
		names = max(names, ansi.StringWidth(e.name))
	}
	names = min(names, max(c.width/3, 8)) + 2
	room := max(c.width-names-6, 10)
	for _, l := range theme.Wrap(c.list.problem, max(c.width-6, 10)) {
		lines = append(lines, "   "+th.Warning.Render(strings.TrimLeft(l, " ")))
	}
	for i, e := range shown {
		th, mark := th.ForRow(i == c.selected.At)
		if i == c.selected.At {
			top = len(lines)
		}
		name, about := theme.Wrap(text.Line(e.name), names-2), theme.Wrap(e.text, room)
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

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

// ShowChooser is an effect: the shell shows the list that a key of the form has opened.
type ShowChooser struct{}

// Chooser returns the list in which modes, models and panels are chosen.
func (f *Form) Chooser() *Chooser { return f.chooser }

func (f *Form) chooseMode() screen.Outcome {
	l := chooserList{title: "Modes", present: f.mode().Name}
	for _, m := range f.modes {
		l.all = append(l.all, entry{text.Line(m.Name), modeText(m)})
	}
	l.choose = func(name string) screen.Outcome {
		if i := slices.IndexFunc(f.modes, func(m debate.Mode) bool { return text.Line(m.Name) == name }); i >= 0 {
			f.modeIndex = i
			f.useModeRounds()
			f.setFocus(fieldMode)
		}
		return nil
	}
	f.chooser.open(l)
	return screen.Outcome{ShowChooser{}}
}

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

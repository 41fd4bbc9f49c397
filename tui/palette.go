package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"roundtable/internal/text"
	"roundtable/tui/list"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// palette finds commands by name. Commands that cannot run come after all others and say why.
type palette struct {
	commands *commands
	field    textinput.Model
	list     list.List
}

type choice struct {
	screen.Command
	reason string // why it cannot run; "" when it can
	match  int    // how well it matches what was typed, see [text.Match]
	rank   int    // how likely it is otherwise
	at     int    // its place among all
}

// mostChoices is how many commands are listed before anything is typed.
const mostChoices = 30

func newPalette(c *commands) *palette {
	f := textinput.New()
	f.Prompt = ""
	f.SetVirtualCursor(false)
	f.SetWidth(50)
	return &palette{commands: c, field: f}
}

// choices returns the commands that match what was typed, the best match first: those with words
// that begin with it before those that have its letters. Of equal ones, those that ran last come
// first, then those that the bottom line offers, and those that only move come last. Commands that
// cannot run come after all that can.
func (p *palette) choices() (shown []choice, all int) {
	query, seen := p.field.Value(), map[string]bool{}
	for i, c := range p.commands.list() {
		if c.Title == "" || seen[c.Title] {
			continue
		}
		seen[c.Title] = true
		all++
		match, ok := text.Match(query, c.Title)
		if also, found := text.Match(query, c.Title+" "+c.Also); found && also < 2 && (!ok || also < match) {
			match, ok = also, true
		}
		if ok {
			shown = append(shown, choice{
				Command: c, reason: p.commands.reason(c), match: match, rank: p.commands.rank(c), at: i,
			})
		}
	}
	slices.SortFunc(shown, func(a, b choice) int {
		if able := a.reason == ""; able != (b.reason == "") {
			return map[bool]int{true: -1, false: 1}[able]
		}
		return cmp.Or(a.match-b.match, a.rank-b.rank, a.at-b.at)
	})
	if query == "" {
		shown = shown[:min(len(shown), mostChoices)]
	}
	return shown, all
}

// Ranks of commands: those that ran last have lower ones, those that move higher ones.
const (
	rankWaitedFor = 100
	rankUrgent    = 110
	rankHinted    = 200 // and more by the rank of the hint
	rankOther     = 300
	rankMoving    = 400
)

// rank orders the commands of the palette: the lowest is the likeliest.
func (c *commands) rank(one screen.Command) int {
	switch at := slices.Index(c.recent, one.Title); {
	case at >= 0:
		return at
	case one.Group == screen.Answering && c.stack.blocked():
		return rankWaitedFor
	case one.Urgent != nil && one.Urgent():
		return rankUrgent
	case one.Group == screen.Moving:
		return rankMoving
	case one.Hint != nil && !one.AtEnd && one.Hint() != "":
		return rankHinted + one.Rank
	}
	return rankOther
}

// maxRecent is how many commands the palette remembers.
const maxRecent = 5

// ran remembers a command that was run from the palette.
func (c *commands) ran(title string) {
	c.recent = slices.DeleteFunc(c.recent, func(t string) bool { return t == title })
	c.recent = slices.Insert(c.recent, 0, title)
	c.recent = c.recent[:min(len(c.recent), maxRecent)]
}

// key types, moves or runs. It reports whether the palette is closed by it.
func (p *palette) key(msg tea.KeyPressMsg) (out screen.Outcome, closed bool) {
	shown, _ := p.choices()
	if p.commands.opensPalette(msg.String()) {
		return nil, true
	}
	switch msg.String() {
	case "esc":
		return nil, true
	case "up":
		p.list.Move(-1, len(shown))
		return nil, false
	case "down":
		p.list.Move(1, len(shown))
		return nil, false
	case "enter":
		if p.list.At >= len(shown) {
			return nil, true
		}
		c, pressed := shown[p.list.At], ""
		if keys := c.Keys(); len(keys) > 0 {
			pressed = keys[0]
		}
		p.commands.ran(c.Title)
		return p.commands.run(c.Command, pressed), true
	}
	var cmd tea.Cmd
	was := p.field.Value()
	p.field, cmd = p.field.Update(msg)
	if p.field.Value() != was {
		p.list.Reset()
	}
	return screen.Run(cmd), false
}

func (p *palette) paste(content string) { p.field.SetValue(p.field.Value() + text.Line(content)) }

// view draws the palette over the whole screen.
func (p *palette) view(th *theme.Theme, width, height int) []string {
	shown, all := p.choices()
	p.list.Move(0, len(shown))
	p.field.SetWidth(width - 6)
	rows := []string{
		th.Row([]theme.Part{{Text: " Commands", Style: th.Text}},
			[]theme.Part{{Text: fmt.Sprintf("%d of %d ", len(shown), all), Style: th.Faint, Cut: 1}}, width),
		th.Accent.Render(" > ") + p.field.View(), "",
	}
	able := slices.IndexFunc(shown, func(c choice) bool { return c.reason != "" })
	room := height - len(rows) - 1
	if able >= 0 {
		room--
	}
	from, to := p.list.Range(p.list.At, p.list.At, len(shown), max(room, 1))
	for i := from; i < to; i++ {
		if i == able {
			rows = append(rows, th.Faint.Render(" "+strings.Repeat(th.Border.Horizontal, 3)+" not now"))
		}
		rows = append(rows, p.line(th, shown[i], i == p.list.At, width))
	}
	if len(shown) == 0 {
		rows = append(rows, th.Muted.Render("   No command matches."))
	}
	for len(rows) < height-1 {
		rows = append(rows, "")
	}
	hint := " " + th.Symbols.Up + th.Symbols.Down + " move   enter run"
	if below := len(shown) - to; below > 0 {
		hint += fmt.Sprintf("   %d below", below)
	}
	return append(rows, th.Row([]theme.Part{{Text: hint, Style: th.Muted}}, []theme.Part{{Text: "esc close ", Style: th.Muted}}, width))
}

func (p *palette) line(th *theme.Theme, c choice, selected bool, w int) string {
	mark := "   "
	if selected {
		th, mark = th.Selected(), " "+th.Symbols.Focus+" "
	}
	style, text := th.Text, c.Title
	if c.reason != "" {
		style, text = th.Faint, c.Title+" "+th.Symbols.Sep+" "+strings.TrimSuffix(c.reason, ".")
	}
	shown := ""
	if keys := c.Keys(); len(keys) > 0 {
		shown = keys[0]
	}
	return th.Row([]theme.Part{{Text: mark, Style: th.Accent}, {Text: text, Style: style, Cut: 1}},
		[]theme.Part{{Text: shown + "  ", Style: th.Muted}}, w)
}

func (p *palette) cursor() *tea.Cursor { return screen.Offset(p.field.Cursor(), 3, 1) }

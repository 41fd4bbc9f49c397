package screen

import (
	"fmt"
	"strings"

	"roundtable/tui/textview"
	"roundtable/tui/theme"
)

// Page is the part of a screen on which one text is read and nothing else is done.
type Page struct {
	NoInput
	textview.Text
	Finder
	Theme    *theme.Theme
	Width    int
	height   int
	draw     func() []string // draws the text at that width
	lines    []string        // nil: not drawn yet
	commands []Command
}

// NewPage returns a page of the lines that a function draws.
func NewPage(th *theme.Theme, draw func() []string) *Page {
	p := &Page{Theme: th, draw: draw}
	p.Finder = Finder{
		Lines: func() ([]string, int) { return p.drawn(), p.Top() },
		Show:  func(line int) { p.ScrollTo(line - p.height/3) },
	}
	p.commands = append([]Command{
		{
			Binding: Bind("down", "j k d u", "scroll"), Title: "Scroll down", Group: Moving,
			Hint: p.scrollHint, Rank: 2, Run: Moves(p.Scroll, 1),
		},
		{Binding: Bind("up", "", ""), Group: Moving, Run: Moves(p.Scroll, -1)},
		{Binding: Bind("page-down", "", ""), Group: Moving, Run: Moves(p.HalfPage, 1)},
		{Binding: Bind("read-on", "", ""), Group: Moving, Run: Moves(p.HalfPage, 1)},
		{Binding: Bind("page-up", "", ""), Group: Moving, Run: Moves(p.HalfPage, -1)},
	}, JumpKeys(p.HalfPage, p.ToEnd)...)
	return p
}

// Begin shows the text from its beginning, drawn again.
func (p *Page) Begin() {
	p.Text, p.lines = textview.Text{}, nil
	p.Finder.End()
}

// Changed has the text drawn again.
func (p *Page) Changed() { p.lines = nil }

// drawn returns the lines of the text.
func (p *Page) drawn() []string {
	if p.lines == nil {
		p.lines = p.draw()
	}
	return p.lines
}

// scrollHint names the keys that scroll a text that is longer than the screen.
func (p *Page) scrollHint() string {
	if len(p.drawn()) <= p.height {
		return ""
	}
	return "j k scroll"
}

// SetTheme changes colours and symbols.
func (p *Page) SetTheme(th *theme.Theme) { p.Theme, p.lines = th, nil }

// SetSize sets the room between the top line and the notice row.
func (p *Page) SetSize(w, h int) { p.Width, p.height, p.lines = w, h, nil }

// Commands lists the keys of the page.
func (p *Page) Commands() []Command { return p.commands }

// View draws the lines that fit.
func (p *Page) View(Frame) string {
	rows := p.Text.View(p.Theme, p.Finder.Mark(p.Theme, p.drawn()), p.Width, p.height)
	if below := p.Below(); below > 0 && p.height > 1 {
		rows[p.height-1] = p.Theme.Row(nil, []theme.Part{{Text: fmt.Sprintf("%d below ", below+1), Style: p.Theme.Faint}}, p.Width)
	}
	return strings.Join(rows, "\n")
}

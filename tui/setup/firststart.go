package setup

import (
	"roundtable/internal/text"
	"roundtable/tui/theme"
	"roundtable/tui/viewport"
)

// Choice is a row of the first-start screen.
type Choice int

// The choices, in the order of the rows.
const (
	StartDemo Choice = iota
	LookAgain
	WriteConfig
)

// FirstStart is the screen shown when no model was found.
type FirstStart struct {
	th            *theme.Theme
	width, height int
	found         []Finding
	cursor        Choice
	viewport      viewport.Viewport
}

// NewFirstStart returns the screen without findings.
func NewFirstStart(th *theme.Theme) *FirstStart { return &FirstStart{th: th} }

// SetTheme sets the theme.
func (f *FirstStart) SetTheme(th *theme.Theme) { f.th = th }

// SetSize sets the size of the area between the top line and the notice row.
func (f *FirstStart) SetSize(width, height int) { f.width, f.height = width, height }

// SetOptions shows where models were searched for.
func (f *FirstStart) SetOptions(o Options) {
	f.found = make([]Finding, len(o.Found))
	for i, x := range o.Found {
		f.found[i] = Finding{text.Line(x.What), text.Line(x.Result), x.OK}
	}
}

// Move moves the selection by rows.
func (f *FirstStart) Move(n int) {
	f.cursor = max(StartDemo, min(f.cursor+Choice(n), WriteConfig))
}

// Choice returns the selected row.
func (f *FirstStart) Choice() Choice { return f.cursor }

// View draws the screen.
func (f *FirstStart) View() string {
	th := f.th
	lines := []string{
		"", "",
		"   " + th.Text.Render("Several models debate your question side by side."),
		"   " + th.Text.Render("When they need a fact, they ask you and wait for your answer."),
		"", "", "   " + th.Muted.Render("Looked for models"),
	}
	if f.height < 21 {
		lines = append(lines[1:5:5], lines[6])
	}
	for _, x := range f.found {
		lines = append(lines, f.finding(x))
	}
	lines = append(lines, "")
	if f.height >= 21 {
		lines = append(lines, "")
	}
	top := len(lines)
	bottom := top
	for c, row := range f.rows() {
		if Choice(c) == f.cursor {
			top, bottom = len(lines), len(lines)+len(row)-1
		}
		lines = append(lines, row...)
	}
	lines = append(lines, "", "", "   "+th.Muted.Render("For real models:  ")+
		th.Text.Render("export OPENAI_API_KEY="+th.Symbols.Cut)+
		th.Muted.Render("  and restart Roundtable."))
	return f.viewport.View(th, lines, top, bottom, f.width, f.height)
}

// finding draws a place where models were searched for.
func (f *FirstStart) finding(x Finding) string {
	th, mark, style := f.th, f.th.Symbols.Missing, f.th.Faint
	if x.OK {
		mark, style = th.Symbols.Done, th.Success
	}
	return th.Row([]theme.Part{{Text: "   " + mark + " ", Style: style}, {Text: x.What, Style: th.Muted, Cut: 1}},
		[]theme.Part{{Text: x.Result + "    ", Style: style}}, min(f.width, 90))
}

// rows draws the choices, each with its key and a description.
func (f *FirstStart) rows() [][]string {
	return [][]string{
		append([]string{f.choice(StartDemo, "Start the demo debate", "enter")}, f.prose(
			"Offline and free: scripted answers, no model. About two minutes, "+
				"and it asks you two questions to show how that works.")...),
		{f.choice(LookAgain, "Look for models again", "r")},
		{f.choice(WriteConfig, "Write a commented config file", "w")},
	}
}

// choice draws the row of a choice.
func (f *FirstStart) choice(c Choice, text, key string) string {
	th, mark := f.th, " "
	if c == f.cursor {
		th, mark = th.Selected(), th.Symbols.Focus
	}
	width := min(f.width-5, 85)
	return "  " + th.Columns(theme.Column{Text: mark, Width: 2, Style: th.Accent},
		theme.Column{Text: text, Width: width - 2 - len(key) - 1, Style: th.Text},
		theme.Column{Text: key, Width: len(key) + 1, Style: th.Faint})
}

// prose wraps a description below a choice, with a blank line after it.
func (f *FirstStart) prose(text string) []string {
	var lines []string
	for _, l := range theme.Wrap(text, min(f.width-8, 68)) {
		lines = append(lines, "    "+f.th.Muted.Render(l))
	}
	return append(lines, "")
}

package picker

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"roundtable/agents/safetext"
	"roundtable/tui/theme"
)


// Choice is what the user wants on the first start.
type Choice int

// The choices, in the order of the rows.
const (
	StartDemo Choice = iota
	LookAgain
	WriteConfig
)

// First is the screen of the first start, when no model was found.
type First struct {
	th            *theme.Theme
	width, height int
	found         []Finding
	cursor        Choice
	window        window
}

// NewFirst returns the screen without findings.
func NewFirst(th *theme.Theme) *First { return &First{th: th} }

// SetTheme changes the colours and symbols.
func (f *First) SetTheme(th *theme.Theme) { f.th = th }

// SetSize sets the room between the top line and the notice row.
func (f *First) SetSize(width, height int) { f.width, f.height = width, height }

// Load shows where models were looked for.
func (f *First) Load(o Offer) {
	f.found = make([]Finding, len(o.Found))
	for i, x := range o.Found {
		f.found[i] = Finding{safetext.Line(x.What), safetext.Line(x.Result), x.OK}
	}
}

// Move moves the cursor.
func (f *First) Move(n int) {
	f.cursor = max(StartDemo, min(f.cursor+Choice(n), WriteConfig))
}

// Choice returns the row under the cursor.
func (f *First) Choice() Choice { return f.cursor }

// View draws the screen.
func (f *First) View() string {
	th := f.th
	lines := []string{
		"", "",
		"   " + th.Text.Render("Several models debate your question side by side."),
		"   " + th.Text.Render("When they lack a fact, they ask you, and wait for the answer."),
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
	lines = append(lines, "", "", "   "+th.Muted.Render("A real panel:  ")+th.Text.Render("export OPENAI_API_KEY="+th.Symbols.Cut)+th.Muted.Render("  and start Roundtable again."))
	return page(th, lines, &f.window, top, bottom, f.width, f.height)
}

func (f *First) finding(x Finding) string {
	th, mark, style := f.th, f.th.Symbols.Missing, f.th.Faint
	if x.OK {
		mark, style = th.Symbols.Done, th.Success
	}
	return th.Row([]theme.Part{{Text: "   " + mark + " ", Style: style}, {Text: x.What, Style: th.Muted, Cut: 1}},
		[]theme.Part{{Text: x.Result + "    ", Style: style}}, min(f.width, 90))
}

// rows draws the choices, each with its key and what it does.
func (f *First) rows() [][]string {
	return [][]string{
		append([]string{f.choice(StartDemo, "Start the demo debate", "enter")}, f.prose(
			"Offline and free: scripted answers, no model. About two minutes, and it asks you two questions, so you see how that works.")...),
		{f.choice(LookAgain, "Look for models again", "r")},
		{f.choice(WriteConfig, "Write a commented config file", "w")},
	}
}

func (f *First) choice(c Choice, text, key string) string {
	th, mark := f.th, " "
	if c == f.cursor {
		th, mark = th.Selected(), th.Symbols.Focus
	}
	width := min(f.width-5, 85)
	return "  " + cells(th, cell{text: mark, width: 2, style: th.Accent}, cell{text: text, width: width - 2 - len(key) - 1, style: th.Text},
		cell{text: key, width: len(key) + 1, style: th.Faint})
}

// prose wraps a sentence below a choice, with a blank line after it.
func (f *First) prose(text string) []string {
	var lines []string
	for _, l := range wrap(text, min(f.width-8, 68)) {
		lines = append(lines, "    "+f.th.Muted.Render(l))
	}
	return append(lines, "")
}

// wrap breaks plain text into lines of at most width cells.
func wrap(text string, width int) []string {
	return strings.Split(ansi.Wrap(text, max(width, 1), ""), "\n")
}

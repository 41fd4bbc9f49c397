package setup

import (
	"roundtable/debate/control"
	"roundtable/internal/keymap"
	"roundtable/internal/text"
	"roundtable/tui/list"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// roomy is the height from which all lines have room with blank ones between them.
const roomy = 25

// FirstStart is the screen shown when no model was found.
type FirstStart struct {
	screen.NoInput
	th            *theme.Theme
	width, height int
	found         []Finding
	unseated      Unseated
	list          list.List

	commands  []screen.Command
	canConfig bool
	keys      keymap.Changes
}

var _ screen.Screen = (*FirstStart)(nil)

// NewFirstStart returns the screen without findings. CanConfig says that a config file can be
// written from here; keys are those that the user gave to commands.
func NewFirstStart(th *theme.Theme, canConfig bool, keys keymap.Changes) *FirstStart {
	f := &FirstStart{th: th, canConfig: canConfig, keys: keys}
	bind, do := screen.Bind, screen.Do
	f.commands = append(screen.MoveKeys(f.Move, func(n int) { f.Move(3 * n) }), []screen.Command{
		{Shared: "new-debate"},
		{Shared: "start-demo"},
		{
			Binding: bind("open", "enter", "choose"), Group: screen.Choosing, Hint: screen.Say("enter choose"), Rank: 3,
			Run: do(f.choose),
		},
		{
			Binding: bind("retry", "R", "look for models again"), Title: "Look for models again", Group: screen.Choosing,
			Run: do(func() screen.Outcome { return screen.Outcome{LookAgain{}} }),
		},
		copyKey(func() Unseated { return f.unseated }, screen.Say("y copy")),
	}...)
	if canConfig {
		f.commands = append(f.commands, screen.Command{
			Binding: bind("write-config", "w", "write a config file"), Title: "Write a commented config file", Group: screen.Choosing,
			Run: do(askConfig),
		})
	}
	return f
}

// Name returns "First start".
func (f *FirstStart) Name() string { return "First start" }

// Commands lists the keys of the first start.
func (f *FirstStart) Commands() []screen.Command { return f.commands }

// askConfig asks before the key writes a config file, since it may be the first letter of
// a sentence.
func askConfig() screen.Outcome {
	return screen.Outcome{screen.Question{
		Text: "Write a commented config file?", Key: "w", Verb: "write", Do: func() screen.Outcome { return screen.Outcome{WriteConfig{}} },
	}}
}

type choice struct {
	title, command string // the command whose key does the same
	prose          string // below the title
	asks           screen.Effect
}

func (f *FirstStart) choices() []choice {
	all := []choice{
		{
			"Start the demo debate", "open", "Offline and free: scripted answers, no model. About two minutes, and it asks you two " +
				"questions to show how that works.", StartDemo{},
		},
		{"Look for models again", "retry", "", LookAgain{}},
	}
	if f.canConfig {
		all = append(all, choice{"Write a commented config file", "write-config", "", WriteConfig{}})
	}
	return all
}

func (f *FirstStart) choose() screen.Outcome { return screen.Outcome{f.choices()[f.list.At].asks} }

// Back leaves for the list.
func (f *FirstStart) Back() screen.Outcome { return screen.Outcome{screen.Close{}} }

// BackHint returns "".
func (f *FirstStart) BackHint() string { return "" }

// Title names the program.
func (f *FirstStart) Title(screen.Frame) (left, right []theme.Part) {
	return []theme.Part{{Text: " Roundtable", Style: f.th.Accent}}, []theme.Part{{Text: "first start ", Style: f.th.Muted, Cut: 1}}
}

// Wheel moves in the list.
func (f *FirstStart) Wheel(_, _, step, _ int) { f.Move(step) }

// SetTheme sets the theme.
func (f *FirstStart) SetTheme(th *theme.Theme) { f.th = th }

// SetSize sets the size of the area between the top line and the notice row.
func (f *FirstStart) SetSize(width, height int) { f.width, f.height = width, height }

// SetOptions shows where models were searched for.
func (f *FirstStart) SetOptions(o Options) {
	f.unseated = o.Unseated
	f.found = text.Each(o.Found, func(x Finding) Finding { return Finding{text.Line(x.What), text.Line(x.Result), x.OK} })
}

// Move moves the selection by rows.
func (f *FirstStart) Move(n int) { f.list.Move(n, len(f.choices())) }

// View draws the screen.
func (f *FirstStart) View(screen.Frame) string {
	th := f.th
	lines := []string{
		"", "",
		"   " + th.Text.Render("Several models debate your topic side by side."),
		"   " + th.Text.Render("When they need a fact, they ask you and wait for it."),
		"", "", "   " + th.Muted.Render("Looked for models"),
	}
	if f.height < roomy {
		lines = append(lines[1:5:5], lines[6])
	}
	for _, x := range f.found {
		lines = append(lines, f.finding(x))
	}
	for _, l := range f.unseated.lines(min(f.width-8, 84)) {
		lines = append(lines, "     "+th.Text.Render(l))
	}
	lines = append(lines, "")
	if f.height >= roomy {
		lines = append(lines, "")
	}
	top, bottom := 0, 0
	for i, c := range f.choices() {
		row := f.choice(i == f.list.At, c)
		if i == f.list.At {
			top, bottom = len(lines), len(lines)+len(row)-1
		}
		lines = append(lines, row...)
	}
	lines = append(lines, "")
	again := " A key needs a restart, a server needs " + f.keys.Of("retry") + "."
	for _, l := range theme.Wrap(control.NeedsModel+" "+control.GetModel+again, min(f.width-6, 84)) {
		lines = append(lines, "   "+th.Muted.Render(l))
	}
	if f.list.At == len(f.choices())-1 { // what follows belongs to it
		bottom = len(lines) - 1
	}
	return f.list.View(th, lines, top, bottom, f.width, f.height)
}

func (f *FirstStart) finding(x Finding) string {
	th, mark, style := f.th, f.th.Symbols.Missing, f.th.Faint
	if x.OK {
		mark, style = th.Symbols.Done, th.Success
	}
	return th.Row([]theme.Part{{Text: "   " + mark + " ", Style: style}, {Text: x.What, Style: th.Muted, Cut: 1}},
		[]theme.Part{{Text: x.Result + "    ", Style: style}}, min(f.width, 90))
}

func (f *FirstStart) choice(selected bool, c choice) []string {
	th, mark := f.th.ForRow(selected)
	width, key := min(f.width-5, 85), f.keys.Of(c.command)
	lines := []string{"  " + th.Columns(theme.Column{Text: mark, Width: 2, Style: th.Accent},
		theme.Column{Text: c.title, Width: width - 2 - len(key) - 1, Style: th.Text},
		theme.Column{Text: key, Width: len(key) + 1, Style: th.Faint})}
	if c.prose == "" {
		return lines
	}
	for _, l := range theme.Wrap(c.prose, min(f.width-8, 68)) {
		lines = append(lines, "    "+f.th.Muted.Render(l))
	}
	return append(lines, "")
}

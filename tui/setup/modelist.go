package setup

import (
	"fmt"
	"slices"
	"strings"

	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/screen"
)

// ShowChooser is an effect: the shell shows the list that a key of the form has opened.
type ShowChooser struct{}

// Chooser returns the list in which modes, models and panels are chosen.
func (f *Form) Chooser() *Chooser { return f.chooser }

// chooseMode lists all modes.
func (f *Form) chooseMode() screen.Outcome {
	l := chooserList{title: "Modes", label: "Mode", verb: "choose", present: f.mode().Name}
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

// modeText explains a mode in a few lines.
func modeText(m debate.Mode) string {
	var lines []string
	if m.Summary != "" {
		lines = append(lines, text.Capitalize(text.Line(m.Summary))+".")
	}
	if m.Use != "" {
		lines = append(lines, "Use it for: "+text.Line(m.Use)+".")
	}
	needs := fmt.Sprintf("%d to %s, %s.", m.MinSeats, text.Count(m.MaxSeats, "seat"), text.Count(m.Rounds, "round"))
	return strings.Join(append(lines, needs), "\n")
}

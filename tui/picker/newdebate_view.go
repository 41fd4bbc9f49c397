package picker

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/agents/safetext"
	"roundtable/debate"
	"roundtable/tui/theme"
)

// valueAt is the column of the values.
const valueAt = 15

// form collects the lines of the view, and which of them has the focus.
type form struct {
	*NewDebate
	lines       []string
	top, bottom int
	topicAt     int
}

// View draws the form.
func (f *NewDebate) View() string {
	v := f.draw()
	return page(f.th, v.lines, &f.window, v.top, v.bottom, f.width, f.height)
}

// Cursor returns where text is typed, relative to the top left of the last view.
func (f *NewDebate) Cursor() *tea.Cursor {
	if l, list := listAt[f.at]; list {
		v := f.draw()
		return tea.NewCursor(valueAt+ansi.StringWidth(v.tail(f.lists[l])), f.window.row(v.top))
	}
	if f.at != onTopic {
		return nil
	}
	c := f.topic.Cursor()
	if c != nil {
		c.X += valueAt
		c.Y += f.window.row(f.draw().topicAt)
	}
	return c
}

func (f *NewDebate) draw() *form {
	v := &form{NewDebate: f}
	v.gap()
	v.topicLines()
	v.gap()
	v.modeLines()
	v.gap()
	v.panelLines()
	v.gap()
	v.limits()
	v.gap()
	v.startLine()
	return v
}

// gap adds a blank line, unless the screen is too low for them.
func (v *form) gap() {
	if v.height >= 20 {
		v.lines = append(v.lines, "")
	}
}

// put adds a line: the mark of the focus, a label, a value.
func (v *form) put(marked bool, label string, style lipgloss.Style, value string) {
	mark := ""
	if marked {
		mark, style = v.th.Symbols.Focus, v.th.Accent
		v.top, v.bottom = len(v.lines), len(v.lines)
	}
	v.lines = append(v.lines, cells(v.th, cell{text: " " + mark, width: 3, style: v.th.Accent}, cell{text: label, width: valueAt - 3, style: style})+value)
}

// field adds the first line of a field, more one that belongs to it.
func (v *form) field(at spot, label, value string) {
	v.put(v.at == at, label, v.th.Muted, value)
}

func (v *form) more(at spot, label, value string) {
	v.put(false, label, v.th.Faint, value)
	if v.at == at {
		v.bottom = len(v.lines) - 1
	}
}

// note adds a line that is no field.
func (v *form) note(label, value string) { v.put(false, label, v.th.Muted, value) }

// wrapped adds a note in as many lines as it needs: who receives the text and what
// it costs is never cut.
func (v *form) wrapped(label, text string) {
	for _, l := range wrap(text, v.room()) {
		v.note(label, v.th.Text.Render(strings.TrimLeft(l, " ")))
		label = ""
	}
}

func (v *form) topicLines() {
	v.topicAt = len(v.lines)
	for i, l := range strings.Split(v.topic.View(), "\n") {
		switch {
		case i == 0:
			v.field(onTopic, "Topic", l)
		case i == 1 && v.scrolls():
			v.more(onTopic, fmt.Sprintf("%d chars", v.topic.Length()), l)
		default:
			v.more(onTopic, "", l)
		}
	}
}

func (v *form) modeLines() {
	th := v.th
	if len(v.modes) == 0 {
		v.field(onMode, "Mode", th.Danger.Render("none can be played; `roundtable modes` says why"))
		return
	}
	m := v.modes[v.mode]
	v.field(onMode, "Mode", v.modeLine(v.pick(onMode).Text, safetext.Line(m.Name), th.Muted, safetext.Line(m.Summary)))
	v.more(onMode, "use it for", th.Text.Render(fit(th, safetext.Line(m.Use), v.room())))
	label := "also fits"
	for _, other := range v.others() {
		v.more(onMode, label, v.modeLine(th.Muted, safetext.Line(other.Name), th.Faint, safetext.Line(other.Use)))
		label = ""
	}
	for _, fault := range v.offer.Faults {
		for _, l := range wrap(safetext.Line(fault), v.room()) {
			v.note("", th.Warning.Render(l))
		}
	}
	v.listLines()
}

func (v *form) modeLine(name lipgloss.Style, what string, rest lipgloss.Style, text string) string {
	width := min(max(17, ansi.StringWidth(what)+1), v.room())
	return cells(v.th, cell{text: what, width: width, style: name}, cell{text: text, width: v.room() - width, style: rest})
}

// room is the width of the values.
func (v *form) room() int { return v.width - valueAt - 1 }

// pick returns the theme of a value that arrow keys change.
func (v *form) pick(at spot) *theme.Theme {
	if v.at == at {
		return v.th.Selected()
	}
	return v.th
}

// others returns up to two further modes, as far as there is room to name them.
func (v *form) others() []debate.Mode {
	most := 2
	switch {
	case v.height < 20:
		return nil
	case v.height < 24:
		most = 1
	}
	var all []debate.Mode
	for i := 1; i < len(v.modes); i++ {
		all = append(all, v.modes[(v.mode+i)%len(v.modes)])
	}
	return all[:min(len(all), most)]
}

// Of a seat's columns, what they have at least, and the price's usual width.
const (
	boxWidth    = 6
	leastName   = 7
	mostName    = 16
	leastModel  = 15
	leastSource = 8
	mostSource  = 20
	priceWidth  = 15
)

func (v *form) limits() {
	th := v.th
	value := func(at spot, text string, width int) string {
		pick := v.pick(at)
		return cells(pick, cell{text: text, width: width, style: pick.Text})
	}
	usual := v.rounds
	if len(v.modes) > 0 {
		usual = v.modes[v.mode].Rounds
	}
	v.field(onRounds, "Rounds", value(onRounds, fmt.Sprint(v.rounds), 6)+th.Faint.Render(fmt.Sprintf("default %d; more rounds rarely change a vote", usual)))
	v.field(onEnds, "Ends", value(onEnds, endsWords(v.ends), v.room()))
	v.wrapped("Goes to", v.goesTo())
	budget := "none"
	if v.budget != "" {
		budget = "$" + v.budget
	}
	stops := "stops before it is passed"
	if n := v.offer.Budget.Tokens; n > 0 {
		stops = fmt.Sprintf("or %d tokens, as configured: stops before that is passed", n)
	}
	v.field(onBudget, "Budget", value(onBudget, budget, max(len(budget)+1, 10))+th.Faint.Render(stops))
	v.wrapped("Estimate", v.estimate())
}

// endsWords says when a debate ends.
func endsWords(e debate.EndConditions) string {
	level := fmt.Sprintf("at a consensus of %.2f", e.ConsensusThreshold())
	switch {
	case e.OnConsensus && e.Convergence:
		return "early " + level + ", or when no position moves"
	case e.OnConsensus:
		return "early " + level
	case e.Convergence:
		return "early when no position moves in a round"
	default:
		return "after the last round"
	}
}

func (v *form) estimate() string {
	chosen := v.panel()
	if len(chosen) == 0 || len(v.modes) == 0 {
		return "nobody has a seat yet"
	}
	s := debate.Session{}
	for _, c := range chosen {
		s.Seats = append(s.Seats, c.Profile)
	}
	s.Mode, _, _ = v.withLists() // a list that cannot be is told of when the debate is to start
	s.Rounds, s.Light, s.Chair, s.Budget = v.rounds, v.offer.Light, v.offer.Chair, v.offer.Budget
	return estimateOf(s).String()
}

// goesTo names who receives the text.
func (v *form) goesTo() string {
	var away, here []string
	for _, s := range v.panel() {
		to := s.Company
		if to == "" {
			to = s.Profile.Provider
		}
		switch {
		case s.Local || s.Profile.Provider == debate.DemoProvider:
			here = append(here, safetext.Line(s.Profile.Name))
		case !slices.Contains(away, safetext.Line(to)):
			away = append(away, safetext.Line(to))
		}
	}
	verb := " stay"
	if len(here) == 1 {
		verb = " stays"
	}
	switch {
	case len(away) == 0 && len(here) == 0:
		return "nobody"
	case len(away) == 0:
		return "nobody else: it stays on this machine"
	case len(here) == 0:
		return strings.Join(away, ", ")
	default:
		return strings.Join(away, ", ") + "; " + strings.Join(here, ", ") + verb + " on this machine"
	}
}

func (v *form) startLine() {
	th, mark := v.pick(onStart), " "
	if v.at == onStart {
		mark = th.Symbols.Focus
		v.top, v.bottom = len(v.lines), len(v.lines)
	}
	text := " Start debate"
	if v.OnlyDemo() {
		text = " Start the demo debate"
	}
	v.lines = append(v.lines, v.th.Accent.Render(" "+mark+" ")+th.Success.Render(th.Symbols.Ready)+th.Text.Render(text)+
		cells(th, cell{text: "ctrl+s", width: max(0, min(v.width-10-len(text), 70-len(text))), style: th.Faint, right: true}))
}

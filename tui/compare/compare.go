// Package compare is the screen that shows two debates side by side: what differs, whose
// side moved, and what the headline became.
//
// It draws what debate/report says of them and has hardly any words of its own. It imports
// debate besides, screen for what it is to the shell, and theme to draw. What it reads comes
// through Reader; it must not know other screens, stores or engines.
package compare

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/internal/text"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// Reader reads stored sessions.
type Reader interface {
	// Session returns a session without locking it.
	Session(ctx context.Context, id string) (debate.Session, error)
}

// Loaded is the message of two sessions that were read.
type Loaded struct {
	comparison report.Comparison
	err        error
}

// Screen shows one comparison. It keeps the context that its commands read in, since Bubble
// Tea hands none out.
type Screen struct {
	*screen.Page
	ctx    context.Context
	reader Reader
	shown  report.Comparison
}

var _ screen.Screen = (*Screen)(nil)

// New returns the screen.
func New(ctx context.Context, reader Reader, th *theme.Theme) *Screen {
	sc := &Screen{ctx: ctx, reader: reader}
	sc.Page = screen.NewPage(th, sc.draw)
	return sc
}

// Open returns a command that reads two sessions. A fork is shown to the
// right of its origin.
func (sc *Screen) Open(first, second string) tea.Cmd {
	ctx, reader := sc.ctx, sc.reader
	return func() tea.Msg {
		a, err := reader.Session(ctx, first)
		if err != nil {
			return Loaded{err: err}
		}
		b, err := reader.Session(ctx, second)
		if err != nil {
			return Loaded{err: err}
		}
		if a.ForkedFrom == b.ID {
			a, b = b, a
		}
		return Loaded{comparison: report.Compare(a, b)}
	}
}

// Show shows what was read. It reports whether it could be read.
func (sc *Screen) Show(msg Loaded) (shown bool, out screen.Outcome) {
	if msg.err != nil {
		return false, screen.Tell(screen.Warning, "Cannot compare: "+text.Sentence(msg.err.Error()))
	}
	sc.shown = msg.comparison
	sc.Begin()
	return true, screen.Outcome{screen.ClearNotice{}}
}

// Name returns "Comparison".
func (sc *Screen) Name() string { return "Comparison" }

// Title names the two debates.
func (sc *Screen) Title(screen.Frame) (left, right []theme.Part) {
	a, b := sc.shown.Debates[0], sc.shown.Debates[1]
	return []theme.Part{
		{Text: " Comparison", Style: sc.Theme.Accent},
		{Text: fmt.Sprintf("   %s and %s", a.ID, b.ID), Style: sc.Theme.Muted, Cut: 1},
	}, nil
}

func (sc *Screen) draw() []string {
	th, c := sc.Theme, sc.shown
	var names, heads, figures [2]string
	for i, d := range c.Debates {
		names[i] = d.ID + " " + th.Symbols.Sep + " " + d.Name
		heads[i] = d.Headline
		figures[i] = figuresOf(d.Votes, d.Agreement, d.Sure(), " "+th.Symbols.Sep+" ")
		if d.Headline == "" {
			heads[i], figures[i] = "No verdict yet.", "Rounds: "+d.Progress
		}
	}
	out := append([]string{""}, sc.pair(names, th.Muted)...)
	out = append(out, sc.pair(heads, th.Accent.Bold(true))...)
	out = append(out, sc.pair(figures, th.Muted)...)
	out = append(out, "")
	for _, said := range append([]string{c.Outcome, c.Relation}, c.Missing...) {
		out = append(out, sc.paragraph(said, th.Text)...)
	}
	out = append(out, "", sc.heading("What differs"))
	if len(c.Changed) == 0 {
		out = append(out, sc.paragraph("Nothing: topic, mode, panel, models and answers are the same.", th.Muted)...)
	}
	for _, d := range c.Changed {
		out = append(out, sc.paragraph(strings.TrimSpace(d.What+"  "+d.About), th.Muted)...)
		out = append(out, sc.pair(orDash(d.Values), th.Text)...)
	}
	out = append(out, "", sc.heading("Sides at the end"))
	out = append(out, sc.paragraph(c.Moved(), th.Text)...)
	for _, seat := range c.Seats {
		name, style := seat.Name, th.Text
		if seat.Moved {
			name, style = name+"  "+th.Symbols.Warning+" moved", th.Warning
		}
		out = append(out, sc.paragraph(name, th.Muted)...)
		out = append(out, sc.pair(orDash(seat.Standing), style)...)
	}
	return append(out, "")
}

// figuresOf returns the figures that are known in one line.
func figuresOf(votes, agreement, sure, sep string) string {
	parts := []string{"the chair's confidence " + sure}
	if agreement != "" {
		parts = append([]string{"agreement " + agreement}, parts...)
	}
	if votes != "" {
		parts = append([]string{votes}, parts...)
	}
	return strings.Join(parts, sep)
}

func orDash(values [2]string) [2]string {
	for i, v := range values {
		if v == "" {
			values[i] = "none"
		}
	}
	return values
}

func (sc *Screen) heading(said string) string { return " " + sc.Theme.Accent.Render(said) }

func (sc *Screen) paragraph(said string, style lipgloss.Style) []string {
	if said == "" {
		return nil
	}
	var out []string
	for _, l := range theme.Wrap(text.Line(said), max(sc.Width-2, 1)) {
		out = append(out, " "+style.Render(l))
	}
	return out
}

// pair draws what the two debates have: side by side where there is room, else one below the
// other with a mark for each.
func (sc *Screen) pair(values [2]string, style lipgloss.Style) []string {
	if sc.Width < screen.Wide {
		var out []string
		for i, v := range values {
			for n, l := range theme.Wrap(text.Line(v), max(sc.Width-6, 1)) {
				mark := "    "
				if n == 0 {
					mark = "  " + string(rune('A'+i)) + " "
				}
				out = append(out, sc.Theme.Faint.Render(mark)+style.Render(l))
			}
		}
		return out
	}
	width := (sc.Width - 5) / 2
	left, right := theme.Wrap(text.Line(values[0]), width), theme.Wrap(text.Line(values[1]), width)
	var out []string
	for i := range max(len(left), len(right)) {
		var l, r string
		if i < len(left) {
			l = style.Render(left[i])
		}
		if i < len(right) {
			r = style.Render(right[i])
		}
		out = append(out, "  "+sc.Theme.Fit(l, width)+sc.Theme.Line.Render(sc.Theme.Border.Vertical)+" "+r)
	}
	return out
}

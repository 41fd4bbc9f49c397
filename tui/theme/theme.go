// Package theme turns the palette into styles: colours, symbols and borders for
// a dark or light terminal of any colour depth, and the frame that all panes and
// dialogs share.
//
// Every colour of the program is here and nowhere else. Colour is never the only
// signal: what it says is also said by a symbol and a word, so that all of it
// may be missing.
//
// It imports lipgloss and the width measure of x/ansi. It has no logic, and must
// not know what a debate, an agent or a key is.
package theme

import (
	"image/color"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
)

// Seats is how many seats have a colour of their own.
const Seats = 8

// Options say what the terminal can show.
type Options struct {
	Dark    bool                 // its background is dark
	Profile colorprofile.Profile // how many colours it has; unknown is none
	ASCII   bool                 // only ASCII, or symbols would be two cells wide
}

// Theme holds the styles of one terminal. It does not change once made, and its
// styles are values: deriving one leaves the theme as it is.
//
// An inner style's reset ends the outer style: style segments one by one and
// put them side by side.
type Theme struct {
	Text    lipgloss.Style // statements
	Muted   lipgloss.Style // labels, hints
	Faint   lipgloss.Style // times, what is folded
	Line    lipgloss.Style // borders, rules; may be invisible
	Accent  lipgloss.Style // the row of the cursor, links
	Success lipgloss.Style // done, answered
	Warning lipgloss.Style // needs the user, retry
	Danger  lipgloss.Style // failed, refused

	Symbols Symbols
	Border  Border

	seats    [Seats]lipgloss.Style
	match    lipgloss.Style
	blank    lipgloss.Style // of cells that hold nothing
	plain    bool           // blank is no style at all
	colored  bool
	selected *Theme
}

// New makes the theme for a terminal.
func New(o Options) *Theme {
	p := light
	if o.Dark {
		p = dark
	}
	t := p.theme(o.Profile)
	t.Symbols, t.Border, t.plain = unicodeSymbols, roundedBorder, true
	if o.ASCII {
		t.Symbols, t.Border = asciiSymbols, asciiBorder
	}
	t.selected = t.withBackground(p.selectedBackground(o.Profile))
	return t
}

// Seat returns the style of a seat's number, name and focused border. Seats
// count from 1; from 9 on the colours come again, underlined.
func (t *Theme) Seat(n int) lipgloss.Style {
	n = max(n-1, 0)
	return t.seats[n%Seats].Underline(n >= Seats)
}

// Selected returns the theme of the row under the cursor: the same styles on the
// only fill there is. The row's blanks are to be styled as well.
func (t *Theme) Selected() *Theme { return t.selected }

// Match returns text that a search has found as it is shown: reversed where there
// is colour, else between marks, which makes it two cells wider.
func (t *Theme) Match(s string) string {
	if t.colored {
		return t.match.Render(s)
	}
	return t.Symbols.MatchOpen + s + t.Symbols.MatchClose
}

// fill returns t with all styles on a fill. A fill without a colour reverses:
// there tints would make a patchwork, so only weight is kept.
func (t *Theme) withBackground(bg color.Color) *Theme {
	s := *t
	s.plain = false
	on := func(st lipgloss.Style) lipgloss.Style { return st.Background(bg) }
	if bg == nil {
		on = func(st lipgloss.Style) lipgloss.Style {
			return lipgloss.NewStyle().Bold(st.GetBold()).Reverse(true)
		}
	}
	for _, st := range []*lipgloss.Style{&s.Text, &s.Muted, &s.Line, &s.Accent, &s.Success, &s.Warning, &s.Danger, &s.blank} {
		*st = on(*st)
	}
	s.Faint = s.Muted // too low in contrast on the fill
	for i := range s.seats {
		s.seats[i] = on(s.seats[i])
	}
	if bg == nil {
		s.match = s.Text.Reverse(false)
	}
	s.selected = &s
	return &s
}

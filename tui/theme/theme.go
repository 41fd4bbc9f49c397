// Package theme turns a palette into styles: colours, symbols and borders for dark and
// light terminals of any colour depth, and the boxes, rows and columns that all
// screens are drawn with.
//
// Every colour of the program is defined here. Colour is never the only signal: a
// symbol and a word say the same, so colour may be missing.
//
// It imports lipgloss and the width functions of x/ansi. It has no logic, and must not
// know what a debate, an agent or a key is.
package theme

import (
	"image/color"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
)

// Seats is the number of seats with a colour of their own.
const Seats = 8

// Options describe what the terminal can show.
type Options struct {
	Dark    bool                 // the background is dark
	Profile colorprofile.Profile // the colours it can show; unknown means none
	ASCII   bool                 // use ASCII only, for terminals whose symbols are missing or two cells wide

	HighContrast bool    // text of every kind has a contrast of at least 7
	Colors       *Colors // take the place of those of the theme; nil: none do
}

// Colors are colours by name, as #rrggbb. What is "" or missing stays as it is.
type Colors struct {
	Text, Muted, Faint, Line, Accent, Success, Warning, Danger string
	Selected                                                   string // background of the selected row
	Seats                                                      []string
}

// Theme holds the styles for one terminal. A theme never changes; its styles are
// values, so deriving a style leaves the theme as it is.
//
// The reset at the end of an inner style also ends the outer one: style segments one
// by one and put them side by side.
type Theme struct {
	Text    lipgloss.Style // statements; the terminal's own colour unless another is asked for
	Muted   lipgloss.Style // labels, hints
	Faint   lipgloss.Style // times, folded text
	Line    lipgloss.Style // borders and lines; may be invisible
	Accent  lipgloss.Style // the selected row, links
	Success lipgloss.Style // done, answered
	Warning lipgloss.Style // needs the user, retry
	Danger  lipgloss.Style // failed, refused

	Symbols Symbols
	Border  Border

	seats    [Seats]lipgloss.Style
	match    lipgloss.Style
	blank    lipgloss.Style // style of empty cells
	plain    bool           // blank has no style
	colored  bool
	selected *Theme
}

// New returns the theme for a terminal.
func New(o Options) *Theme {
	p := o.palette()
	t := p.theme(o.Profile)
	t.Symbols, t.Border, t.plain = unicodeSymbols, roundedBorder, true
	if o.ASCII {
		t.Symbols, t.Border = asciiSymbols, asciiBorder
	}
	t.selected = t.withBackground(p.selectedBackground(o.Profile))
	fg := p.text.color(lipgloss.Complete(o.Profile))
	if p.selectedBackground(o.Profile) != nil {
		t.selected.Text = t.selected.Text.Foreground(fg)
	}
	if o.HighContrast || o.Colors != nil && o.Colors.Text != "" {
		t.Text = t.Text.Foreground(fg)
	}
	return t
}

// Seat returns the style of a seat's number, name and focused border. Seats are
// numbered from 1; from 9 on the colours repeat, underlined.
func (t *Theme) Seat(n int) lipgloss.Style {
	n = max(n-1, 0)
	return t.seats[n%Seats].Underline(n >= Seats)
}

// Selected returns the theme of the selected row: the same styles on the only
// background colour in use. The blanks of the row have to be styled too.
func (t *Theme) Selected() *Theme { return t.selected }

// Match returns a search match as it is shown: reversed, or between marks if there is
// no colour, which makes it two cells wider.
func (t *Theme) Match(s string) string {
	if t.colored {
		return t.match.Render(s)
	}
	return t.Symbols.MatchOpen + s + t.Symbols.MatchClose
}

// withBackground returns t with all styles on a background. If bg is nil the styles
// are reversed and lose their colours, which would look like a patchwork.
func (t *Theme) withBackground(bg color.Color) *Theme {
	s := *t
	s.plain = false
	restyle := func(st lipgloss.Style) lipgloss.Style { return st.Background(bg) }
	if bg == nil {
		restyle = func(st lipgloss.Style) lipgloss.Style {
			return lipgloss.NewStyle().Bold(st.GetBold()).Reverse(true)
		}
	}
	for _, st := range []*lipgloss.Style{&s.Text, &s.Muted, &s.Line, &s.Accent, &s.Success, &s.Warning, &s.Danger, &s.blank} {
		*st = restyle(*st)
	}
	s.Faint = s.Muted // Faint has too little contrast on the background
	for i := range s.seats {
		s.seats[i] = restyle(s.seats[i])
	}
	if bg == nil {
		s.match = s.Text.Reverse(false)
	}
	s.selected = &s
	return &s
}

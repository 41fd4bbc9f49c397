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
	"strconv"

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
}

// Theme holds the styles for one terminal. A theme never changes; its styles are
// values, so deriving a style leaves the theme as it is.
//
// The reset at the end of an inner style also ends the outer one: style segments one
// by one and put them side by side.
type Theme struct {
	Text    lipgloss.Style // statements; the terminal's own colour
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
	if p.selectedBackground(o.Profile) != nil {
		t.selected.Text = t.selected.Text.Foreground(p.text.color(lipgloss.Complete(o.Profile)))
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

// ForRow returns the theme of a row of a list, and the mark before it.
func (t *Theme) ForRow(selected bool) (th *Theme, mark string) {
	if selected {
		return t.selected, t.Symbols.Focus
	}
	return t, " "
}

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

// paletteColor is one colour: in full, and as one of the terminal's own 16, chosen by
// hand since rounding would make seats alike.
type paletteColor struct {
	hex  string
	ansi int // -1 is the terminal's default
}

// palette is the set of colours for one kind of background. Ordinary text has the
// terminal's own colour, except on the selected row.
type palette struct {
	text, muted, faint, line, accent, success, warning, danger paletteColor

	selected string
	seats    [Seats]paletteColor
}

var dark = palette{
	text:     paletteColor{"#e6e6ef", -1},
	muted:    paletteColor{"#a3a8bd", -1},
	faint:    paletteColor{"#8a8fa6", -1},
	line:     paletteColor{"#4a4e63", 8},
	accent:   paletteColor{"#b8a6ff", 13},
	success:  paletteColor{"#8fd694", 10},
	warning:  paletteColor{"#f5c26b", 11},
	danger:   paletteColor{"#ff8d8d", 9},
	selected: "#34364a",
	seats: [Seats]paletteColor{
		{"#a1c0ff", 12},
		{"#ffb604", 11},
		{"#499871", 2},
		{"#ad75a3", 13},
		{"#e4efa6", 15},
		{"#8777fe", 5},
		{"#78f9f0", 14},
		{"#ed540b", 9},
	},
}

var light = palette{
	text:     paletteColor{"#1c1d29", -1},
	muted:    paletteColor{"#565b70", -1},
	faint:    paletteColor{"#6a6f83", -1},
	line:     paletteColor{"#c3c6d1", 8},
	accent:   paletteColor{"#5b3fd6", 5},
	success:  paletteColor{"#1d6b34", 2},
	warning:  paletteColor{"#8a5200", 3},
	danger:   paletteColor{"#b3202c", 1},
	selected: "#e4e5f0",
	seats: [Seats]paletteColor{
		{"#3263f9", 4},
		{"#946918", 3},
		{"#0c3d2b", 2},
		{"#640658", 5},
		{"#4d4600", 0},
		{"#480bc7", 12},
		{"#39726e", 6},
		{"#ae144e", 1},
	},
}

func (p palette) theme(profile colorprofile.Profile) *Theme {
	complete := lipgloss.Complete(profile)
	style := func(s paletteColor) lipgloss.Style {
		return lipgloss.NewStyle().Foreground(s.color(complete))
	}
	t := &Theme{
		Text:    lipgloss.NewStyle(),
		Muted:   style(p.muted),
		Faint:   style(p.faint).Faint(profile == colorprofile.ANSI),
		Line:    style(p.line),
		Accent:  style(p.accent),
		Success: style(p.success),
		Warning: style(p.warning),
		Danger:  style(p.danger),
		match:   lipgloss.NewStyle().Reverse(true),
		colored: profile >= colorprofile.ANSI,
	}
	for i, s := range p.seats {
		t.seats[i] = style(s).Bold(!t.colored)
	}
	t.Warning = t.Warning.Bold(!t.colored)
	return t
}

// selectedBackground returns the background of the selected row; nil if it is reversed instead.
func (p palette) selectedBackground(profile colorprofile.Profile) color.Color {
	if profile <= colorprofile.ANSI {
		return nil
	}
	return lipgloss.Color(p.selected)
}

func (s paletteColor) color(complete lipgloss.CompleteFunc) color.Color {
	var ansi color.Color = lipgloss.NoColor{}
	if s.ansi >= 0 {
		ansi = lipgloss.Color(strconv.Itoa(s.ansi))
	}
	hex := lipgloss.Color(s.hex)
	return complete(ansi, hex, hex)
}

// Symbols are the symbols of the interface. Each takes one cell in either set, so
// layouts do not depend on the set.
type Symbols struct {
	Busy        [4]string // the frames of the spinner
	Done        string    // done, answered
	Failed      string    // failed, refused
	Waits       string    // waiting for the user
	Retry       string
	Paused      string
	Interrupted string
	Queued      string
	Warning     string
	Required    string
	Optional    string
	Unavailable string
	Missing     string // absent
	Blocked     string // blocked, or stopped by the budget
	Ready       string
	Focus       string // the row, seat or panel in focus
	Changed     string
	Bullet      string
	Cut         string // marks omitted text
	Quote       string // stands before the lines of a quote
	MatchOpen   string
	MatchClose  string

	Sep                   string // separates items in a line
	Left, Right, Up, Down string // arrows
}

// Border is the set of characters that boxes and lines are drawn with.
type Border struct {
	TopLeft, TopRight, BottomLeft, BottomRight, Horizontal, Vertical string
}

var unicodeSymbols = Symbols{
	Busy: [4]string{"▖", "▘", "▝", "▗"},
	Done: "✓", Failed: "✗", Waits: "◷", Retry: "↻", Paused: "‖", Interrupted: "~", Queued: "·", Warning: "!",
	Required: "●", Optional: "○", Unavailable: "∅", Missing: "–", Blocked: "■", Ready: "◆",
	Focus: "▸", Changed: "Δ", Bullet: "•", Cut: "…",
	Quote: "▎", MatchOpen: "«", MatchClose: "»",
	Sep: "·", Left: "←", Right: "→", Up: "↑", Down: "↓",
}

var asciiSymbols = Symbols{
	Busy: [4]string{"|", "/", "-", `\`},
	Done: "+", Failed: "x", Waits: "?", Retry: "r", Paused: "p", Interrupted: "%", Queued: ".", Warning: "!",
	Required: "*", Optional: "o", Unavailable: "0", Missing: "-", Blocked: "#", Ready: "@",
	Focus: ">", Changed: "^", Bullet: "-", Cut: "~",
	Quote: ">", MatchOpen: "<", MatchClose: ">",
	Sep: "-", Left: "<", Right: ">", Up: "^", Down: "v",
}

var (
	roundedBorder = Border{TopLeft: "╭", TopRight: "╮", BottomLeft: "╰", BottomRight: "╯", Horizontal: "─", Vertical: "│"}
	asciiBorder   = Border{TopLeft: "+", TopRight: "+", BottomLeft: "+", BottomRight: "+", Horizontal: "-", Vertical: "|"}
)

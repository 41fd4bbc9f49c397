package theme

import (
	"cmp"
	"image/color"
	"strconv"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
)

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

var highContrastDark = palette{
	text:     paletteColor{"#ffffff", 15},
	muted:    paletteColor{"#e0e0e0", 15},
	faint:    paletteColor{"#c8c8c8", 7},
	line:     paletteColor{"#b0b0b0", 7},
	accent:   paletteColor{"#ffe14d", 11},
	success:  paletteColor{"#5dff7f", 10},
	warning:  paletteColor{"#ffc44d", 11},
	danger:   paletteColor{"#ff9d9d", 9},
	selected: "#2b2b2b",
	seats: [Seats]paletteColor{
		{"#9fc4ff", 12},
		{"#ffc233", 11},
		{"#6fd6a0", 2},
		{"#ff9df2", 13},
		{"#f2ffb0", 15},
		{"#c3b6ff", 5},
		{"#7dfff5", 14},
		{"#ff9b66", 9},
	},
}

var highContrastLight = palette{
	text:     paletteColor{"#000000", 0},
	muted:    paletteColor{"#2e2e2e", 0},
	faint:    paletteColor{"#424242", 8},
	line:     paletteColor{"#595959", 8},
	accent:   paletteColor{"#3a1fae", 5},
	success:  paletteColor{"#0b4f1f", 2},
	warning:  paletteColor{"#6b3d00", 3},
	danger:   paletteColor{"#8a0f1a", 1},
	selected: "#e6e6e6",
	seats: [Seats]paletteColor{
		{"#0f3fb5", 4},
		{"#6a4a00", 3},
		{"#0a4a30", 2},
		{"#640658", 5},
		{"#3d3800", 0},
		{"#480bc7", 12},
		{"#0d5450", 6},
		{"#8c0f3e", 1},
	},
}

// palette returns the colours of the options.
func (o Options) palette() palette {
	p := light
	switch {
	case o.HighContrast && o.Dark:
		p = highContrastDark
	case o.HighContrast:
		p = highContrastLight
	case o.Dark:
		p = dark
	}
	if o.Colors == nil {
		return p
	}
	c := o.Colors
	for _, one := range []struct {
		own string
		of  *paletteColor
	}{
		{c.Text, &p.text},
		{c.Muted, &p.muted},
		{c.Faint, &p.faint},
		{c.Line, &p.line},
		{c.Accent, &p.accent},
		{c.Success, &p.success},
		{c.Warning, &p.warning},
		{c.Danger, &p.danger},
	} {
		one.of.hex = cmp.Or(one.own, one.of.hex)
	}
	p.selected = cmp.Or(c.Selected, p.selected)
	for i := range min(len(c.Seats), Seats) {
		p.seats[i].hex = cmp.Or(c.Seats[i], p.seats[i].hex)
	}
	return p
}

// theme returns the styles for a colour depth. Without colours, names of seats and
// what needs the user are bold.
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

// selectedBackground returns the background of the selected row; nil if the row is
// reversed instead.
func (p palette) selectedBackground(profile colorprofile.Profile) color.Color {
	if profile <= colorprofile.ANSI {
		return nil
	}
	return lipgloss.Color(p.selected)
}

// color returns the colour for a colour depth.
func (s paletteColor) color(complete lipgloss.CompleteFunc) color.Color {
	var ansi color.Color = lipgloss.NoColor{}
	if s.ansi >= 0 {
		ansi = lipgloss.Color(strconv.Itoa(s.ansi))
	}
	hex := lipgloss.Color(s.hex)
	return complete(ansi, hex, hex)
}

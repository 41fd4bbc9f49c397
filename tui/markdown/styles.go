package markdown

import (
	"strings"

	"charm.land/lipgloss/v2"

	"roundtable/tui/theme"
)


// Styles say how the parts of a text look.
type Styles struct {
	Text    lipgloss.Style
	Heading lipgloss.Style
	Quote   lipgloss.Style
	Code    lipgloss.Style
	Link    lipgloss.Style // text that leads to an http(s) address
	Target  lipgloss.Style // the address, where it is shown beside the text
	Mark    lipgloss.Style // list markers, backticks and other signs
	Rule    lipgloss.Style // lines

	Bullet, Cut, Horizontal, Vertical string // one cell each
}

// NewStyles returns the styles of statements.
func NewStyles(t *theme.Theme) Styles {
	return Styles{
		Text:    t.Text,
		Heading: t.Text.Bold(true),
		Quote:   t.Muted,
		Code:    t.Text,
		Link:    t.Accent,
		Target:  t.Muted,
		Mark:    t.Muted,
		Rule:    t.Line,

		Bullet:     t.Symbols.Bullet,
		Cut:        t.Symbols.Cut,
		Horizontal: t.Border.Horizontal,
		Vertical:   t.Border.Vertical,
	}
}

// NewFaintStyles returns the styles of text that steps back, such as what is
// written before a tool is called.
func NewFaintStyles(t *theme.Theme) Styles {
	s := NewStyles(t)
	s.Text, s.Quote, s.Code, s.Link, s.Target, s.Mark = t.Faint, t.Faint, t.Faint, t.Faint, t.Faint, t.Faint
	s.Heading = t.Faint.Bold(true)
	return s
}

// style is a role and the flags that are set on it.
type style uint8

const (
	textRole style = iota * flags
	headingRole
	quoteRole
	codeRole
	linkRole
	targetRole
	markRole
	ruleRole

	roles = iota
)

const (
	strong style = 1 << iota
	emphasis
	strike

	flags = 1 << iota
)

// pen is what is written before and after text of one style.
type pen struct {
	ready      bool
	down, lift string
}

// pen returns the pen of a style. Rendering through lipgloss each time would cost
// more, and would part characters from their marks where it underlines.
func (r *Renderer) pen(s style) pen {
	if p := r.pens[s]; p.ready {
		return p
	}
	st := r.role(s)
	if s&strong != 0 {
		st = st.Bold(true)
	}
	if s&emphasis != 0 {
		st = st.Italic(true)
	}
	if s&strike != 0 {
		st = st.Strikethrough(true)
	}
	p := pen{ready: true}
	p.down, p.lift, _ = strings.Cut(st.Render("x"), "x")
	r.pens[s] = p
	return p
}

func (r *Renderer) role(s style) lipgloss.Style {
	switch s &^ (flags - 1) {
	case headingRole:
		return r.styles.Heading
	case quoteRole:
		return r.styles.Quote
	case codeRole:
		return r.styles.Code
	case linkRole:
		return r.styles.Link
	case targetRole:
		return r.styles.Target
	case markRole:
		return r.styles.Mark
	case ruleRole:
		return r.styles.Rule
	default:
		return r.styles.Text
	}
}

// paint returns s in a style.
func (r *Renderer) paint(s string, st style) string {
	if s == "" {
		return ""
	}
	p := r.pen(st)
	return p.down + s + p.lift
}

package markdown

import (
	"strings"

	"charm.land/lipgloss/v2"

	"roundtable/tui/theme"
)

// Styles are the styles and symbols that a text is drawn with.
type Styles struct {
	Text    lipgloss.Style
	Heading lipgloss.Style
	Quote   lipgloss.Style
	Code    lipgloss.Style
	Keyword lipgloss.Style // in code, like the next two
	String  lipgloss.Style
	Comment lipgloss.Style
	Link    lipgloss.Style // text of a link to an http or https address
	Target  lipgloss.Style // an address shown after the text of its link
	Mark    lipgloss.Style // list markers, backticks and other marks
	Rule    lipgloss.Style // horizontal and vertical lines

	Bullet, Cut, Horizontal, Bar string // one cell each; a bar stands before quotes
}

// NewStyles returns the styles for statements.
func NewStyles(t *theme.Theme) Styles {
	return Styles{
		Text:    t.Text,
		Heading: t.Text.Bold(true),
		Quote:   t.Muted,
		Code:    t.Text,
		Keyword: t.Accent,
		String:  t.Success,
		Comment: t.Faint,
		Link:    t.Accent,
		Target:  t.Muted,
		Mark:    t.Muted,
		Rule:    t.Line,

		Bullet:     t.Symbols.Bullet,
		Cut:        t.Symbols.Cut,
		Horizontal: t.Border.Horizontal,
		Bar:        t.Symbols.Quote,
	}
}

// NewFaintStyles returns the styles for less important text, such as that before a
// tool call.
func NewFaintStyles(t *theme.Theme) Styles {
	s := NewStyles(t)
	s.Text, s.Quote, s.Code, s.Link, s.Target, s.Mark = t.Faint, t.Faint, t.Faint, t.Faint, t.Faint, t.Faint
	s.Keyword, s.String, s.Comment = t.Faint, t.Faint, t.Faint
	s.Heading = t.Faint.Bold(true)
	return s
}

// style is a role combined with flags.
type style uint8

const (
	textRole style = iota * flags
	headingRole
	quoteRole
	codeRole
	keywordRole
	stringRole
	commentRole
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

// ansiPair is the escape sequences before and after text in a style.
type ansiPair struct {
	ready          bool
	prefix, suffix string
}

// ansiPair returns the escape sequences of a style. They are cached, since rendering
// with lipgloss each time costs more and, where it underlines, separates characters
// from their combining marks.
func (r *Renderer) ansiPair(s style) ansiPair {
	if p := r.ansiPairs[s]; p.ready {
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
	p := ansiPair{ready: true}
	p.prefix, p.suffix, _ = strings.Cut(st.Render("x"), "x")
	r.ansiPairs[s] = p
	return p
}

// role returns the style of a role.
func (r *Renderer) role(s style) lipgloss.Style {
	switch s &^ (flags - 1) {
	case headingRole:
		return r.styles.Heading
	case quoteRole:
		return r.styles.Quote
	case codeRole:
		return r.styles.Code
	case keywordRole:
		return r.styles.Keyword
	case stringRole:
		return r.styles.String
	case commentRole:
		return r.styles.Comment
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

// render returns s in a style.
func (r *Renderer) render(s string, st style) string {
	if s == "" {
		return ""
	}
	p := r.ansiPair(st)
	return p.prefix + s + p.suffix
}

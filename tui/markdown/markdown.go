// Package markdown turns Markdown into styled lines of a given width, both for
// complete text and for text that still grows.
//
// goldmark parses, with the tables, strikethrough, task lists and autolinks of GitHub;
// this package lays out. A [Doc] takes text as it arrives: completed blocks are parsed
// and laid out once, only the last block again.
//
// Nothing is hidden from the reader. A link shows its address unless its text does, an
// image its address; HTML and link reference definitions are shown as they are
// written, and reference links are not resolved, so that later text cannot change what
// earlier text says. Lines contain no control characters except the sequences of the
// styles, and no line is wider than asked.
//
// It imports theme, goldmark and the width functions of x/ansi. It must not know who
// wrote the text or where it is shown, and expects text that was made safe to show.
package markdown

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"roundtable/tui/theme"
)

// proseWidth is the largest width of prose; code and tables may be wider.
const proseWidth = 86

// Unwrapped is the width at which no line is wrapped, and tables are a line for each cell.
const Unwrapped = 1 << 30

// minWidth is the smallest width that text is laid out for.
const minWidth = 8

// Renderer lays out Markdown in one set of styles. It can be used for any number of
// texts, but not concurrently.
type Renderer struct {
	styles    Styles
	parser    parser.Parser
	blocks    parser.Parser // finds blocks only, which is much cheaper
	ansiPairs [roles * flags]ansiPair
}

// New returns a renderer for the given styles.
func New(styles Styles) *Renderer {
	inline := append(parser.DefaultInlineParsers(),
		util.Prioritized(extension.NewTaskCheckBoxParser(), 0),
		util.Prioritized(extension.NewStrikethroughParser(), 500),
		util.Prioritized(extension.NewLinkifyParser(), 999),
	)
	tables := util.Prioritized(extension.NewTableParagraphTransformer(), 200)
	return &Renderer{
		styles: styles,
		parser: parser.NewParser(
			parser.WithBlockParsers(parser.DefaultBlockParsers()...),
			parser.WithInlineParsers(inline...),
			parser.WithParagraphTransformers(tables),
			parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)),
		),
		blocks: parser.NewParser(
			parser.WithBlockParsers(parser.DefaultBlockParsers()...),
			parser.WithParagraphTransformers(tables),
		),
	}
}

// Render returns the lines of a whole text, each at most width cells wide; a width
// below 8 counts as 8. A [Doc] of the same text has the same lines.
func (r *Renderer) Render(src string, width int) []string {
	d := r.NewDoc(width)
	d.Append(src)
	return d.Lines(0, d.Height())
}

// parse parses a block with its inline content.
func (r *Renderer) parse(src []byte) ast.Node {
	return r.parser.Parse(text.NewReader(src))
}

// Styles are the styles and symbols that a text is drawn with.
type Styles struct {
	of map[style]lipgloss.Style // by role

	bullet, cut, horizontal, bar string // one cell each; a bar stands before quotes
}

// NewStyles returns the styles for statements.
func NewStyles(t *theme.Theme) Styles {
	return Styles{
		of: map[style]lipgloss.Style{
			textRole: t.Text, headingRole: t.Text.Bold(true), quoteRole: t.Muted,
			codeRole: t.Text, keywordRole: t.Accent, stringRole: t.Success, commentRole: t.Faint,
			linkRole: t.Accent, targetRole: t.Muted, markRole: t.Muted, ruleRole: t.Line,
		},
		bullet: t.Symbols.Bullet, cut: t.Symbols.Cut, horizontal: t.Border.Horizontal, bar: t.Symbols.Quote,
	}
}

// NewFaintStyles returns the styles for less important text, such as that before a
// tool call.
func NewFaintStyles(t *theme.Theme) Styles {
	s := NewStyles(t)
	for role := range s.of {
		s.of[role] = t.Faint
	}
	s.of[headingRole], s.of[ruleRole] = t.Faint.Bold(true), t.Line
	return s
}

// style is a role combined with flags.
type style uint8

const (
	textRole style = iota * flags
	headingRole
	quoteRole
	codeRole
	keywordRole // in code, like the next two
	stringRole
	commentRole
	linkRole   // text of a link to an http or https address
	targetRole // an address shown after the text of its link
	markRole   // list markers, backticks and other marks
	ruleRole   // horizontal and vertical lines

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
	st := r.styles.of[s&^(flags-1)]
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

func (r *Renderer) render(s string, st style) string {
	if s == "" {
		return ""
	}
	p := r.ansiPair(st)
	return p.prefix + s + p.suffix
}

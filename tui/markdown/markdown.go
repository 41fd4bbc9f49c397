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
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
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

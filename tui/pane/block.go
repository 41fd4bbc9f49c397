package pane

import (
	"slices"
	"strings"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/internal/text"
	"roundtable/tui/markdown"
	"roundtable/tui/theme"
)

// frame is one drawing of a pane: its width and the time, on which blocks depend.
type frame struct {
	*Pane
	width int // width of the text
	now   time.Time
	spin  int
}

// wide reports whether details fit into the row they belong to.
func (f frame) wide() bool { return f.width >= 70 }

// small reports whether there is room for the essentials only.
func (f frame) small() bool { return f.width < 40 }

// row draws parts in one line and cuts what does not fit.
func (f frame) row(left, right []theme.Part) string {
	if len(right) == 0 { // no trailing blank is needed
		return ansi.Truncate(f.th.Row(left, nil, f.width+1), f.width, "")
	}
	return f.th.Row(left, right, f.width)
}

// drawing is the lines of a block: those that were rendered, and below them a text whose lines
// are rendered when they are asked for.
type drawing struct {
	head []string
	doc  *markdown.Doc // nil: no document follows
}

func (d *drawing) height() int {
	if d.doc == nil {
		return len(d.head)
	}
	return len(d.head) + d.doc.Height()
}

func (d *drawing) lines(from, to int) []string {
	n := len(d.head)
	lines := slices.Clone(d.head[min(from, n):min(to, n)])
	if d.doc == nil {
		return lines
	}
	return append(lines, d.doc.Lines(max(from-n, 0), max(to-n, 0))...)
}

// block is a block of the transcript as it was last drawn. Its lines are drawn when they are
// first visible at a width, and cached.
type block struct {
	*control.Block
	doc    *markdown.Doc // of its text
	docLen int           // how many bytes of the text doc has

	drawn        *drawing // nil: not drawn yet, or not any more
	width        int
	version      int
	timeKeyDrawn int64
}

// lines draws the block, unless what was drawn is still right.
func (f frame) lines(b *block) *drawing {
	at, version := f.timeKey(b), f.seat.VersionOf(b.Block)
	if b.drawn == nil || b.width != f.width || b.version != version || b.timeKeyDrawn != at {
		b.drawn = &drawing{}
		b.drawn.head, b.drawn.doc = f.draw(b)
		b.width, b.version, b.timeKeyDrawn = f.width, version, at
	}
	return b.drawn
}

// draw draws a block in lines of at most the frame's width.
func (f frame) draw(b *block) (head []string, doc *markdown.Doc) {
	switch b.Kind {
	case control.BlockHeading:
		return f.headingLines(b), nil
	case control.BlockDivider:
		return f.dividerLines(b), nil
	case control.BlockReasoning:
		return f.reasoningLines(b)
	case control.BlockTool:
		return f.toolLines(b), nil
	case control.BlockPosition:
		return f.labelled("Position  ", safeLine(b.Words.String()), ""), nil
	case control.BlockText:
		return f.textLines(b)
	case control.BlockSide:
		return f.sideLines(b), nil
	case control.BlockEnding:
	}
	return f.endingLines(b), nil
}

// timeKey returns a value that changes when time alone has changed the lines of a block, such
// as that of a running clock.
func (f frame) timeKey(b *block) int64 {
	switch b.Kind {
	case control.BlockTool:
		return f.toolTime(b)
	case control.BlockEnding:
		return f.endingTime(b)
	case control.BlockHeading, control.BlockDivider, control.BlockReasoning, control.BlockPosition, control.BlockText, control.BlockSide:
	}
	return 0
}

// styleLines styles lines one by one, in place.
func styleLines(lines []string, style lipgloss.Style) []string {
	for i, line := range lines {
		lines[i] = style.Render(line)
	}
	return lines
}

// labelled wraps text behind a muted name.
func (f frame) labelled(name, text string, indent string) []string {
	lines := wrapIndented(name+text, f.width, indent, indent)
	if len(lines) == 0 || !strings.HasPrefix(lines[0], indent+name) {
		return styleLines(lines, f.th.Text)
	}
	head := indent + name
	tail := strings.TrimPrefix(lines[0], head)
	styleLines(lines[1:], f.th.Text)
	lines[0] = f.th.Muted.Render(head) + f.th.Text.Render(tail)
	return lines
}

// symbolLines wraps text behind a symbol, in the style of the symbol.
func (f frame) symbolLines(symbol, words string, style lipgloss.Style) []string {
	return styleLines(wrapIndented(words, f.width, symbol+" ", "  "), style)
}

// textLines draws the text of one completion, below a note.
func (f frame) textLines(b *block) (note []string, doc *markdown.Doc) {
	if b.Words.Blank() {
		return nil, nil
	}
	style := f.faint
	if b.Tone == control.ToneStatement {
		style = f.prose
	}
	if b.doc == nil {
		b.doc = style.NewDoc(f.width)
		b.doc.SetBudget(&f.budget)
	}
	b.doc.SetRenderer(style)
	b.doc.SetWidth(f.width)
	b.doc.Append(b.Words.String()[b.docLen:])
	b.docLen = len(b.Words.String())
	b.doc.Preview(b.Words.Tail())
	if b.Note != "" {
		note = append(styleLines(wrapIndented(b.Note, f.width, "", ""), f.th.Muted), "")
	}
	return note, b.doc
}

// wrapIndented wraps text with a hanging indent: the first line begins with first, the
// others with rest. Both count towards the width.
func wrapIndented(text string, width int, first, rest string) []string {
	room := width - max(ansi.StringWidth(first), ansi.StringWidth(rest))
	lines := theme.Wrap(strings.TrimRight(text, "\n "), max(room, 1))
	for i := range lines {
		lead := rest
		if i == 0 {
			lead = first
		}
		lines[i] = lead + lines[i]
	}
	return lines
}

// reasoningLines draws the model's reasoning as one line, until details are asked for.
func (f frame) reasoningLines(b *block) (head []string, doc *markdown.Doc) {
	count := b.Attempt.Usage.Reasoning // as the server counts it
	if count == 0 || b.Attempt.Usage.Estimated || len(b.Attempt.Passages) != 1 {
		count = b.Words.Tokens()
	}
	line := f.th.Faint.Render(ansi.Truncate("+ reasoning "+text.Tokens(count), f.width, f.th.Symbols.Cut))
	if f.details {
		head, doc = f.textLines(b)
	}
	return append([]string{line}, head...), doc
}

// formatCost returns what a turn cost: "" if that is unknown, which the bottom line of the
// debate says once for all seats, and "demo" or
// "local" if the model has no price, and "included" in a subscription.
func formatCost(profile agents.Profile, cost *float64) string {
	switch {
	case profile.Provider == debate.DemoProvider:
		return "demo"
	case profile.Included:
		return "included"
	case isFree(profile):
		return "local"
	case cost == nil:
		return ""
	}
	return text.Money(*cost)
}

// isFree reports whether the agent's tokens are known to cost nothing.
func isFree(profile agents.Profile) bool {
	return profile.Included || profile.Priced() && *profile.PriceIn == 0 && *profile.PriceOut == 0
}

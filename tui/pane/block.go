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

// owner returns the seat's name, the lead of a tool call.
func (f frame) owner() []theme.Part {
	return []theme.Part{{Text: f.name(), Style: f.th.Seat(f.number)}, {Text: " " + f.th.Symbols.Sep + " ", Style: f.th.Faint}}
}

// row draws parts in one line and cuts what does not fit.
func (f frame) row(left, right []theme.Part) string {
	if len(right) == 0 { // no trailing blank is needed
		return ansi.Truncate(f.th.Row(left, nil, f.width+1), f.width, "")
	}
	return f.th.Row(left, right, f.width)
}

// lazyLines renders only the requested range of lines.
type lazyLines interface {
	Height() int
	Lines(from, to int) []string
}

// eagerLines are lines that have been rendered as a whole.
type eagerLines []string

// Height returns the number of lines.
func (r eagerLines) Height() int { return len(r) }

// Lines returns the lines of a range.
func (r eagerLines) Lines(from, to int) []string { return r[from:to] }

// block is a block of the transcript as it was last drawn. Its lines are drawn when they are
// first visible at a width, and cached.
type block struct {
	*control.Block
	doc    *markdown.Doc // of its text
	docLen int           // how many bytes of the text doc has

	drawn        lazyLines // nil: not drawn yet, or not any more
	width        int
	version      int
	timeKeyDrawn int64
}

// lines draws the block, unless what was drawn is still right.
func (f frame) lines(b *block) lazyLines {
	at, version := f.timeKey(b), f.seat.VersionOf(b.Block)
	if b.drawn == nil || b.width != f.width || b.version != version || b.timeKeyDrawn != at {
		b.drawn, b.width, b.version, b.timeKeyDrawn = f.draw(b), f.width, version, at
	}
	return b.drawn
}

// draw draws a block in lines of at most the frame's width.
func (f frame) draw(b *block) lazyLines {
	switch b.Kind {
	case control.BlockHeading:
		return f.headingLines(b)
	case control.BlockDivider:
		return f.dividerLines(b)
	case control.BlockReasoning:
		return f.reasoningLines(b)
	case control.BlockTool:
		return eagerLines(f.toolLines(b))
	case control.BlockPosition:
		return eagerLines(f.labelled("Position  ", safeLine(b.Words.String()), ""))
	case control.BlockText:
		return f.textLines(b)
	case control.BlockSide:
		return eagerLines(f.sideLines(b))
	case control.BlockEnding:
	}
	return eagerLines(f.endingLines(b))
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

// textLines draws the text of one completion.
func (f frame) textLines(b *block) lazyLines {
	if b.Words.Blank() {
		return eagerLines{}
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
	if b.Note == "" {
		return b.doc
	}
	return headedLines{append(styleLines(wrapIndented(b.Note, f.width, "", ""), f.th.Muted), ""), b.doc}
}

// headedLines are lines below a heading.
type headedLines struct {
	heading []string
	lazyLines
}

// Height returns the number of lines with the heading.
func (h headedLines) Height() int { return len(h.heading) + h.lazyLines.Height() }

// Lines returns the lines of a range; the heading comes first.
func (h headedLines) Lines(from, to int) []string {
	n := len(h.heading)
	lines := slices.Clone(h.heading[min(from, n):min(to, n)])
	return append(lines, h.lazyLines.Lines(max(from-n, 0), max(to-n, 0))...)
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
func (f frame) reasoningLines(b *block) lazyLines {
	count := b.Attempt.Usage.Reasoning // as the server counts it
	if count == 0 || b.Attempt.Usage.Estimated || len(b.Attempt.Passages) != 1 {
		count = b.Words.Tokens()
	}
	head := f.th.Faint.Render(ansi.Truncate("+ reasoning "+text.Tokens(count), f.width, f.th.Symbols.Cut))
	if !f.details {
		return eagerLines{head}
	}
	return headedLines{[]string{head}, f.textLines(b)}
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

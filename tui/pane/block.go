package pane

import (
	"strings"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/agents"
	"roundtable/tui/theme"
)

// blockKind is what a block shows; it decides which neighbours a blank row separates.
type blockKind uint8

const (
	kindHeader blockKind = iota
	kindDivider
	kindReasoning
	kindTool
	kindPosition
	kindText
	kindSideChange
	kindFooter
	kindQuestion
)

// blockID identifies a block within the transcript. It stays the same when the blocks
// are rebuilt, so that a scroll position can be found again.
type blockID struct {
	kind    blockKind
	turn    agents.Turn
	passage int
	call    string // of a tool call
}

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

// owner returns the seat's name and an arrow, to stand before a tool call.
func (f frame) owner() []theme.Part {
	return []theme.Part{{Text: f.name, Style: f.th.Seat(f.seat)}, {Text: " " + f.th.Symbols.Focus + " ", Style: f.th.Faint}}
}

// row draws parts in one line and cuts what does not fit.
func (f frame) row(left, right []theme.Part) string {
	if len(right) == 0 { // no trailing blank is needed
		return ansi.Truncate(f.th.Row(left, nil, f.width+1), f.width, "")
	}
	return f.th.Row(left, right, f.width)
}

// content is what a block shows.
type content interface {
	// draw returns the lines, each of at most the frame's width.
	draw(f frame) lazyLines
	// timeKey returns a value that changes when time alone has changed the lines, such
	// as that of a running clock.
	timeKey(f frame) int64
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

// block is a piece of the transcript. Its lines are drawn when they are first visible
// at a width, and cached.
type block struct {
	blockID
	content
	drawn        lazyLines
	width        int
	timeKeyDrawn int64
	valid        bool // the cached lines are up to date
}

// draw returns the block's lines.
func (b *block) draw(f frame) lazyLines {
	at := b.timeKey(f)
	if !b.valid || b.width != f.width || b.timeKeyDrawn != at {
		b.drawn, b.width, b.timeKeyDrawn, b.valid = b.content.draw(f), f.width, at, true
	}
	return b.drawn
}

// static is embedded in contents that time does not change.
type static struct{}

func (static) timeKey(frame) int64 { return 0 }

// separated reports whether a blank row stands between two neighbouring blocks.
func separated(above, below blockKind) bool {
	row := func(k blockKind) bool { return k == kindTool || k == kindReasoning }
	return below == kindHeader || above != kindHeader && above != kindDivider && !(row(above) && row(below))
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

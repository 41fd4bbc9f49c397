package pane

import (
	"strings"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/agents"
	"roundtable/tui/theme"
)


// kind sorts the blocks of a transcript; it decides what stands a blank row apart.
type kind uint8

const (
	aRule kind = iota
	aSeam
	aThought
	aTool
	aPosition
	aText
	aChange
	anEnd
)

// name identifies a block within the transcript, so that a place in it outlives
// a rebuilding.
type name struct {
	kind    kind
	turn    agents.Turn
	passage int
	call    string // of a tool
}

// frame is what drawing depends on besides the block itself.
type frame struct {
	*Pane
	width int // of the text
	now   time.Time
	spin  int
}

// wide reports whether there is room for details in the row they belong to.
func (f frame) wide() bool { return f.width >= 70 }

// small reports whether there is room for the least only.
func (f frame) small() bool { return f.width < 40 }

// owner returns the seat's name as the owner of what follows.
func (f frame) owner() []theme.Part {
	return []theme.Part{{Text: f.name, Style: f.th.Seat(f.seat)}, {Text: " " + f.th.Symbols.Focus + " ", Style: f.th.Faint}}
}

// row draws parts in one line, cut where there is no room.
func (f frame) row(left, right []theme.Part) string {
	if len(right) == 0 { // no blank is needed at the end
		return ansi.Truncate(f.th.Row(left, nil, f.width+1), f.width, "")
	}
	return f.th.Row(left, right, f.width)
}

// content is what a block shows.
type content interface {
	// draw returns its lines, each of at most the frame's width.
	draw(f frame) sheet
	// stamp is another one when only the passing of time has changed the drawing.
	stamp(f frame) int64
}

// sheet is lines of which only those that are visible are asked for.
type sheet interface {
	Height() int
	Lines(from, to int) []string
}

// rows is a sheet that is there as a whole.
type rows []string

func (r rows) Height() int                 { return len(r) }
func (r rows) Lines(from, to int) []string { return r[from:to] }

// block is a piece of the transcript, drawn when it is first seen at a width.
type block struct {
	name
	content
	drawn sheet
	width int
	at    int64
	fresh bool // drawn is what content would draw
}

// draw returns the block's lines.
func (b *block) draw(f frame) sheet {
	at := b.stamp(f)
	if !b.fresh || b.width != f.width || b.at != at {
		b.drawn, b.width, b.at, b.fresh = b.content.draw(f), f.width, at, true
	}
	return b.drawn
}

// constant is embedded in contents that time does not change.
type constant struct{}

func (constant) stamp(frame) int64 { return 0 }

// apart reports whether a blank row stands between two neighbours.
func apart(above, below kind) bool {
	row := func(k kind) bool { return k == aTool || k == aThought }
	return below == aRule || above != aRule && above != aSeam && !(row(above) && row(below))
}

// paint styles lines one by one.
func paint(lines []string, style lipgloss.Style) []string {
	for i, line := range lines {
		lines[i] = style.Render(line)
	}
	return lines
}

// label draws text of which the first cells are a label.
func label(f frame, word, text string, indent string) []string {
	lines := hang(word+text, f.width, indent, indent)
	if len(lines) == 0 || !strings.HasPrefix(lines[0], indent+word) {
		return paint(lines, f.th.Text)
	}
	head := indent + word
	tail := strings.TrimPrefix(lines[0], head)
	paint(lines[1:], f.th.Text)
	lines[0] = f.th.Muted.Render(head) + f.th.Text.Render(tail)
	return lines
}

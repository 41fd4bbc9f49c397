package pane

import (
	"slices"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"roundtable/debate/control"
)

// scroll is the scroll position and the list of blocks that it refers to.
type scroll struct {
	blocks                    []*block
	seen                      int  // the version of the seat that blocks is of
	follow                    bool // keep the end visible as it grows
	pinned                    bool // keep the top line, even if rows below the end stay empty
	top                       anchor
	above                     bool // lines are hidden above
	below                     int  // number of lines hidden below
	firstVisible, lastVisible int  // indices of the visible blocks
}

// anchor is a line of the transcript. After a rebuild it is found by the id of its
// block, after a change of width by the number of characters before it.
type anchor struct {
	control.BlockID
	line        int // within the block, counting a blank row before it
	byChars     bool
	charsKept   bool // charsBefore still belongs to the line that the user scrolled to
	charsBefore int
}

// Scroll moves by lines, down if positive. At the end the pane follows new text again.
func (p *Pane) Scroll(lines int) {
	if lines == 0 || p.h <= 2 {
		return
	}
	f := p.lastFrame()
	at, line := f.topPosition()
	if f.follow { // without the blank rows below the end
		at, line = f.bottomPosition(f.h - 2)
	}
	at, line = f.step(at, line, lines)
	f.scrollTo(at, line)
}

// step returns the position a number of lines further down, or up if negative.
func (f frame) step(at, line, lines int) (int, int) {
	line += lines
	for line < 0 && at > 0 {
		at--
		line += f.blockHeight(at)
	}
	for at < len(f.blocks)-1 && line >= f.blockHeight(at) {
		line -= f.blockHeight(at)
		at++
	}
	return at, max(line, 0)
}

// HalfPage moves by half a page, down if direction is 1 and up if it is -1.
func (p *Pane) HalfPage(direction int) { p.Scroll(direction * max(1, (p.h-2)/2)) }

// Top goes to the beginning.
func (p *Pane) Top() { p.lastFrame().scrollTo(0, 0) }

// Bottom goes to the end and follows new text.
func (p *Pane) Bottom() {
	p.follow, p.pinned = true, false
	p.invalidate()
}

// PrevRound returns the round to go back to: the current one if its header is scrolled
// off, else the one before.
func (p *Pane) PrevRound() int {
	f := p.lastFrame()
	at, line := f.topPosition()
	if at >= len(p.blocks) {
		return 1
	}
	round := p.blocks[at].Turn.Round
	if first := p.roundStart(round); first == at && line <= f.gapBefore(at) {
		round--
	}
	return max(round, 1)
}

// NextRound returns the round after the one in the top line.
func (p *Pane) NextRound() int {
	at, _ := p.lastFrame().topPosition()
	if at >= len(p.blocks) {
		return 1
	}
	return p.blocks[at].Turn.Round + 1
}

// ShowRound scrolls so that the seat's part in a round begins in the top line. If that
// part is still growing or yet to come, the pane follows the end instead.
func (p *Pane) ShowRound(round int) {
	f := p.lastFrame()
	i := p.roundStart(round)
	if i < 0 {
		p.Bottom()
		return
	}
	f.scrollTo(i, f.gapBefore(i))
	if live, runs := p.seat.LiveTurn(); !runs || p.blocks[i].Turn.Round < live.Round {
		p.follow, p.pinned = false, true
	}
}

// roundStart returns the index of the first block of a round, or of the next one if
// the seat has no turn in it; -1 if there is none.
func (p *Pane) roundStart(round int) int {
	return slices.IndexFunc(p.blocks, func(b *block) bool { return b.Kind == control.BlockHeading && b.Turn.Round >= round })
}

// Following reports whether the pane keeps its end visible as it grows.
func (p *Pane) Following() bool { return p.follow }

func (p *Pane) lastFrame() frame {
	p.listBlocks()
	return frame{Pane: p, width: max(p.w-4, 0), now: p.lastDrawn}
}

// scrollTo makes a line the top one, or follows the end if that is visible then.
func (f frame) scrollTo(at, line int) {
	f.invalidate()
	f.pinned = false
	if len(f.blocks) == 0 {
		return
	}
	lastAt, lastLine := f.bottomPosition(f.h - 2)
	f.follow = at > lastAt || at == lastAt && line >= lastLine
	f.top = anchor{BlockID: f.blocks[at].BlockID, line: line}
}

// topPosition returns the block of the top line and the line within it.
func (f frame) topPosition() (at, line int) {
	if f.follow {
		return f.followPosition()
	}
	at = slices.IndexFunc(f.blocks, func(b *block) bool { return b.BlockID == f.top.BlockID })
	if at < 0 {
		return f.bottomPosition(f.h - 2)
	}
	if f.top.byChars {
		lines := allLines(f.lines(f.blocks[at]))
		f.top.line = f.gapBefore(at) + lineAt(lines, f.top.charsBefore)
		f.top.byChars, f.top.charsKept = f.budget.Short(), true // the line may not be laid out yet
	}
	return at, min(f.top.line, max(f.blockHeight(at)-1, 0))
}

// anchorTop remembers the top line by the characters before it, since the width is
// about to change.
func (p *Pane) anchorTop() {
	if p.follow || p.top.byChars || p.w <= 4 {
		return
	}
	if p.top.charsKept { // a wider line begins further up: counting again would let the position creep
		p.top.byChars = true
		return
	}
	f := p.lastFrame()
	at, line := f.topPosition()
	if p.follow || at >= len(p.blocks) {
		return
	}
	lines := f.lines(p.blocks[at])
	n := min(max(line-f.gapBefore(at), 0), lines.height())
	p.top.byChars, p.top.charsBefore = true, 0
	for _, l := range lines.lines(0, n) {
		p.top.charsBefore += countLetters(l)
	}
}

// lineAt returns the index of the line that holds the n-th character.
func lineAt(lines []string, n int) int {
	for i, l := range lines {
		if n -= countLetters(l); n < 0 {
			return i
		}
	}
	return max(len(lines)-1, 0)
}

func allLines(d *drawing) []string { return d.lines(0, d.height()) }

// countLetters counts the characters that wrapping neither adds nor removes.
func countLetters(line string) int {
	n := 0
	for _, r := range ansi.Strip(line) {
		if !unicode.IsSpace(r) {
			n++
		}
	}
	return n
}

// followPosition returns the position of a pane that shows the end. While the end grows,
// it moves by several lines at once and leaves blank rows for the next ones: a moving
// text cannot be read, and every move draws all rows of the pane.
func (f frame) followPosition() (at, line int) {
	at, line = f.bottomPosition(f.h - 2)
	if _, runs := f.seat.LiveTurn(); !runs || line == 0 && at == 0 {
		return at, line
	}
	step := max(1, min((f.h-2)/4, maxStep))
	return f.step(at, line, (step-line%step)%step)
}

// maxStep is how many lines a pane moves at once at most.
const maxStep = 8

// bottomPosition returns the position of the top line if the end is at the bottom
// of n lines.
func (f frame) bottomPosition(n int) (at, line int) {
	for i := len(f.blocks) - 1; i >= 0; i-- {
		h := f.blockHeight(i)
		if n <= h {
			return i, h - max(n, 0)
		}
		n -= h
	}
	return 0, 0
}

// gapBefore returns the number of blank rows before a block: 0 or 1.
func (f frame) gapBefore(i int) int {
	for j := i - 1; j >= 0; j-- {
		if f.lines(f.blocks[j]).height() > 0 {
			if separated(f.blocks[j].Kind, f.blocks[i].Kind) {
				return 1
			}
			return 0
		}
	}
	return 0
}

// separated reports whether a blank row is between two neighbouring blocks.
func separated(above, below control.BlockKind) bool {
	row := func(k control.BlockKind) bool { return k == control.BlockTool || k == control.BlockReasoning }
	return below == control.BlockHeading || above != control.BlockHeading && above != control.BlockDivider && !(row(above) && row(below))
}

// blockHeight returns the number of lines of a block, including the blank row before
// it.
func (f frame) blockHeight(i int) int {
	n := f.lines(f.blocks[i]).height()
	if n == 0 {
		return 0
	}
	return n + f.gapBefore(i)
}

// visibleLines returns the n visible lines and updates the number of lines below.
func (f frame) visibleLines(n int) []string {
	f.above, f.below, f.firstVisible, f.lastVisible = false, 0, 0, 0
	if len(f.blocks) == 0 || n == 0 {
		return nil
	}
	at, line := f.topPosition()
	f.above, f.firstVisible, f.lastVisible = at > 0 || line > 0, at, at
	lines := make([]string, 0, n)
	for i := at; i < len(f.blocks); i, line = i+1, 0 {
		room := n - len(lines)
		if room == 0 && f.follow {
			break
		}
		h := f.blockHeight(i)
		f.below += max(h-line-room, 0)
		if room > 0 && line < h {
			lines = append(lines, f.blockLines(i, line, min(h, line+room))...)
		}
		if room > 0 { // an empty block may become visible with time
			f.lastVisible = i
		}
	}
	f.follow = f.follow || f.below == 0 && !f.pinned
	return lines
}

// blockLines returns a range of a block's lines; a blank row before the block counts
// as the first.
func (f frame) blockLines(i, from, to int) []string {
	var lines []string
	gap := f.gapBefore(i)
	if from < gap {
		lines = append(lines, "")
	}
	return append(lines, f.highlighted(f.lines(f.blocks[i]), max(from-gap, 0), max(to-gap, 0))...)
}

// highlighted returns a range of lines with all matches highlighted.
func (p *Pane) highlighted(d *drawing, from, to int) []string {
	if len(p.query) == 0 {
		return d.lines(from, to)
	}
	before := max(from-len(p.query), 0) // a match that reaches into the range may begin here
	lines := p.query.Highlight(p.th, d.lines(before, min(to+len(p.query), d.height())))
	return lines[from-before : to-before]
}

// timeChanged reports whether time alone has changed what is visible.
func (f frame) timeChanged() bool {
	for i := f.firstVisible; i <= f.lastVisible && i < len(f.blocks); i++ {
		if b := f.blocks[i]; f.timeKey(b) != b.timeKeyDrawn {
			return true
		}
	}
	return false
}

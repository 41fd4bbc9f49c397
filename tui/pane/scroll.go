package pane

import (
	"slices"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// scroll is the scroll position and the list of blocks that it refers to.
type scroll struct {
	blocks                    []*block
	blocksStale               bool // blocks has to be rebuilt from the sections
	follow                    bool // keep the end visible as it grows
	pinned                    bool // keep the top line, even if rows below the end stay empty
	top                       anchor
	below                     int // number of lines hidden below
	firstVisible, lastVisible int // indices of the visible blocks
}

// anchor is a line of the transcript. After a rebuild it is found by the id of its
// block, after a change of width by the number of characters before it.
type anchor struct {
	blockID
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
	at, line := p.topPosition(f)
	at, line = p.step(f, at, line, lines)
	p.scrollTo(f, at, line)
}

// step returns the position a number of lines further down, or up if negative.
func (p *Pane) step(f frame, at, line, lines int) (int, int) {
	line += lines
	for line < 0 && at > 0 {
		at--
		line += p.blockHeight(f, at)
	}
	for at < len(p.blocks)-1 && line >= p.blockHeight(f, at) {
		line -= p.blockHeight(f, at)
		at++
	}
	return at, max(line, 0)
}

// HalfPage moves by half a page, down if direction is 1 and up if it is -1.
func (p *Pane) HalfPage(direction int) { p.Scroll(direction * max(1, (p.h-2)/2)) }

// Top goes to the beginning.
func (p *Pane) Top() { p.scrollTo(p.lastFrame(), 0, 0) }

// Bottom goes to the end and follows new text.
func (p *Pane) Bottom() {
	p.follow, p.pinned = true, false
	p.invalidate()
}

// PrevRound returns the round to go back to: the current one if its header is scrolled
// off, else the one before.
func (p *Pane) PrevRound() int {
	f := p.lastFrame()
	at, line := p.topPosition(f)
	if at >= len(p.blocks) {
		return 1
	}
	round := p.blocks[at].turn.Round
	if first := p.roundStart(round); first == at && line <= p.gapBefore(f, at) {
		round--
	}
	return max(round, 1)
}

// NextRound returns the round after the one in the top line.
func (p *Pane) NextRound() int {
	at, _ := p.topPosition(p.lastFrame())
	if at >= len(p.blocks) {
		return 1
	}
	return p.blocks[at].turn.Round + 1
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
	p.scrollTo(f, i, p.gapBefore(f, i))
	if p.live == nil || p.blocks[i].turn.Round < p.live.turn.Round {
		p.follow, p.pinned = false, true
	}
}

// roundStart returns the index of the first block of a round, or of the next one if
// the seat has no turn in it; -1 if there is none.
func (p *Pane) roundStart(round int) int {
	return slices.IndexFunc(p.blocks, func(b *block) bool { return b.kind == kindHeader && b.turn.Round >= round })
}

// Following reports whether the pane keeps its end visible as it grows.
func (p *Pane) Following() bool { return p.follow }

// lastFrame returns the frame of the last drawing.
func (p *Pane) lastFrame() frame {
	p.rebuildBlocks()
	return frame{Pane: p, width: max(p.w-4, 0), now: p.lastDrawn}
}

// scrollTo makes a line the top one, or follows the end if that is visible then.
func (p *Pane) scrollTo(f frame, at, line int) {
	p.invalidate()
	p.pinned = false
	if len(p.blocks) == 0 {
		return
	}
	lastAt, lastLine := p.bottomPosition(f, p.h-2)
	p.follow = at > lastAt || at == lastAt && line >= lastLine
	p.top = anchor{blockID: p.blocks[at].blockID, line: line}
}

// topPosition returns the block of the top line and the line within it.
func (p *Pane) topPosition(f frame) (at, line int) {
	if p.follow {
		return p.bottomPosition(f, p.h-2)
	}
	at = slices.IndexFunc(p.blocks, func(b *block) bool { return b.blockID == p.top.blockID })
	if at < 0 {
		return p.bottomPosition(f, p.h-2)
	}
	if p.top.byChars {
		p.top.byChars, p.top.charsKept = false, true
		p.top.line = p.gapBefore(f, at) + lineAt(allLines(p.blocks[at].draw(f)), p.top.charsBefore)
	}
	return at, min(p.top.line, max(p.blockHeight(f, at)-1, 0))
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
	at, line := p.topPosition(f)
	if p.follow || at >= len(p.blocks) {
		return
	}
	lines := p.blocks[at].draw(f)
	n := min(max(line-p.gapBefore(f, at), 0), lines.Height())
	p.top.byChars, p.top.charsBefore = true, 0
	for _, l := range lines.Lines(0, n) {
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

// allLines renders all lines.
func allLines(s lazyLines) []string { return s.Lines(0, s.Height()) }

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

// bottomPosition returns the position of the top line if the end stands at the bottom
// of n lines.
func (p *Pane) bottomPosition(f frame, n int) (at, line int) {
	for i := len(p.blocks) - 1; i >= 0; i-- {
		h := p.blockHeight(f, i)
		if n <= h {
			return i, h - max(n, 0)
		}
		n -= h
	}
	return 0, 0
}

// gapBefore returns the number of blank rows before a block: 0 or 1.
func (p *Pane) gapBefore(f frame, i int) int {
	for j := i - 1; j >= 0; j-- {
		if p.blocks[j].draw(f).Height() > 0 {
			if separated(p.blocks[j].kind, p.blocks[i].kind) {
				return 1
			}
			return 0
		}
	}
	return 0
}

// blockHeight returns the number of lines of a block, including the blank row before
// it.
func (p *Pane) blockHeight(f frame, i int) int {
	n := p.blocks[i].draw(f).Height()
	if n == 0 {
		return 0
	}
	return n + p.gapBefore(f, i)
}

// visibleLines returns the n visible lines and updates the number of lines below.
func (p *Pane) visibleLines(f frame, n int) []string {
	p.below, p.firstVisible, p.lastVisible = 0, 0, 0
	if len(p.blocks) == 0 || n == 0 {
		return nil
	}
	at, line := p.topPosition(f)
	p.firstVisible, p.lastVisible = at, at
	lines := make([]string, 0, n)
	for i := at; i < len(p.blocks); i, line = i+1, 0 {
		room := n - len(lines)
		if room == 0 && p.follow {
			break
		}
		h := p.blockHeight(f, i)
		p.below += max(h-line-room, 0)
		if room > 0 && line < h {
			lines = append(lines, p.blockLines(f, i, line, min(h, line+room))...)
		}
		if room > 0 { // an empty block may become visible with time
			p.lastVisible = i
		}
	}
	p.follow = p.follow || p.below == 0 && !p.pinned
	return lines
}

// blockLines returns a range of a block's lines; a blank row before the block counts
// as the first.
func (p *Pane) blockLines(f frame, i, from, to int) []string {
	var lines []string
	gap := p.gapBefore(f, i)
	if from < gap {
		lines = append(lines, "")
	}
	return append(lines, p.highlighted(p.blocks[i].draw(f), max(from-gap, 0), max(to-gap, 0))...)
}

// timeChanged reports whether time alone has changed what is visible.
func (p *Pane) timeChanged(f frame) bool {
	for i := p.firstVisible; i <= p.lastVisible && i < len(p.blocks); i++ {
		if b := p.blocks[i]; b.timeKey(f) != b.timeKeyDrawn {
			return true
		}
	}
	return false
}

package pane

import (
	"slices"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// scroll is the part of the transcript that is looked at.
type scroll struct {
	blocks   []*block
	stale    bool // blocks are no longer those of the sections
	follow   bool // the end is shown, also when it moves
	pinned   bool // the top line stays there, also where the end leaves rows empty
	top      place
	below    int // lines that are hidden there
	from, to int // the blocks that are visible
}

// place is a line of the transcript, found again after a rebuilding by the name
// of its block, and after a change of width by the characters before it.
type place struct {
	name
	line  int // a blank row before the block counts
	held  bool
	fixed bool // chars are still those of a line that the user chose
	chars int
}

// Scroll moves by lines, down if positive. Reaching the end follows it again.
func (p *Pane) Scroll(lines int) {
	if lines == 0 || p.h <= 2 {
		return
	}
	f := p.still()
	at, line := p.here(f)
	at, line = p.step(f, at, line, lines)
	p.settle(f, at, line)
}

// step returns the place so many lines further down, or up if negative, within
// the transcript.
func (p *Pane) step(f frame, at, line, lines int) (int, int) {
	line += lines
	for line < 0 && at > 0 {
		at--
		line += p.height(f, at)
	}
	for at < len(p.blocks)-1 && line >= p.height(f, at) {
		line -= p.height(f, at)
		at++
	}
	return at, max(line, 0)
}

// HalfPage moves by half of what is visible, up or down.
func (p *Pane) HalfPage(direction int) { p.Scroll(direction * max(1, (p.h-2)/2)) }

// Top goes to the beginning.
func (p *Pane) Top() { p.settle(p.still(), 0, 0) }

// Bottom goes to the end and follows it.
func (p *Pane) Bottom() {
	p.follow, p.pinned = true, false
	p.touch()
}

// Earlier returns the round that is before what is in the top line: its own, if
// more than its beginning has gone by.
func (p *Pane) Earlier() int {
	f := p.still()
	at, line := p.here(f)
	if at >= len(p.blocks) {
		return 1
	}
	round := p.blocks[at].turn.Round
	if first := p.begins(round); first == at && line <= p.gap(f, at) {
		round--
	}
	return max(round, 1)
}

// Later returns the round after the one in the top line.
func (p *Pane) Later() int {
	at, _ := p.here(p.still())
	if at >= len(p.blocks) {
		return 1
	}
	return p.blocks[at].turn.Round + 1
}

// ShowRound goes to where the seat's part in a round begins, and makes that the
// top line. A part that still grows, or is still to come, is followed.
func (p *Pane) ShowRound(round int) {
	f := p.still()
	i := p.begins(round)
	if i < 0 {
		p.Bottom()
		return
	}
	p.settle(f, i, p.gap(f, i))
	if p.live == nil || p.blocks[i].turn.Round < p.live.turn.Round {
		p.follow, p.pinned = false, true
	}
}

// begins returns the first block of a round, or of the one after it if the seat
// had no part in that; -1 if there is none.
func (p *Pane) begins(round int) int {
	return slices.IndexFunc(p.blocks, func(b *block) bool { return b.kind == aRule && b.turn.Round >= round })
}

// Following reports whether the pane shows its end and goes along with it.
func (p *Pane) Following() bool { return p.follow }

// still is the frame of the last drawing, for finding places in it.
func (p *Pane) still() frame {
	p.arrange()
	return frame{Pane: p, width: max(p.w-4, 0), now: p.seen}
}

// settle makes a line the top one, or follows if the end is visible then.
func (p *Pane) settle(f frame, at, line int) {
	p.touch()
	p.pinned = false
	if len(p.blocks) == 0 {
		return
	}
	lastAt, lastLine := p.last(f, p.h-2)
	p.follow = at > lastAt || at == lastAt && line >= lastLine
	p.top = place{name: p.blocks[at].name, line: line}
}

// here returns the block of the top line and the line within it.
func (p *Pane) here(f frame) (at, line int) {
	if p.follow {
		return p.last(f, p.h-2)
	}
	at = slices.IndexFunc(p.blocks, func(b *block) bool { return b.name == p.top.name })
	if at < 0 {
		return p.last(f, p.h-2)
	}
	if p.top.held {
		p.top.held, p.top.fixed = false, true
		p.top.line = p.gap(f, at) + lineAt(all(p.blocks[at].draw(f)), p.top.chars)
	}
	return at, min(p.top.line, max(p.height(f, at)-1, 0))
}

// hold remembers the top line by what stands before it, since the width is about
// to change.
func (p *Pane) hold() {
	if p.follow || p.top.held || p.w <= 4 {
		return
	}
	if p.top.fixed { // a wider line begins further up: counted anew, the place would creep
		p.top.held = true
		return
	}
	f := p.still()
	at, line := p.here(f)
	if p.follow || at >= len(p.blocks) {
		return
	}
	lines := p.blocks[at].draw(f)
	n := min(max(line-p.gap(f, at), 0), lines.Height())
	p.top.held, p.top.chars = true, 0
	for _, l := range lines.Lines(0, n) {
		p.top.chars += letters(l)
	}
}

// lineAt returns the line in which the n-th letter stands.
func lineAt(lines []string, n int) int {
	for i, l := range lines {
		if n -= letters(l); n < 0 {
			return i
		}
	}
	return max(len(lines)-1, 0)
}

// all returns the lines of a sheet.
func all(s sheet) []string { return s.Lines(0, s.Height()) }

// letters counts what wrapping neither adds nor removes.
func letters(line string) int {
	n := 0
	for _, r := range ansi.Strip(line) {
		if !unicode.IsSpace(r) {
			n++
		}
	}
	return n
}

// last returns the place of the top line when the end is at the bottom of n lines.
func (p *Pane) last(f frame, n int) (at, line int) {
	for i := len(p.blocks) - 1; i >= 0; i-- {
		h := p.height(f, i)
		if n <= h {
			return i, h - max(n, 0)
		}
		n -= h
	}
	return 0, 0
}

// gap returns how many blank rows stand before a block.
func (p *Pane) gap(f frame, i int) int {
	for j := i - 1; j >= 0; j-- {
		if p.blocks[j].draw(f).Height() > 0 {
			if apart(p.blocks[j].kind, p.blocks[i].kind) {
				return 1
			}
			return 0
		}
	}
	return 0
}

// height returns how many lines a block takes, with the blank row before it.
func (p *Pane) height(f frame, i int) int {
	n := p.blocks[i].draw(f).Height()
	if n == 0 {
		return 0
	}
	return n + p.gap(f, i)
}

// window returns the n lines that are visible and counts those below.
func (p *Pane) window(f frame, n int) []string {
	p.below, p.from, p.to = 0, 0, 0
	if len(p.blocks) == 0 || n == 0 {
		return nil
	}
	at, line := p.here(f)
	p.from, p.to = at, at
	lines := make([]string, 0, n)
	for i := at; i < len(p.blocks); i, line = i+1, 0 {
		room := n - len(lines)
		if room == 0 && p.follow {
			break
		}
		h := p.height(f, i)
		p.below += max(h-line-room, 0)
		if room > 0 && line < h {
			lines = append(lines, p.part(f, i, line, min(h, line+room))...)
		}
		if room > 0 { // what shows nothing yet may do so with time
			p.to = i
		}
	}
	p.follow = p.follow || p.below == 0 && !p.pinned
	return lines
}

// part returns some of a block's lines, of which a blank row may be the first.
func (p *Pane) part(f frame, i, from, to int) []string {
	var lines []string
	gap := p.gap(f, i)
	if from < gap {
		lines = append(lines, "")
	}
	return append(lines, p.marked(p.blocks[i].draw(f), max(from-gap, 0), max(to-gap, 0))...)
}

// moved reports whether time alone has changed what is visible.
func (p *Pane) moved(f frame) bool {
	for i := p.from; i <= p.to && i < len(p.blocks); i++ {
		if b := p.blocks[i]; b.stamp(f) != b.at {
			return true
		}
	}
	return false
}

package pane

import (
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/internal/text"
	"roundtable/tui/textview"
)

// Passage is a piece of the transcript that a search looks at: the words of one block.
type Passage struct {
	Turn  agents.Turn
	block blockID
	text  string
}

// Place is an occurrence of a text in the transcript.
type Place struct {
	Turn  agents.Turn
	block blockID
	n     int // among those of the block, from 0
}

// Passages returns what the pane shows in words, from the beginning. The passages do not
// change with the pane, so they may be searched anywhere.
func (p *Pane) Passages() []Passage {
	p.rebuildBlocks()
	var out []Passage
	for _, b := range p.blocks {
		words := ""
		switch c := b.content.(type) {
		case *textBlock:
			words = c.content()
		case positionBlock:
			words = c.text
		case *toolBlock:
			words = c.words(p)
		case header:
			for _, i := range p.interjections[b.turn.Round] {
				words += i.text + "\n"
			}
		default: // it has no words of its own
		}
		if words != "" {
			out = append(out, Passage{b.turn, b.blockID, words})
		}
	}
	return out
}

func (t *toolBlock) words(p *Pane) string {
	a, ok := p.asks[t.id]
	if t.folded {
		return ""
	}
	if !ok {
		return t.title() + "\n" + t.summary
	}
	if a.repeated {
		return ""
	}
	q := p.requests[a.requestID]
	shown := agents.RequestContextName + " " + a.requestID + "\n" + q.query
	if q.blocking {
		shown += "\n" + a.reason
	}
	if p.details {
		shown += "\n" + q.text
	}
	return shown
}

// Places returns where a text occurs in the passage, at most a number of places. Case,
// line breaks and the marks of bold and code do not matter.
func (x Passage) Places(words string, most int) []Place {
	wanted := plainText(words)
	if wanted == "" {
		return nil
	}
	var out []Place
	for n := range min(strings.Count(plainText(x.text), wanted), most) {
		out = append(out, Place{x.Turn, x.block, n})
	}
	return out
}

// plainText returns text as a search compares it.
func plainText(s string) string {
	if strings.ContainsAny(s, "*`") {
		s = strings.NewReplacer("*", "", "`", "").Replace(s)
	}
	return strings.Join(strings.Fields(strings.ToLower(s)), " ")
}

// ShowDetails shows reasoning, the arguments and results of tools, and answers to questions.
func (p *Pane) ShowDetails() {
	if !p.details {
		p.ToggleTools()
	}
}

// Mark highlights a text wherever it is shown. An empty text highlights nothing.
func (p *Pane) Mark(words string) {
	p.query = textview.NewQuery(plainText(text.Line(words)))
	p.invalidate()
}

// ShowPlace scrolls so that a place of the marked text is a third down the pane.
func (p *Pane) ShowPlace(at Place) {
	f := p.lastFrame()
	i := slices.IndexFunc(p.blocks, func(b *block) bool { return b.blockID == at.block })
	if i < 0 { // the turn was asked again
		p.ShowRound(at.Turn.Round)
		return
	}
	line := f.gapBefore(i)
	if found := p.query.Matches(allLines(p.blocks[i].draw(f))); len(found) > 0 {
		line += found[min(at.n, len(found)-1)][0].Line
	}
	i, line = f.step(i, line, -(p.h-2)/3)
	f.scrollTo(i, line)
}

// Position is what a pane shows of its transcript.
type Position struct {
	top            anchor
	follow, pinned bool
}

// Position returns what the pane shows, to go back there.
func (p *Pane) Position() Position { return Position{p.top, p.follow, p.pinned} }

// GoBack shows what the pane showed before.
func (p *Pane) GoBack(to Position) {
	p.top, p.follow, p.pinned = to.top, to.follow, to.pinned
	p.invalidate()
}

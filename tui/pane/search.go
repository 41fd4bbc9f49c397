package pane

import (
	"slices"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"roundtable/agents"
	"roundtable/internal/text"
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

// words returns what a call shows in words.
func (t *toolBlock) words(p *Pane) string {
	a, ok := p.asks[t.id]
	if !ok {
		return t.title() + "\n" + t.summary
	}
	q := p.requests[a.requestID]
	shown := agents.RequestContextName + " " + a.requestID + "\n" + q.query
	if q.blocking {
		shown += "\n" + a.reason
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

// Mark highlights a text wherever it is shown. An empty text highlights nothing.
func (p *Pane) Mark(words string) {
	p.query = newQuery(plainText(text.Line(words)))
	p.invalidate()
}

// ShowPlace scrolls so that a place of the marked text stands a third down the pane.
func (p *Pane) ShowPlace(at Place) {
	f := p.lastFrame()
	i := slices.IndexFunc(p.blocks, func(b *block) bool { return b.blockID == at.block })
	if i < 0 { // the turn was asked again
		p.ShowRound(at.Turn.Round)
		return
	}
	line := f.gapBefore(i)
	if found := p.query.matches(allLines(p.blocks[i].draw(f))); len(found) > 0 {
		line += found[min(at.n, len(found)-1)][0].line
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

// lineSpan is a range of characters within a line.
type lineSpan struct{ line, from, to int }

// highlighted returns a range of lines with all matches highlighted.
func (p *Pane) highlighted(s lazyLines, from, to int) []string {
	lines := s.Lines(from, to)
	if len(p.query) == 0 {
		return lines
	}
	before := max(from-len(p.query), 0) // a match that reaches into the range may begin here
	lines = append([]string(nil), s.Lines(before, min(to+len(p.query), s.Height()))...)
	plain := make([][]rune, len(lines))
	for i, l := range lines {
		plain[i] = []rune(ansi.Strip(l))
	}
	found := slices.Concat(p.query.matches(lines)...)
	for _, x := range slices.Backward(found) {
		chars := plain[x.line]
		a, b := ansi.StringWidth(string(chars[:x.from])), ansi.StringWidth(string(chars[:x.to]))
		rest := ansi.TruncateLeft(lines[x.line], b, "")
		lines[x.line] = ansi.Truncate(lines[x.line], a, "") + p.th.Match(string(chars[x.from:x.to])) + rest
	}
	return lines[from-before : to-before]
}

// matches returns where the query occurs in wrapped lines, each match with its part of
// every line.
func (q query) matches(lines []string) [][]lineSpan {
	var all []rune
	var at []lineSpan // the position of each character of all
	for i, l := range lines {
		plain := []rune(strings.TrimRight(ansi.Strip(l), " "))
		lead := 0
		for lead < len(plain) && plain[lead] == ' ' {
			lead++
		}
		if len(all) > 0 {
			all, at = append(all, ' '), append(at, lineSpan{line: i, from: lead, to: lead})
		}
		for j := lead; j < len(plain); j++ {
			all, at = append(all, unicode.ToLower(plain[j])), append(at, lineSpan{line: i, from: j, to: j + 1})
		}
	}
	var found [][]lineSpan
	for i := 0; i+len(q) <= len(all); i++ {
		if !slices.Equal(all[i:i+len(q)], []rune(q)) {
			continue
		}
		found = append(found, mergeSpans(at[i:i+len(q)]))
		i += len(q) - 1
	}
	return found
}

// mergeSpans joins neighbouring characters of the same line.
func mergeSpans(chars []lineSpan) []lineSpan {
	var out []lineSpan
	for _, c := range chars {
		if n := len(out); n > 0 && out[n-1].line == c.line {
			out[n-1].to = max(out[n-1].to, c.to)
			continue
		}
		out = append(out, c)
	}
	return out
}

// query is the text searched for, in lower case.
type query []rune

// newQuery returns the query for a text.
func newQuery(words string) query {
	q := query(words)
	for i, r := range q {
		q[i] = unicode.ToLower(r)
	}
	return q
}

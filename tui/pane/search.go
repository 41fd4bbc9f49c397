package pane

import (
	"slices"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"roundtable/agents/safetext"
)

// search is what is looked for in the transcript.
type search struct {
	query query
	hits  []anchor
	hitIndex   int // the one gone to
}

// part is a stretch of characters within a line.
type lineSpan struct{ line, from, to int }

// Find looks for a text, whatever its case and however it is wrapped, marks all
// occurrences, goes to the last one and returns how many there are. An empty
// text ends the search.
func (p *Pane) Find(words string) int {
	p.query = newQuery(safetext.Line(words))
	p.collectHits()
	p.hitIndex = len(p.hits) - 1
	p.scrollToHit()
	p.invalidate()
	return len(p.hits)
}

// FindNext goes to the next occurrence, or with -1 to the previous one, around
// the ends. It returns which one it is, from 1, and how many there are.
func (p *Pane) FindNext(direction int) (at, of int) {
	p.collectHits()
	if len(p.hits) == 0 {
		return 0, 0
	}
	n := len(p.hits)
	p.hitIndex = ((p.hitIndex+direction)%n + n) % n
	p.scrollToHit()
	return p.hitIndex + 1, n
}

// look collects the places of all occurrences.
func (p *Pane) collectHits() {
	p.hits = p.hits[:0]
	if len(p.query) == 0 {
		return
	}
	f := p.lastFrame()
	for i, b := range p.blocks {
		for _, parts := range p.query.matches(allLines(b.draw(f))) {
			p.hits = append(p.hits, anchor{blockID: b.blockID, line: parts[0].line + p.gapBefore(f, i)})
		}
	}
}

// show scrolls to the occurrence, a third down the pane.
func (p *Pane) scrollToHit() {
	if p.hitIndex < 0 || p.hitIndex >= len(p.hits) {
		return
	}
	f := p.lastFrame()
	for i, b := range p.blocks {
		if b.blockID == p.hits[p.hitIndex].blockID {
			i, line := p.step(f, i, p.hits[p.hitIndex].line, -(p.h-2)/3)
			p.scrollTo(f, i, line)
			return
		}
	}
}

// marked returns lines of a sheet with all occurrences shown as such.
func (p *Pane) highlighted(s lazyLines, from, to int) []string {
	lines := s.Lines(from, to)
	if len(p.query) == 0 {
		return lines
	}
	before := max(from-len(p.query), 0) // where what reaches in may begin
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

// in returns where the query stands in lines that were wrapped at spaces, each
// occurrence by its parts.
func (q query) matches(lines []string) [][]lineSpan {
	var all []rune
	var at []lineSpan // of each character
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
		if string(all[i:i+len(q)]) != string(q) {
			continue
		}
		found = append(found, mergeSpans(at[i:i+len(q)]))
		i += len(q) - 1
	}
	return found
}

// joined puts the characters of each line together.
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

// query is a text that is looked for, in lower case.
type query []rune

func newQuery(words string) query {
	q := query(words)
	for i, r := range q {
		q[i] = unicode.ToLower(r)
	}
	return q
}

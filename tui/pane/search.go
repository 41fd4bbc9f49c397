package pane

import (
	"slices"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"roundtable/internal/text"
)

// search is the query of the user and its matches.
type search struct {
	query    query
	hits     []anchor
	hitIndex int // the selected match
}

// lineSpan is a range of characters within a line.
type lineSpan struct{ line, from, to int }

// Find searches for a text, ignoring case and line breaks. It highlights all matches,
// scrolls to the last one and returns their number. An empty text ends the search.
func (p *Pane) Find(words string) int {
	p.query = newQuery(text.Line(words))
	p.collectHits()
	p.hitIndex = len(p.hits) - 1
	p.scrollToHit()
	p.invalidate()
	return len(p.hits)
}

// FindNext goes to the next match, or with -1 to the previous one, and wraps around.
// It returns the number of that match, from 1, and the number of all matches.
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

// collectHits finds the positions of all matches.
func (p *Pane) collectHits() {
	p.hits = p.hits[:0]
	if len(p.query) == 0 {
		return
	}
	f := p.lastFrame()
	for i, b := range p.blocks {
		for _, parts := range p.query.matches(allLines(b.draw(f))) {
			p.hits = append(p.hits, anchor{blockID: b.blockID, line: parts[0].line + f.gapBefore(i)})
		}
	}
}

// scrollToHit scrolls so that the selected match stands a third down the pane.
func (p *Pane) scrollToHit() {
	if p.hitIndex < 0 || p.hitIndex >= len(p.hits) {
		return
	}
	f := p.lastFrame()
	for i, b := range p.blocks {
		if b.blockID == p.hits[p.hitIndex].blockID {
			i, line := f.step(i, p.hits[p.hitIndex].line, -(p.h-2)/3)
			f.scrollTo(i, line)
			return
		}
	}
}

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
		if string(all[i:i+len(q)]) != string(q) {
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

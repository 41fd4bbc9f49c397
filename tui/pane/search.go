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
	hits  []place
	hit   int // the one gone to
}

// part is a stretch of characters within a line.
type part struct{ line, from, to int }

// Find looks for a text, whatever its case and however it is wrapped, marks all
// occurrences, goes to the last one and returns how many there are. An empty
// text ends the search.
func (p *Pane) Find(words string) int {
	p.query = lower(safetext.Line(words))
	p.look()
	p.hit = len(p.hits) - 1
	p.show()
	p.touch()
	return len(p.hits)
}

// FindNext goes to the next occurrence, or with -1 to the previous one, around
// the ends. It returns which one it is, from 1, and how many there are.
func (p *Pane) FindNext(direction int) (at, of int) {
	p.look()
	if len(p.hits) == 0 {
		return 0, 0
	}
	n := len(p.hits)
	p.hit = ((p.hit+direction)%n + n) % n
	p.show()
	return p.hit + 1, n
}

// look collects the places of all occurrences.
func (p *Pane) look() {
	p.hits = p.hits[:0]
	if len(p.query) == 0 {
		return
	}
	f := p.still()
	for i, b := range p.blocks {
		for _, parts := range p.query.in(all(b.draw(f))) {
			p.hits = append(p.hits, place{name: b.name, line: parts[0].line + p.gap(f, i)})
		}
	}
}

// show scrolls to the occurrence, a third down the pane.
func (p *Pane) show() {
	if p.hit < 0 || p.hit >= len(p.hits) {
		return
	}
	f := p.still()
	for i, b := range p.blocks {
		if b.name == p.hits[p.hit].name {
			i, line := p.step(f, i, p.hits[p.hit].line, -(p.h-2)/3)
			p.settle(f, i, line)
			return
		}
	}
}

// marked returns lines of a sheet with all occurrences shown as such.
func (p *Pane) marked(s sheet, from, to int) []string {
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
	found := slices.Concat(p.query.in(lines)...)
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
func (q query) in(lines []string) [][]part {
	var all []rune
	var at []part // of each character
	for i, l := range lines {
		plain := []rune(strings.TrimRight(ansi.Strip(l), " "))
		lead := 0
		for lead < len(plain) && plain[lead] == ' ' {
			lead++
		}
		if len(all) > 0 {
			all, at = append(all, ' '), append(at, part{line: i, from: lead, to: lead})
		}
		for j := lead; j < len(plain); j++ {
			all, at = append(all, unicode.ToLower(plain[j])), append(at, part{line: i, from: j, to: j + 1})
		}
	}
	var found [][]part
	for i := 0; i+len(q) <= len(all); i++ {
		if string(all[i:i+len(q)]) != string(q) {
			continue
		}
		found = append(found, joined(at[i:i+len(q)]))
		i += len(q) - 1
	}
	return found
}

// joined puts the characters of each line together.
func joined(chars []part) []part {
	var out []part
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

func lower(words string) query {
	q := query(words)
	for i, r := range q {
		q[i] = unicode.ToLower(r)
	}
	return q
}

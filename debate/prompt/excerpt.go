package prompt

import (
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/text"
)

type evidenceExcerpt struct {
	evidence debate.Evidence
	lines    []string
	diff     []debate.DiffLine // of a diff, a line for each; nil: it is none
	spans    []span            // that are shown, in order
	most     int               // lines that may be shown: all but those that a diff leaves out
}

type span struct{ from, to int }

func excerptOf(e debate.Evidence, skip []string) evidenceExcerpt {
	x := evidenceExcerpt{evidence: e}
	if e.Text != "" {
		x.lines = strings.Split(strings.TrimSuffix(e.Text, "\n"), "\n")
	}
	if e.Kind == debate.EvidenceDiff {
		x.diff = debate.ParseDiff(e.Text)
	}
	keep := make([]bool, len(x.lines))
	for i := range keep {
		keep[i] = true
	}
	if x.diff != nil {
		for _, s := range debate.DiffSections(e.Text, x.diff, skip) {
			for i := s.From; i < s.To; i++ {
				keep[i] = !s.LeftOut
			}
		}
	}
	x.keep(keep)
	for _, s := range x.spans {
		x.most += s.to - s.from + 1
	}
	return x
}

func (x *evidenceExcerpt) keep(lines []bool) {
	x.spans = nil
	for i, kept := range lines {
		switch {
		case !kept:
		case i > 0 && lines[i-1]:
			x.spans[len(x.spans)-1].to++
		default:
			x.spans = append(x.spans, span{i + 1, i + 1})
		}
	}
}

func (x *evidenceExcerpt) size() int {
	n := 0
	for _, s := range x.spans {
		for _, line := range x.lines[s.from-1 : s.to] {
			n += len(line) + 1
		}
	}
	return n
}

func (x *evidenceExcerpt) cited() []debate.Citation {
	out := text.Each(x.spans, func(s span) debate.Citation { return debate.Citation{ID: x.evidence.ID, From: s.from, To: s.to} })
	if len(x.lines) == 0 || len(out) == 1 && out[0].To-out[0].From+1 == len(x.lines) {
		return []debate.Citation{{ID: x.evidence.ID}}
	}
	return out
}

func (x *evidenceExcerpt) block(f fence) string {
	label, shown := "evidence of "+bringers(Evidence{Evidence: x.evidence}), 0
	var out []string
	next := 1
	for _, s := range x.spans {
		out = x.gap(out, next, s.from-1)
		out = append(out, text.NumberLines(strings.Join(x.lines[s.from-1:s.to], "\n")+"\n", s.from))
		shown += s.to - s.from + 1
		next = s.to + 1
	}
	if shown < x.most {
		label += ", cut"
	}
	return f.block(label+": "+evidenceLabel(x.evidence), strings.Join(x.gap(out, next, len(x.lines)), "\n"))
}

func (x *evidenceExcerpt) gap(out []string, from, to int) []string {
	switch {
	case from > to:
		return out
	case from == to:
		return append(out, fmt.Sprintf("[line %d of %d is left out]", from, len(x.lines)))
	}
	return append(out, fmt.Sprintf("[lines %d to %d of %d are left out]", from, to, len(x.lines)))
}

func (x *evidenceExcerpt) lineTokens(i int) int {
	if n := len(x.lines[i]) / maxTokenSize; n > 4*debate.DefaultEvidenceTokens { // longer than any room
		return n
	}
	return agents.Tokens(text.NumberLines(x.lines[i]+"\n", i+1) + "\n")
}

func (x *evidenceExcerpt) keepEnds(tokens int) {
	tokens -= gapTokens
	keep, left := make([]bool, len(x.lines)), tokens*2/3
	head := 0
	for ; head < len(x.lines); head++ {
		n := x.lineTokens(head)
		if n > left {
			break
		}
		keep[head], left = true, left-n
	}
	left += tokens - tokens*2/3
	for i := len(x.lines) - 1; i > head; i-- {
		n := x.lineTokens(i)
		if n > left {
			break
		}
		keep[i], left = true, left-n
	}
	x.keep(keep)
}

const (
	gapTokens = 24 // what a line on a gap takes
	minHunk   = 3  // lines; less of a hunk is not shown
)

// keepHunks keeps what fits of a diff: whole files first, then the hunks of others, and at
// last the beginning of a hunk.
func (x *evidenceExcerpt) keepHunks(tokens int) {
	allowed, cost := make([]bool, len(x.lines)), make([]int, len(x.lines))
	for _, s := range x.spans {
		for i := s.from - 1; i < s.to; i++ {
			allowed[i], cost[i] = true, x.lineTokens(i)
		}
	}
	keep := make([]bool, len(x.lines))
	take := func(from, to int) bool {
		sum := gapTokens
		for i := from; i < to; i++ {
			sum += cost[i]
		}
		if !allowed[from] || sum > tokens {
			return false
		}
		for i := from; i < to; i++ {
			keep[i] = true
		}
		tokens -= sum
		return true
	}
	files := x.starts(0, len(x.lines), debate.DiffFile)
	var cut [][]int // the hunks of files that do not fit
	for i, from := range files[:len(files)-1] {
		if from < files[i+1] && allowed[from] && !take(from, files[i+1]) {
			cut = append(cut, x.starts(from, files[i+1], debate.DiffHunk))
		}
	}
	for _, hunks := range cut {
		if len(hunks) < 3 || !take(hunks[0], hunks[1]) { // what is before the first hunk names the file
			continue
		}
		for j, from := range hunks[1 : len(hunks)-1] {
			if take(from, hunks[j+2]) {
				continue
			}
			to, sum := from, gapTokens
			for to < hunks[j+2] && sum+cost[to] <= tokens {
				sum += cost[to]
				to++
			}
			if to > from+minHunk {
				take(from, to)
			}
		}
	}
	x.keep(keep)
}

func (x *evidenceExcerpt) starts(from, to int, op debate.DiffOp) []int {
	out := []int{from}
	for i := from; i < to; i++ {
		if x.diff[i].Op == op && i > from {
			out = append(out, i)
		}
	}
	return append(out, to)
}

func shownSize(e debate.Evidence, shown []debate.Citation) int {
	n := 0
	for _, c := range shown {
		if c.ID != e.ID {
			continue
		}
		if c.From == 0 {
			return e.Size
		}
		if part, ok := e.Excerpt(c.From, c.To); ok {
			n += len(part) + 1
		}
	}
	return min(n, e.Size)
}

// EvidenceNotices says which of the evidence that came with a round is not shown whole to the
// seats of a debate, and how much of it is.
func EvidenceNotices(s debate.Session, round int) ([]string, error) {
	snap, err := NewSnapshot(s, round)
	if err != nil {
		return nil, err
	}
	least := map[string]int{}
	for i, p := range s.Seats {
		shown := snap.WithEvidenceFor(p).EvidenceShown()
		for _, e := range snap.Evidence {
			n := shownSize(e.Evidence, shown)
			if i == 0 || n < least[e.ID] {
				least[e.ID] = n
			}
		}
	}
	var out []string
	for _, e := range snap.Evidence {
		skipped := skippedFiles(e.Evidence, snap.Fit.EvidenceSkip)
		if e.Round != round || least[e.ID] == e.Size {
			continue
		}
		words := fmt.Sprintf("%s (%s): prompts show %s of %s, the rest only by tool.", e.ID, text.Line(e.Name),
			text.Bytes(int64(least[e.ID])), text.Bytes(int64(e.Size)))
		if len(skipped) > 0 {
			words += " Left out: " + text.Line(text.List(skipped)) + "."
		}
		out = append(out, words)
	}
	return out, nil
}

func skippedFiles(e debate.Evidence, skip []string) (files []string) {
	if e.Kind != debate.EvidenceDiff {
		return nil
	}
	for _, s := range debate.DiffSections(e.Text, debate.ParseDiff(e.Text), skip) {
		if s.LeftOut && !slices.Contains(files, s.File) {
			files = append(files, s.File)
		}
	}
	return files
}

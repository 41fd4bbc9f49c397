package debate

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// Citation cites evidence: all of it, or lines of it.
type Citation struct {
	ID   string `json:"id"`             // of the evidence, such as "F1"
	From int    `json:"from,omitempty"` // the first line, counted from 1; 0 means all of the evidence
	To   int    `json:"to,omitempty"`   // the last line
}

// String returns the citation as it is written between square brackets, such as "F1",
// "F1:12" or "F1:120-140".
func (c Citation) String() string {
	switch {
	case c.From == 0:
		return c.ID
	case c.From == c.To:
		return fmt.Sprintf("%s:%d", c.ID, c.From)
	default:
		return fmt.Sprintf("%s:%d-%d", c.ID, c.From, c.To)
	}
}

// CitationGroup is what one pair of square brackets cites.
type CitationGroup struct {
	Requests []string   // ids of context requests
	Evidence []Citation // of the user
}

// CitationGroups returns the groups in square brackets that a text cites.
func CitationGroups(text string) []CitationGroup {
	var out []CitationGroup
	for _, m := range bracketPattern().FindAllStringSubmatch(text, -1) {
		if g, ok := ParseCitationGroup(m[1]); ok {
			out = append(out, g)
		}
	}
	return out
}

// ParseCitationGroup parses the content of a pair of square brackets. It reports false if
// any of it is not a citation.
func ParseCitationGroup(text string) (g CitationGroup, ok bool) {
	for _, part := range citationSeparator().Split(strings.TrimSpace(text), -1) {
		if part == "" {
			continue
		}
		if ids := parseCitation(part); ids != nil {
			g.Requests = append(g.Requests, ids...)
			continue
		}
		before := ""
		if n := len(g.Evidence); n > 0 {
			before = g.Evidence[n-1].ID
		}
		cited := parseEvidenceCitation(part, before)
		if cited == nil {
			return CitationGroup{}, false
		}
		g.Evidence = append(g.Evidence, cited...)
	}
	return g, len(g.Requests)+len(g.Evidence) > 0
}

var (
	bracketPattern    = lazyRegexp(`\[([^\[\]\n]{2,200})\]`)
	citationPattern   = lazyRegexp(`^[Cc]0*([1-9]\d{0,5})$`)
	citedRangePattern = lazyRegexp(`^[Cc]0*([1-9]\d{0,5})` + rangeSign + `[Cc]?0*([1-9]\d{0,5})$`)
	citationSeparator = lazyRegexp(`\s*(?:[,;&/]|\band\b)\s*`)

	evidencePattern      = lazyRegexp(`^[Ff]0*([1-9]\d{0,5})$`)
	evidenceRangePattern = lazyRegexp(`^[Ff]0*([1-9]\d{0,5})` + rangeSign + `[Ff]0*([1-9]\d{0,5})$`)
	evidenceLinesPattern = lazyRegexp(`^[Ff]0*([1-9]\d{0,5})\s*:\s*(.*)$`)
	linesPattern         = lazyRegexp(`^[Ll]?0*([1-9]\d{0,6})(?:` + rangeSign + `[Ll]?0*([1-9]\d{0,6}))?$`)
)

const rangeSign = `\s*(?:[-‐‑‒–—−]|\.\.|to)\s*`

// lazyRegexp compiles an expression when it is first used, since every start of the
// program would wait for it.
func lazyRegexp(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// parseCitation returns the ids of requests that one member of a group names: an id or a
// range.
func parseCitation(part string) []string {
	if m := citationPattern().FindStringSubmatch(part); m != nil {
		return []string{"C" + m[1]}
	}
	if m := citedRangePattern().FindStringSubmatch(part); m != nil {
		return idRange("C", m[1], m[2])
	}
	return nil
}

// parseEvidenceCitation returns the citations that one member of a group makes. Lines
// without an id are those of the evidence before them in the group.
func parseEvidenceCitation(part, before string) []Citation {
	if m := evidencePattern().FindStringSubmatch(part); m != nil {
		return []Citation{{ID: "F" + m[1]}}
	}
	if m := evidenceLinesPattern().FindStringSubmatch(part); m != nil {
		return parseLines("F"+m[1], m[2])
	}
	if m := evidenceRangePattern().FindStringSubmatch(part); m != nil {
		var out []Citation
		for _, id := range idRange("F", m[1], m[2]) {
			out = append(out, Citation{ID: id})
		}
		return out
	}
	if before == "" {
		return nil
	}
	return parseLines(before, part)
}

func parseLines(id, lines string) []Citation {
	m := linesPattern().FindStringSubmatch(lines)
	if m == nil {
		return nil
	}
	from, err := strconv.Atoi(m[1])
	to, errTo := strconv.Atoi(cmp.Or(m[2], m[1]))
	if err != nil || errTo != nil { // the pattern has digits only
		return nil
	}
	return []Citation{{id, from, to}}
}

const maxCitedRange = 50

// idRange returns the ids of a range, nil if it is empty or too long.
func idRange(letter, first, last string) []string {
	from, errFrom := strconv.Atoi(first)
	to, errTo := strconv.Atoi(last)
	if errFrom != nil || errTo != nil || to < from || to-from >= maxCitedRange {
		return nil
	}
	var ids []string
	for n := from; n <= to; n++ {
		ids = append(ids, letter+strconv.Itoa(n))
	}
	return ids
}

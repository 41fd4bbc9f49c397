package debate

import (
	"slices"
	"strconv"
	"strings"
)

var (
	bracketPattern    = lazyRegexp(`\[([^\[\]\n]{2,200})\]`)
	citationPattern   = lazyRegexp(`^[Cc]0*([1-9]\d{0,5})$`)
	citedRangePattern = lazyRegexp(`^[Cc]0*([1-9]\d{0,5})` + rangeSign + `[Cc]?0*([1-9]\d{0,5})$`)
	citationSeparator = lazyRegexp(`\s*(?:[,;&/]|\band\b)\s*`)
)

// maxCitedRange is the longest range that counts as a citation.
const maxCitedRange = 50

// citedGroup is what one pair of square brackets cites.
type citedGroup struct {
	requests []string
	evidence []Citation
}

// citedIn returns the groups that a text cites.
func citedIn(text string) []citedGroup {
	var out []citedGroup
	for _, m := range bracketPattern().FindAllStringSubmatch(text, -1) {
		if g, ok := parseGroup(m[1]); ok {
			out = append(out, g)
		}
	}
	return out
}

// parseGroup reads what stands between square brackets. It reports false if any of that
// is no citation.
func parseGroup(text string) (g citedGroup, ok bool) {
	for _, part := range citationSeparator().Split(strings.TrimSpace(text), -1) {
		if part == "" {
			continue
		}
		if ids := parseCitation(part); ids != nil {
			g.requests = append(g.requests, ids...)
			continue
		}
		before := ""
		if n := len(g.evidence); n > 0 {
			before = g.evidence[n-1].ID
		}
		cited := parseEvidenceCitation(part, before)
		if cited == nil {
			return citedGroup{}, false
		}
		g.evidence = append(g.evidence, cited...)
	}
	return g, len(g.requests)+len(g.evidence) > 0
}

// CitedRequests returns the ids of the context requests that a text cites in square
// brackets, each once: alone as [C1], in a group as [C1, C2], or as a range [C1-C3].
// Brackets with any other content than citations cite nothing.
func CitedRequests(text string) []string {
	var out []string
	for _, g := range citedIn(text) {
		for _, id := range g.requests {
			if !slices.Contains(out, id) {
				out = append(out, id)
			}
		}
	}
	return out
}

// Evidence returns what a statement cites besides evidence of the user: ids of context
// requests, and other sources by name. An entry may be listed more than once.
func (s Statement) Evidence() (requests, others []string) {
	requests = slices.Clone(s.ContextUsed)
	requests = append(requests, CitedRequests(s.Body)...)
	requests = append(requests, CitedRequests(s.Position)...)
	for _, c := range s.Citations {
		if g, ok := parseGroup(strings.Trim(c, "[] ")); ok {
			requests = append(requests, g.requests...)
			continue
		}
		others = append(others, c)
		requests = append(requests, CitedRequests(c)...)
	}
	return requests, others
}

// CitedEvidence returns the evidence that a statement cites, each citation once.
func (s Statement) CitedEvidence() []Citation {
	groups := append(citedIn(s.Position), citedIn(s.Body)...) // joined they would be a copy of a long text
	for _, entry := range s.Citations {
		if g, ok := parseGroup(strings.Trim(entry, "[] ")); ok {
			groups = append(groups, g)
		} else {
			groups = append(groups, citedIn(entry)...)
		}
	}
	return citedEvidence(groups)
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

// Cites returns what a statement cites, each once: context requests first, then evidence
// and then its own citations.
func (x Response) Cites() []string {
	s := x.Statement
	out := slices.Clone(s.ContextUsed)
	out = append(out, CitedRequests(s.Position)...)
	out = append(out, CitedRequests(s.Body)...)
	for _, c := range s.CitedEvidence() {
		out = append(out, c.String())
	}
	for _, entry := range s.Citations {
		if g, ok := parseGroup(strings.Trim(entry, "[] ")); !ok || len(g.evidence) == 0 {
			out = append(out, entry)
		} else {
			out = append(out, g.requests...)
		}
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(out, func(id string) bool {
		again := seen[id]
		seen[id] = true
		return again
	})
}

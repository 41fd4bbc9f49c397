package debate

import (
	"slices"
	"strconv"
	"strings"
)

var (
	bracketPattern    = lazyRegexp(`\[([^\[\]\n]{2,200})\]`)
	citationPattern   = lazyRegexp(`^[Cc]0*([1-9]\d{0,5})$`)
	citedRangePattern = lazyRegexp(`^[Cc]0*([1-9]\d{0,5})\s*(?:-|–|—|\.\.|to)\s*[Cc]?0*([1-9]\d{0,5})$`)
	citationSeparator = lazyRegexp(`\s*(?:[,;&/]|\band\b)\s*`)
)

// maxCitedRange is the longest range that counts as a citation.
const maxCitedRange = 50

// CitedRequests returns the ids of the context requests that a text cites in square
// brackets, each once: alone as [C1], in a group as [C1, C2], or as a range [C1-C3].
// Brackets with any other content cite nothing.
func CitedRequests(text string) []string {
	var out []string
	for _, m := range bracketPattern().FindAllStringSubmatch(text, -1) {
		var group []string
		for _, part := range citationSeparator().Split(strings.TrimSpace(m[1]), -1) {
			ids := parseCitation(part)
			if part != "" && ids == nil {
				group = nil
				break
			}
			group = append(group, ids...)
		}
		for _, id := range group {
			if !slices.Contains(out, id) {
				out = append(out, id)
			}
		}
	}
	return out
}

// Evidence returns what a statement cites: ids of context requests, and other sources by
// name. An entry may be listed more than once.
func (s Statement) Evidence() (requests, others []string) {
	requests = slices.Clone(s.ContextUsed)
	requests = append(requests, CitedRequests(s.Body+" "+s.Position)...)
	for _, c := range s.Citations {
		if ids := CitedRequests("[" + strings.Trim(c, "[] ") + "]"); ids != nil {
			requests = append(requests, ids...)
			continue
		}
		others = append(others, c)
		requests = append(requests, CitedRequests(c)...)
	}
	return requests, others
}

// parseCitation returns the ids that one member of a group names: an id or a range.
func parseCitation(part string) []string {
	if m := citationPattern().FindStringSubmatch(part); m != nil {
		return []string{"C" + m[1]}
	}
	m := citedRangePattern().FindStringSubmatch(part)
	if m == nil {
		return nil
	}
	from, errFrom := strconv.Atoi(m[1])
	to, errTo := strconv.Atoi(m[2])
	if errFrom != nil || errTo != nil || to < from || to-from >= maxCitedRange {
		return nil
	}
	var ids []string
	for n := from; n <= to; n++ {
		ids = append(ids, "C"+strconv.Itoa(n))
	}
	return ids
}

// Cites returns what a statement cites, each once: context requests first, then its own
// citations.
func (x Response) Cites() []string {
	s := x.Statement
	out := slices.Clone(s.ContextUsed)
	out = append(out, CitedRequests(s.Position)...)
	out = append(out, CitedRequests(s.Body)...)
	out = append(out, s.Citations...)
	seen := map[string]bool{}
	return slices.DeleteFunc(out, func(id string) bool {
		again := seen[id]
		seen[id] = true
		return again
	})
}

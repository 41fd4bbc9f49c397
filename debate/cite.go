package debate

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	bracketed = regexp.MustCompile(`\[([^\[\]\n]{2,200})\]`)
	citation  = regexp.MustCompile(`^[Cc]0*([1-9]\d{0,5})$`)
	citeRange = regexp.MustCompile(`^[Cc]0*([1-9]\d{0,5})\s*(?:-|–|—|\.\.|to)\s*[Cc]?0*([1-9]\d{0,5})$`)
	citeSep   = regexp.MustCompile(`\s*(?:[,;&/]|\band\b)\s*`)
)

// mostCited is the longest range of citations that is taken for one.
const mostCited = 50

// CitedIn lists the answers of the user that a text cites in square brackets, each
// once: alone as [C1], in a group as [C1, C2], and as a range [C1-C3]. Brackets
// that hold anything else cite nothing.
func CitedIn(text string) []string {
	var out []string
	for _, m := range bracketed.FindAllStringSubmatch(text, -1) {
		var group []string
		for _, part := range citeSep.Split(strings.TrimSpace(m[1]), -1) {
			ids := citedAs(part)
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

// Evidence is what a statement cites: answers of the user by their ids, and other
// sources as they are named. The same one may be listed more than once.
func (s Statement) Evidence() (requests, others []string) {
	requests = slices.Clone(s.ContextUsed)
	requests = append(requests, CitedIn(s.Body+" "+s.Position)...)
	for _, c := range s.Citations {
		if ids := CitedIn("[" + strings.Trim(c, "[] ") + "]"); ids != nil {
			requests = append(requests, ids...)
			continue
		}
		others = append(others, c)
		requests = append(requests, CitedIn(c)...)
	}
	return requests, others
}

// citedAs reads one member of a group: an id, or a range of them.
func citedAs(part string) []string {
	if m := citation.FindStringSubmatch(part); m != nil {
		return []string{"C" + m[1]}
	}
	m := citeRange.FindStringSubmatch(part)
	if m == nil {
		return nil
	}
	from, errFrom := strconv.Atoi(m[1])
	to, errTo := strconv.Atoi(m[2])
	if errFrom != nil || errTo != nil || to < from || to-from >= mostCited {
		return nil
	}
	var ids []string
	for n := from; n <= to; n++ {
		ids = append(ids, "C"+strconv.Itoa(n))
	}
	return ids
}

// Cites lists what a statement names as its grounds, each once: answers of the
// user first, then its own citations.
func (x Response) Cites() []string {
	s := x.Statement
	out := slices.Clone(s.ContextUsed)
	out = append(out, CitedIn(s.Position+" "+s.Body)...)
	out = append(out, s.Citations...)
	seen := map[string]bool{}
	return slices.DeleteFunc(out, func(id string) bool {
		again := seen[id]
		seen[id] = true
		return again
	})
}

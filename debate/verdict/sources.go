package verdict

import (
	"fmt"
	"slices"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/debate/ledger"
)

// sources lists the released answers with who cites them, and what is cited although
// nobody was told it, or although it is not there. Text is the chair's report.
func sources(s debate.Session, text string) (lines []debate.SourceLine, unknown []string) {
	by := map[string][]agents.ID{}
	seen := map[string]bool{}
	addUnknown := func(id string) {
		if revision(s, id, len(s.History)) == 0 && markSeen(seen, id) {
			unknown = append(unknown, id)
		}
	}
	for _, r := range s.History {
		for _, x := range r.Statements() {
			requests, _ := cite.Sources(x.Statement)
			for _, id := range requests {
				addUnknown(id)
				if revision(s, id, r.Number) > 0 && !slices.Contains(by[id], x.Turn.Agent) {
					by[id] = append(by[id], x.Turn.Agent)
				}
			}
		}
	}
	for _, id := range cite.Requests(text) {
		addUnknown(id)
	}
	s.Verdict = &debate.Verdict{Text: text}
	for _, c := range cite.All(s) {
		if id := c.Citation.String(); c.Problem != "" && markSeen(seen, id) {
			unknown = append(unknown, id)
		}
	}
	for _, q := range s.Requests {
		a, released := q.Revision(revision(s, q.ID, len(s.History)))
		if !released {
			continue
		}
		line := debate.SourceLine{ID: q.ID, Text: a.Content, Source: a.Source, CitedBy: by[q.ID]}
		if a.Outcome == ledger.Unavailable {
			line.Text = fmt.Sprintf("unavailable: %s", a.Content)
		}
		lines = append(lines, line)
	}
	return lines, unknown
}

// markSeen adds item to seen and reports whether it is new.
func markSeen(seen map[string]bool, item string) bool {
	if seen[item] {
		return false
	}
	seen[item] = true
	return true
}

// revision returns the revision of an answer that the speakers of a round had, 0 if
// none.
func revision(s debate.Session, id string, round int) int {
	n := 0
	q, _ := s.Request(id)
	for _, d := range q.Delivered {
		if d.Round <= round {
			n = d.Revision
		}
	}
	return n
}

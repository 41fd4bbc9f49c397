package verdict

import (
	"fmt"
	"slices"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
)

// sources lists the released answers with who cites them, and what is cited
// although nobody was told it. Text is the chair's report.
func sources(s debate.Session, text string) (lines []debate.SourceLine, unknown []string) {
	by := map[string][]agents.ID{}
	seen := map[string]bool{}
	flag := func(id string) {
		if revision(s, id, len(s.History)) == 0 && markSeen(seen, id) {
			unknown = append(unknown, id)
		}
	}
	for _, r := range s.History {
		for _, x := range r.Statements() {
			requests, _ := x.Statement.Evidence()
			for _, id := range requests {
				flag(id)
				if revision(s, id, r.Number) > 0 && !slices.Contains(by[id], x.Turn.Agent) {
					by[id] = append(by[id], x.Turn.Agent)
				}
			}
		}
	}
	for _, id := range debate.CitedRequests(text) {
		flag(id)
	}
	for _, q := range s.Requests {
		a, told := q.Revision(revision(s, q.ID, len(s.History)))
		if !told {
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

// revision is the one of a request's answer that the speakers of a round were given; 0 if none.
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

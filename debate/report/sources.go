package report

import (
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/debate/ledger"
)

// sourcesOf returns the released answers of the user, cited or not, then everything else
// that statements cite, in the order of rounds and seats.
func sourcesOf(s debate.Session) []Source {
	out := []Source{}
	for _, q := range s.Requests {
		if n := len(q.Delivered); n > 0 {
			a, _ := q.Revision(q.Delivered[n-1].Revision)
			text := a.Content
			if a.Outcome == ledger.Unavailable {
				text = "unavailable: " + text
			}
			out = append(out, Source{Ref: q.ID, Request: true, Told: true, Text: text, Source: a.Source, CitedBy: []Citation{}})
		}
	}
	for _, r := range s.History {
		for _, x := range r.Latest() {
			if x.State != debate.TurnDone {
				continue
			}
			requests, others := cite.Sources(x.Statement)
			for _, id := range requests {
				out = addCitation(out, Source{Ref: id, Request: true, Told: toldBy(s, id, r.Number)}, x.Turn.Agent, r.Number)
			}
			for _, ref := range others {
				out = addCitation(out, Source{Ref: ref, Told: true}, x.Turn.Agent, r.Number)
			}
		}
	}
	return out
}

// toldBy reports whether the answer to a request was released for a round or before it.
func toldBy(s debate.Session, id string, round int) bool {
	q, _ := s.Request(id)
	return slices.ContainsFunc(q.Delivered, func(d ledger.Delivery) bool { return d.Round <= round })
}

// addCitation adds a citation to its source, and the source if it is new. A request that
// was cited before its answer was released is a source of its own.
func addCitation(list []Source, src Source, who agents.ID, round int) []Source {
	i := slices.IndexFunc(list, func(o Source) bool { return o.Ref == src.Ref && o.Request == src.Request && o.Told == src.Told })
	if i < 0 {
		i = len(list)
		list = append(list, src)
	}
	by := list[i].CitedBy
	j := slices.IndexFunc(by, func(c Citation) bool { return c.Agent == who })
	switch {
	case j < 0:
		list[i].CitedBy = append(by, Citation{who, []int{round}})
	case !slices.Contains(by[j].Rounds, round):
		by[j].Rounds = append(by[j].Rounds, round)
	}
	return list
}

// unknownCitations says who cites answers that nobody was given. Those of evidence are
// among the citations, with what is wrong.
func unknownCitations(v debate.Verdict, s debate.Session, n names) []string {
	if len(v.UnknownCitations) == 0 {
		return nil
	}
	citing := map[string][]agents.ID{} // gathered once: statements are long, and may cite much
	for _, r := range s.History {
		for _, x := range r.Statements() {
			cited, _ := cite.Sources(x.Statement)
			for _, id := range cited {
				if !slices.Contains(citing[id], x.Turn.Agent) {
					citing[id] = append(citing[id], x.Turn.Agent)
				}
			}
		}
	}
	inReport := cite.Requests(v.Text)
	var out []string
	for _, id := range v.UnknownCitations {
		if !strings.HasPrefix(id, "F") {
			by := n.citing(citing[id], slices.Contains(inReport, id))
			out = append(out, wrongCitation(id, by, "Nobody was given "+id+"."))
		}
	}
	return out
}

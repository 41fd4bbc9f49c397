package receipt

import (
	"cmp"
	"slices"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/text"
)

// requester is on whose behalf a request was sent: a seat, the chairs or the light
// model.
type requester struct {
	purpose debate.Purpose
	seat    agents.ID // "" but for members
}

func requesterOf(r debate.Receipt) requester {
	if r.Purpose == debate.ForMember {
		return requester{r.Purpose, r.Turn.Agent}
	}
	return requester{purpose: r.Purpose}
}

// called names a requester.
func (sc *Screen) called(who requester) string {
	switch who.purpose {
	case debate.ForChair:
		return "the chair"
	case debate.ForLight:
		return "the light model"
	case debate.ForFollowUp:
		return "who answers follow-ups"
	case debate.ForMember:
	}
	p, n := sc.session.Seat(who.seat)
	if n == 0 {
		return string(who.seat)
	}
	return text.Line(p.Name)
}

// requesters lists all for whom something was sent: the seats in their order, then
// the others.
func requesters(s debate.Session, all []debate.Receipt) []requester {
	var out []requester
	for _, p := range s.Seats {
		out = append(out, requester{debate.ForMember, p.ID})
	}
	out = append(out, requester{purpose: debate.ForChair}, requester{purpose: debate.ForLight}, requester{purpose: debate.ForFollowUp})
	return slices.DeleteFunc(out, func(who requester) bool { return len(sentFor(all, who)) == 0 })
}

// sentFor returns the requests of one requester, by round, step, attempt and number.
func sentFor(all []debate.Receipt, who requester) []debate.Receipt {
	out := slices.DeleteFunc(slices.Clone(all), func(r debate.Receipt) bool { return requesterOf(r) != who })
	slices.SortStableFunc(out, func(a, b debate.Receipt) int {
		return cmp.Or(a.Turn.Round-b.Turn.Round, a.Turn.Step-b.Turn.Step, a.Turn.Attempt-b.Turn.Attempt, a.N-b.N)
	})
	return out
}

// lastOf returns the last request of a round, or of all where it has none.
func lastOf(sent []debate.Receipt, round int) debate.Receipt {
	last := sent[len(sent)-1]
	for _, r := range sent {
		if r.Turn.Round == round {
			last = r
		}
	}
	return last
}

// axis is along which another request is chosen: of the next requester, of another
// round, or the one next to it.
type axis int

const (
	bySeat axis = iota
	byRound
	byRequest
)

// neighbour returns the request that lies n steps along an axis from another.
func neighbour(s debate.Session, all []debate.Receipt, from debate.Receipt, along axis, n int) debate.Receipt {
	who := requesterOf(from)
	sent := sentFor(all, who)
	at := slices.IndexFunc(sent, func(r debate.Receipt) bool { return r.Turn == from.Turn && r.N == from.N })
	if at < 0 {
		return from
	}
	switch along {
	case bySeat:
		others := requesters(s, all)
		i := (slices.Index(others, who) + n + len(others)) % len(others)
		return lastOf(sentFor(all, others[i]), from.Turn.Round)
	case byRound:
		to := from
		for i := at; i >= 0 && i < len(sent); i += n {
			if sent[i].Turn.Round != from.Turn.Round {
				to = lastOf(sent, sent[i].Turn.Round)
				break
			}
		}
		return to
	default:
		return sent[max(0, min(at+n, len(sent)-1))]
	}
}

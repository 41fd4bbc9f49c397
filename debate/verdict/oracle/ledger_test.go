package oracle_test

import (
	"slices"
)

// move is an entry of the change ledger.
type move struct {
	seat, round int
	change      string
	side        string
	cites       []string
}

// ledgerOf returns the change ledger, by seat and round.
func ledgerOf(p panel, r reader) []move {
	m := builtinMode(p.mode, p.old())
	if m.asks == "ranking" {
		return nil
	}
	var out []move
	for _, seat := range voters(p) {
		var earlier *vote // the last with a side
		round := 0        // of it
		for n := 1; n <= len(p.rounds); n++ {
			_, votes := p.spoken(n, m.votes, seat)
			t, polled := p.spoken(n, m.poll, seat)
			if polled = polled && m.poll != ""; polled {
				v := vote{t, r.read(t.means)}
				if !votes {
					change, _ := changeOf(p, r, v, n, nil, 0)
					out = append(out, move{seat: seat, round: n, change: change, side: v.name})
				}
				if v.name != "" {
					earlier, round = &v, n
				}
			}
			if !held(p, n, m.votes) || polled && !votes {
				continue
			}
			e := move{seat: seat, round: n, change: "missing"}
			if t, ok := p.spoken(n, m.votes, seat); ok {
				v := vote{t, r.read(t.means)}
				e.change, e.cites = changeOf(p, r, v, n, earlier, round)
				e.side = v.name
				if v.name != "" {
					earlier, round = &v, n
				}
			}
			out = append(out, e)
		}
	}
	return out
}

// changeOf says how a vote of a round differs from the last one with a side, and which
// answers decided about that.
func changeOf(p panel, r reader, v vote, round int, earlier *vote, since int) (change string, cites []string) {
	switch {
	case v.name == "":
		return "not_stated", nil
	case earlier == nil:
		return "opening", nil
	case v.name == earlier.name && sameText(v.label, earlier.label):
		return "held", nil
	case v.name == earlier.name:
		return "held_other", nil
	case !r.comparable(v.label, earlier.label):
		return "other_label", nil
	}
	var known, fresh []string
	for _, id := range v.means.cites {
		switch released := releasedFor(p, id, round); {
		case released > since:
			fresh = append(fresh, id)
		case released > 0:
			known = append(known, id)
		}
	}
	switch {
	case len(fresh) > 0:
		return "revised", fresh
	case len(known) > 0:
		return "revised_known", known
	default:
		return "conformed", nil
	}
}

// releasedFor returns the round for which the answer that a round knows was released; 0
// if it knows none.
func releasedFor(p panel, id string, round int) int {
	released := 0
	for i, f := range p.facts {
		if id != factID(i) {
			continue
		}
		for _, v := range f.revisions {
			if v.round <= round {
				released = 0
				if v.answered {
					released = v.round
				}
			}
		}
	}
	return released
}

func factID(i int) string { return "C" + string(rune('1'+i)) }

// countOf counts the votes of a round with the groupings of the rounds up to another one.
func countOf(p panel, round, grouped int) tally {
	return count(p, votesIn(p, newReader(p, round, grouped), round, builtinMode(p.mode, p.old()).votes))
}

// countsSides reports whether votes are counted on sides at all.
func countsSides(p panel) bool {
	return builtinMode(p.mode, p.old()).asks != "ranking" && p.kind != "estimate" && len(voters(p)) > 0
}

// agreed returns how many voters hold the only side of a count, if there are at least
// two; else 0.
func agreed(t tally) int {
	if len(t.sides) != 1 || t.votes[t.sides[0]] < 2 {
		return 0
	}
	return t.votes[t.sides[0]]
}

// contradicts reports whether a model's level in percent contradicts the count.
func contradicts(p panel, t tally, percent int) bool {
	if !countsSides(p) {
		return false
	}
	most := 0
	for _, n := range t.votes {
		most = max(most, n)
	}
	return percent*t.voters > 100*most || percent > 50 && len(t.sides) > 1
}

// consensusEnds reports whether a level in percent ends the debate by --consensus after
// a round.
func consensusEnds(p panel, round, grouped, percent, threshold int) bool {
	t := countOf(p, round, grouped)
	if !countsSides(p) || !held(p, round, builtinMode(p.mode, p.old()).votes) || agreed(t) == 0 || contradicts(p, t, percent) {
		return false
	}
	for seat := range p.names { // all seats answered
		if !slices.ContainsFunc(p.rounds[round-1].turns, func(t turn) bool { return t.seat == seat && t.failed == "" }) {
			return false
		}
	}
	return percent >= threshold
}

// converges reports whether a round ends the debate by --convergence.
func converges(p panel, round int) bool {
	m := builtinMode(p.mode, p.old())
	if round < 2 || m.asks == "ranking" || !held(p, round, m.votes) || !held(p, round-1, m.votes) {
		return false
	}
	r := newReader(p, round, round)
	now, before := votesIn(p, r, round, m.votes), votesIn(p, r, round-1, m.votes)
	for _, seat := range voters(p) {
		a, voted := find(before, seat)
		b, again := find(now, seat)
		if voted != again || voted && (a.name == "" || a.name != b.name) {
			return false
		}
	}
	return len(now) >= 2
}

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
			for _, phase := range m.votePhases() {
				if !held(p, n, phase) {
					continue
				}
				e := move{seat: seat, round: n, change: "missing"}
				if t, ok := p.spoken(n, phase, seat); ok {
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

// computedLevel returns the computed consensus of a round as holders of all voters; none
// is 0 of them.
func computedLevel(p panel, round int) (holders, of int, name string) {
	m := builtinMode(p.mode, p.old())
	of = len(voters(p))
	if m.asks == "ranking" {
		return 0, of, ""
	}
	for _, v := range votesIn(p, newReader(p, round, round), round, m.votes) {
		switch {
		case v.name == "":
		case name == "" || name == v.name:
			name, holders = v.name, holders+1
		default:
			return 0, of, ""
		}
	}
	if holders < 2 {
		return 0, of, ""
	}
	return holders, of, name
}

// consensusEnds reports whether a level of a round ends the debate by --consensus.
func consensusEnds(p panel, round int, threshold float64) bool {
	m := builtinMode(p.mode, p.old())
	holders, of, _ := computedLevel(p, round)
	if !held(p, round, m.votes) || holders < 2 || float64(holders)/float64(of) < threshold {
		return false
	}
	for seat := range p.names { // all seats answered
		if !slices.ContainsFunc(p.rounds[round-1].turns, func(t turn) bool { return t.seat == seat && t.failed == "" }) {
			return false
		}
	}
	return true
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

package oracle_test

import (
	"slices"
)

// move is an entry of the change ledger.
type move struct {
	seat, round int
	change      string
	side        string
	grounds
}

// grounds are what somebody changed on.
type grounds struct {
	cites     []string
	also      []string
	by        int  // the member that convinced it; -1 for none
	nothing   bool // by its own account nothing new
	known     bool // the citations were known before
	fromStart bool // and from the start
	undecided bool // it was undecided before
}

// ledgerOf returns the change ledger, by seat and round.
func ledgerOf(p panel, r reader) []move {
	m := builtinMode(p.mode, p.old())
	if m.asks == "ranking" {
		return nil
	}
	var out []move
	for _, seat := range voters(p) {
		var earlier, undecided *vote // the last with a side, and without one
		since := map[*vote]int{}
		for n := 1; n <= len(p.rounds); n++ {
			e := move{seat: seat, round: n, change: "missing", grounds: grounds{by: -1}}
			listed := planned(p, n, m.votes)
			for _, phase := range m.votePhases() {
				t, ok := p.spoken(n, phase, seat)
				if !ok {
					continue
				}
				listed = true
				v := vote{t, r.read(t.means)}
				e.side = v.name
				e.change, e.grounds = changeOf(p, r, v, n, earlier, undecided, since)
				switch since[&v] = n; {
				case v.name != "":
					earlier = &v
				case r.readable(t.means):
					undecided = &v
				}
			}
			if listed {
				out = append(out, e)
			}
		}
	}
	return out
}

// changeOf says how a vote of a round differs from the last one with a side, or from one
// that said to be undecided, and on what.
func changeOf(p panel, r reader, v vote, round int, earlier, undecided *vote, since map[*vote]int) (string, grounds) {
	none := grounds{by: -1}
	switch {
	case v.name == "":
		return "not_stated", none
	case earlier == nil && undecided == nil:
		return "opening", none
	case earlier == nil:
		_, g := groundsOf(p, r, v, round, since[undecided])
		g.undecided = true
		return "opening", g
	case v.name == earlier.name && (r.kind != "open" || sameText(v.label, earlier.label)):
		return "held", none
	case v.name == earlier.name:
		return "held_other", none
	case !r.comparable(v.name, earlier.name), r.kind == "estimate" && !sameUnit(r, v, *earlier):
		return "other_label", none
	}
	return groundsOf(p, r, v, round, since[earlier])
}

func sameUnit(r reader, a, b vote) bool {
	return r.oneUnit(r.figure(a.means).unit) == r.oneUnit(r.figure(b.means).unit)
}

// groundsOf says on what a vote changed since a round.
func groundsOf(p panel, r reader, v vote, round, since int) (change string, g grounds) {
	g.by = -1
	said := v.means.changedBy
	cited := v.means.cites
	own := "" // the fact that it names, if it was there
	if said != nil && said.fact != "" && releasedFor(p, said.fact, round) > 0 {
		own = said.fact
	}
	if own != "" && !slices.Contains(cited, own) {
		cited = append(slices.Clone(cited), own)
	}
	var known, fresh []string
	for _, id := range cited {
		switch released := releasedFor(p, id, round); {
		case released > since:
			fresh = append(fresh, id)
		case released > 0:
			known = append(known, id)
		}
	}
	all := slices.Concat(fresh, known)
	switch {
	case own != "":
		g.cites, g.also = []string{own}, slices.DeleteFunc(all, func(id string) bool { return id == own })
		g.known = slices.Contains(known, own)
	case said != nil && said.seat >= 0 && heldBefore(p, r, v, round, said.seat):
		g.by, g.also = said.seat, all
		return "convinced", g
	case said != nil && said.fact == "" && said.seat < 0 && !said.nonsense:
		g.nothing, g.also = true, all
		return "conformed", g
	case len(fresh) > 0:
		g.cites = fresh
	case len(known) > 0:
		g.cites, g.known = known, true
	default:
		return "conformed", g
	}
	if !g.known {
		return "revised", g
	}
	g.fromStart = !slices.ContainsFunc(g.cites, func(id string) bool { return firstReleased(p, id) > 1 })
	return "revised_known", g
}

// heldBefore reports whether a member held the side of a vote in what its voter had read.
func heldBefore(p panel, r reader, v vote, round, member int) bool {
	if member == v.seat {
		return false
	}
	for n := 1; n <= round; n++ {
		for _, s := range plannedSteps(p.mode, len(p.names), n, p.planned, p.old()) {
			if n == round && slices.Contains(s.seats, v.seat) && s.phase == v.phase {
				break // what comes later, or at the same time
			}
			t, ok := p.spoken(n, s.phase, member)
			if ok && slices.Contains(s.seats, member) && r.read(t.means).name == v.name {
				return true
			}
		}
	}
	return false
}

// releasedFor returns the round for which the answer that a round knows was released; 0
// if it knows none.
func releasedFor(p panel, id string, round int) int {
	released := 0
	for _, v := range revisionsOf(p, id) {
		if v.round <= round {
			released = 0
			if v.answered {
				released = v.round
			}
		}
	}
	return released
}

// firstReleased returns the first round that had an answer.
func firstReleased(p panel, id string) int { return revisionsOf(p, id)[0].round }

func revisionsOf(p panel, id string) []revision {
	for i, f := range p.facts {
		if id == factID(i) {
			return f.revisions
		}
	}
	return nil
}

func factID(i int) string { return "C" + string(rune('1'+i)) }

// countOf counts the votes of a round with a grouping.
func countOf(p panel, round int, g *grouping) tally {
	r := newReader(p, round, g)
	return r.count(votesIn(p, r, round, builtinMode(p.mode, p.old()).votes), len(voters(p)))
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
// a round. One that exists by a grouping alone does not.
func consensusEnds(p panel, round int, g *grouping, percent, threshold int) bool {
	t := countOf(p, round, g)
	if !countsSides(p) || !planned(p, round, builtinMode(p.mode, p.old()).votes) || agreed(t) == 0 || contradicts(p, t, percent) ||
		agreed(countOf(p, round, nil)) == 0 {
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
	if round < 2 || m.asks == "ranking" || !planned(p, round, m.votes) || !planned(p, round-1, m.votes) {
		return false
	}
	r := newReader(p, round, groupingAt(p, round))
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

package oracle_test

import (
	"flag"
	"runtime/debug"
	"strings"
	"testing"

	"roundtable/debate/verdict"
)

var firstSeed = flag.Uint64("seed", 1, "first seed of the generated panels")

// TestVerdict_agreesWithOracle compares all figures of generated panels, and their headlines.
func TestVerdict_agreesWithOracle(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // panels are short-lived: a third of the time goes into collecting them
	panels := uint64(5000)
	if testing.Short() || underRace { // nothing here runs beside anything else
		panels = 500
	}
	wrong := 0
	figures := map[string]int{}
	for seed := *firstSeed; seed < *firstSeed+panels; seed++ {
		p := generate(seed)
		found := differ(t, p)
		if len(found) == 0 {
			continue
		}
		name := figure(found[0])
		figures[name]++
		if wrong++; figures[name] > 1 {
			continue
		}
		p, found = shrink(t, p, found)
		t.Errorf("go test ./debate/verdict/oracle -args -seed %d\n%s\n  %s", seed, p, strings.Join(found, "\n  "))
	}
	t.Logf("%d panels from seed %d, %d disagree: %v", panels, *firstSeed, wrong, figures)
}

// differ returns what the program computes otherwise than the oracle.
func differ(t *testing.T, p panel) differences {
	f := build(t, p, verdict.CheckStatement)
	return append(compareVerdict(p, f), compareRounds(p, f)...)
}

// shrink returns the smallest panel that it finds by leaving out what still fails in
// the same figure.
func shrink(t *testing.T, p panel, found differences) (panel, differences) {
	for again := true; again; {
		again = false
		for _, smaller := range reductions(p) {
			if d := differ(t, smaller); len(d) > 0 && figure(d[0]) == figure(found[0]) {
				p, found, again = smaller, d, true
				break
			}
		}
	}
	return p, found
}

// figure returns the name of the figure in which a difference is.
func figure(difference string) string {
	name, _, _ := strings.Cut(difference, ":")
	return name
}

// reductions returns panels with a round, a seat, a failure or a fact less.
func reductions(p panel) []panel {
	var out []panel
	if n := len(p.rounds); n > 1 {
		q := p.clone()
		q.rounds = q.rounds[:n-1]
		q.planned = max(p.planned-1, n-1)
		q.cut = false
		out = append(out, q)
	}
	for i := range p.names {
		if q, ok := withoutSeat(p, i); ok {
			out = append(out, q)
		}
	}
	for i, r := range p.rounds {
		for j, t := range r.turns {
			if t.retried {
				q := p.clone()
				q.rounds[i].turns[j].retried = false
				out = append(out, q)
			}
		}
		if r.grouping != nil {
			q := p.clone()
			q.rounds[i].grouping = nil
			out = append(out, q)
		}
	}
	if n := len(p.facts); n > 0 {
		q := p.clone()
		q.facts = q.facts[:n-1]
		out = append(out, q)
	}
	out = append(out, simplified(p)...)
	valid := out[:0]
	for _, q := range out {
		if complete(q) {
			valid = append(valid, q)
		}
	}
	return valid
}

func simplified(p panel) []panel {
	var out []panel
	if p.stop != "" && len(p.rounds) == p.planned && !p.cut {
		q := p.clone()
		q.stop = ""
		out = append(out, q)
	}
	if p.chair.absent || p.chair.groups != nil {
		q := p.clone()
		q.chair = chair{}
		out = append(out, q)
	}
	if p.oneModel {
		q := p.clone()
		q.oneModel = false
		out = append(out, q)
	}
	return out
}

// withoutSeat returns the panel without a seat; false where others name it.
func withoutSeat(p panel, seat int) (panel, bool) {
	m := builtinMode(p.mode, p.old())
	if m.asks == "ranking" || len(p.names) <= m.min {
		return p, false
	}
	q := p.clone()
	q.chair.groups = nil
	q.names = append(append([]string(nil), p.names[:seat]...), p.names[seat+1:]...)
	for i, r := range p.rounds {
		q.rounds[i].grouping = nil
		q.rounds[i].turns = nil
		for _, t := range r.turns {
			if t.seat == seat {
				continue
			}
			if a := t.means.changedBy; a != nil && a.seat >= 0 {
				return p, false
			}
			if t.seat > seat {
				t.seat--
			}
			q.rounds[i].turns = append(q.rounds[i].turns, t)
		}
	}
	return q, true
}

// Package oracle_test computes the figures of generated debates in a plain and slow way,
// from docs/verdict.md alone, and compares them with what debate/verdict computes.
//
// A panel is described without the types of the program; only the builder and the
// comparison know them.
package oracle_test

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// panel is a whole debate: who sits where, what everybody said, and what it means.
type panel struct {
	seed     uint64
	mode     string
	names    []string
	kind     string // of the question; "" in a session of an earlier version
	options  []string
	criteria []string
	planned  int    // rounds
	stop     string // "", "user" or "budget"
	noChair  bool   // no chair's report
	facts    []fact // C1, C2, ...
	rounds   []round
}

// fact is a question to the user with its answers.
type fact struct {
	asked     int // in this round
	revisions []revision
}

// revision is an answer as it was released for a round. A later one is a correction.
type revision struct {
	round    int
	answered bool // false: unavailable
}

// round is a round that was played to its end.
type round struct {
	turns    []turn // in any order
	grouping [][]string
}

// turn is what a seat said in a phase, or why it did not.
type turn struct {
	phase   string
	seat    int    // from 0
	failed  string // the cause; "" if it spoke
	retried bool   // an earlier attempt failed
	raw     string
	means   meaning
}

// meaning is what a reader takes from a text.
type meaning struct {
	position   string
	stance     string // the word
	choice     string // the words
	confidence int    // in hundredths; -1: not stated
	estimate   *estimate
	cites      []string // C1, ...
	ballot     []ballotEntry
	scores     []scoreEntry
}

type estimate struct {
	value, low, high float64
	ranged           bool
	unit             string
}

// ballotEntry is an entry with the seat that it names; -1 for none or more than one.
type ballotEntry struct {
	raw  string // in JSON
	seat int
}

// scoreEntry is a score; nil is not on the scale. Names are those of the lists; "" is
// none of them.
type scoreEntry struct {
	option, criterion string
	score             *big.Rat
}

// turnOf returns what a seat did in a phase of a round.
func (p panel) turnOf(round int, phase string, seat int) (turn, bool) {
	for _, t := range p.rounds[round-1].turns {
		if t.phase == phase && t.seat == seat {
			return t, true
		}
	}
	return turn{}, false
}

// spoken returns what a seat said in a phase of a round, if it spoke.
func (p panel) spoken(round int, phase string, seat int) (turn, bool) {
	t, ok := p.turnOf(round, phase, seat)
	return t, ok && t.failed == ""
}

// clone returns a copy whose lists can be changed.
func (p panel) clone() panel {
	p.names = slices.Clone(p.names)
	p.facts = slices.Clone(p.facts)
	p.rounds = slices.Clone(p.rounds)
	for i := range p.rounds {
		p.rounds[i].turns = slices.Clone(p.rounds[i].turns)
	}
	return p
}

// String describes the panel for a reader.
func (p panel) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d: %s, seats %v, question %q, %d of %d rounds", p.seed, p.mode, p.names, p.kind, len(p.rounds), p.planned)
	if p.stop != "" {
		fmt.Fprintf(&b, ", stopped by %s", p.stop)
	}
	if len(p.options) > 0 {
		fmt.Fprintf(&b, ", options %q", p.options)
	}
	if len(p.criteria) > 0 {
		fmt.Fprintf(&b, ", criteria %q", p.criteria)
	}
	for i, f := range p.facts {
		fmt.Fprintf(&b, "\n  C%d asked in round %d: %+v", i+1, f.asked, f.revisions)
	}
	for i, r := range p.rounds {
		fmt.Fprintf(&b, "\n  round %d", i+1)
		for _, s := range plannedSteps(p.mode, len(p.names), i+1, p.planned, p.old()) {
			for _, seat := range s.seats {
				if t, ok := p.turnOf(i+1, s.phase, seat); ok {
					fmt.Fprintf(&b, "\n    %s %s", p.names[seat], describe(t))
				}
			}
		}
		if r.grouping != nil {
			fmt.Fprintf(&b, "\n    grouped: %q", r.grouping)
		}
	}
	return b.String()
}

func describe(t turn) string {
	text := ""
	if t.phase != "" {
		text = "(" + t.phase + ") "
	}
	if t.retried {
		text += "[second attempt] "
	}
	if t.failed != "" {
		return text + "fails: " + t.failed
	}
	return text + strings.ReplaceAll(t.raw, "\n", " ⏎ ")
}

// old reports whether the session is one of an earlier version, with a mode of its time.
func (p panel) old() bool { return p.kind == "" }

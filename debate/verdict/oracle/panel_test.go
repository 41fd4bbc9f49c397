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
	cut      bool   // the last round ended before all had spoken
	oneModel bool   // all seats are the same model
	chair    chair
	facts    []fact // C1, C2, ...
	rounds   []round
}

// chair is who writes the report.
type chair struct {
	absent bool // nobody does
	member bool // the first seat; else one outside of the panel
	groups [][]string
	agrees bool // a second reader puts the labels into the same groups
}

// fact is a question to the user with its answers.
type fact struct {
	asked     int // in this round
	required  bool
	revisions []revision
}

// revision is an answer as it was released for a round. A later one is a correction.
type revision struct {
	round    int
	answered bool // false: unavailable
}

// round is what was said in a round.
type round struct {
	turns    []turn // in any order
	grouping [][]string
}

// turn is what a seat said in a phase, or why it did not.
type turn struct {
	phase   string
	seat    int    // from 0
	failed  string // the cause, cancelled or cutOff; "" if it spoke
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
	changedBy  *account
	ballot     []ballotEntry
	scores     []scoreEntry
}

// Causes of a turn without a statement.
const (
	cancelled = "cancelled alone"
	cutOff    = "cut off at the end of the debate"
)

// account is what moved a member, as it says: a fact, a member, or neither, which is
// nothing unless it makes no sense.
type account struct {
	raw      string
	fact     string
	seat     int // -1 for none
	nonsense bool
}

// estimate is a figure. Other is what it is if the separator groups digits, where it can
// be read as two numbers.
type estimate struct {
	value, low, high float64
	ranged           bool
	unit             string
	separator        string // that makes it two numbers
	other            float64
	shows            string // of separators, such as ".groups ,decimal"
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
	fmt.Fprintf(&b, ", stopped by %q, cut short %v, one model %v, chair %+v", p.stop, p.cut, p.oneModel, p.chair)
	if len(p.options) > 0 {
		fmt.Fprintf(&b, ", options %q", p.options)
	}
	if len(p.criteria) > 0 {
		fmt.Fprintf(&b, ", criteria %q", p.criteria)
	}
	for i, f := range p.facts {
		fmt.Fprintf(&b, "\n  C%d asked in round %d, required %v: %+v", i+1, f.asked, f.required, f.revisions)
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

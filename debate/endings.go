package debate

import (
	"fmt"
	"strings"

	"roundtable/debate/ledger"
	"roundtable/internal/text"
)

// Ends says what ends a debate before its planned rounds.
type Ends string

// The values; "" leaves it to the mode.
const (
	EndsPlanned Ends = "planned" // nothing
	EndsAgreed  Ends = "agreed"  // all agree in the blind first round
	EndsSettled Ends = "settled" // no side has changed over two rounds
)

// AllEnds lists the values that a user can choose.
func AllEnds() []Ends { return []Ends{EndsPlanned, EndsAgreed, EndsSettled} }

// String says in a phrase when a debate ends before its last round; "" if it does not.
func (e Ends) String() string {
	switch e {
	case EndsAgreed:
		return "early if all agree, blind"
	case EndsSettled:
		return "early when no seat changes sides in two rounds"
	case EndsPlanned:
	}
	return ""
}

// EndsFor returns what ends a debate: what was chosen or, unless rounds are given, the mode's own.
func (m Mode) EndsFor(chosen Ends, rounds bool) Ends {
	switch {
	case chosen != "":
		return chosen
	case rounds || m.Ends == "":
		return EndsPlanned
	}
	return m.Ends
}

// Phrase says what ended a debate by itself.
func (r StopReason) Phrase() string {
	if r == EndedByConsensus {
		return "all agree, blind"
	}
	return "no seat changed sides in two rounds"
}

// Vetoes reports whether open required requests keep the debate going at an end condition.
func (s Session) Vetoes(r StopReason) bool {
	return r != NotStopped && s.Next() > 0 && len(s.Unanswered()) > 0
}

// VetoNotice says why the debate continues; "" if the session does not veto the reason.
func (s Session) VetoNotice(r StopReason) string {
	if !s.Vetoes(r) {
		return ""
	}
	ids := ledger.IDs(s.Unanswered())
	return fmt.Sprintf("%s, but %s %s required and open, so the debate continues.", text.Capitalize(r.Phrase()), strings.Join(ids, ", "),
		text.Inflect(len(ids), "is", "are"))
}

// StopReason says what ended a session other than its planned rounds.
type StopReason string

const (
	NotStopped         StopReason = ""
	StoppedByUser      StopReason = "user"
	StoppedByBudget    StopReason = "budget"
	EndedByConsensus   StopReason = "consensus"   // the decision rule was met
	EndedByConvergence StopReason = "convergence" // no member changed sides any more
	LeftUnfinished     StopReason = "gone"        // it has no verdict and can only be read, see Gone
)

// Forced reports whether the debate was cut short before its own end.
func (r StopReason) Forced() bool { return r == StoppedByUser || r == StoppedByBudget }

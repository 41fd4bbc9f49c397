package debate

import (
	"fmt"
	"math"
	"strings"

	"roundtable/agents"
)

// EndConditions says what ends a debate before its planned rounds. The zero value is
// that nothing does.
type EndConditions struct {
	OnConsensus bool    `json:"on_consensus,omitempty" toml:"on_consensus"`
	Threshold   float64 `json:"threshold,omitempty" toml:"threshold"` // level that counts as a consensus, 0..1; 0: DefaultThreshold
	Convergence bool    `json:"convergence,omitempty" toml:"convergence"`
}

// DefaultThreshold is the level from which a debate may end.
const DefaultThreshold = 0.9

// Level returns the threshold that counts.
func (e EndConditions) ConsensusThreshold() float64 {
	if e.Threshold == 0 {
		return DefaultThreshold
	}
	return e.Threshold
}

// Without returns the endings without the one that has come true, for a user who
// goes on all the same.
func (e EndConditions) Without(r StopReason) EndConditions {
	switch r {
	case EndedByConsensus:
		e.OnConsensus = false
	case EndedByConvergence:
		e.Convergence = false
	case NotStopped, StoppedByUser, StoppedByBudget:
	}
	return e
}

// Ending returns which of the session's endings holds after its last round, and
// NotStopped for none of them.
func (s Session) Ending() StopReason {
	switch c := s.Current(); {
	case c == nil || c.Ended.IsZero():
		return NotStopped
	case s.EndConditions.OnConsensus && s.agreed(c.Consensus):
		return EndedByConsensus
	case s.EndConditions.Convergence && s.settled():
		return EndedByConvergence
	default:
		return NotStopped
	}
}

// Closes returns the ending with which the last round ends the session: Ending, unless
// an open request vetoes it. It is recorded together with the round's end.
func (s Session) Closes() StopReason {
	reason := s.Ending()
	if s.Verdict != nil || s.VetoNotice(reason) != "" {
		return NotStopped
	}
	return reason
}

// agreed reports whether the decision rule is met. Whatever a model estimates,
// there is no consensus while a member is missing or sides are opposed.
func (s Session) agreed(c *Consensus) bool {
	return c != nil && c.Level != nil && *c.Level >= s.EndConditions.ConsensusThreshold() && c.AllAnswered() && c.Answered > 1 && !c.Opposed
}

// Steady is how much a confidence may change while its seat counts as stable.
const Steady = 0.15

// settled reports whether every seat that spoke in the last round stated in it
// what it stated in the round before: the same side, about as surely. Of one that
// states no side nothing can be said.
func (s Session) settled() bool {
	if len(s.History) < 2 {
		return false
	}
	n := len(s.History)
	present := s.History[n-1].Statements()
	before := map[agents.ID]Statement{}
	for _, x := range s.History[n-2].Statements() {
		before[x.Turn.Agent] = x.Statement
	}
	for _, x := range present {
		was, spoke := before[x.Turn.Agent]
		if now := x.Statement; !spoke || now.Stance == "" || now.Stance != was.Stance || moved(was.Confidence, now.Confidence) {
			return false
		}
	}
	return len(present) > 1
}

func moved(before, now *float64) bool {
	return before != nil && now != nil && math.Abs(*before-*now) > Steady+1e-9
}

// WhyEnded says in a phrase what ended the debate.
func (s Session) EndReason() string {
	n := len(s.History)
	switch s.Stopped {
	case EndedByConsensus:
		if c := s.History[n-1].Consensus; c != nil && c.Level != nil {
			return fmt.Sprintf("consensus %.2f after round %d", *c.Level, n)
		}
		return fmt.Sprintf("consensus after round %d", n)
	case EndedByConvergence:
		return fmt.Sprintf("no position moved in round %d", n)
	case StoppedByUser, StoppedByBudget:
		return fmt.Sprintf("stopped by %s after round %d", StoppedBy(s.Stopped), n)
	case NotStopped:
	}
	return "maximum of rounds"
}

// Veto says why the debate goes on although an ending holds; "" when it does not.
func (s Session) VetoNotice(r StopReason) string {
	open := s.Unanswered()
	if r == NotStopped || len(open) == 0 || s.Next() == 0 {
		return ""
	}
	ids := make([]string, len(open))
	for i, q := range open {
		ids[i] = q.ID
	}
	verb := " is"
	if len(ids) > 1 {
		verb = " are"
	}
	s.Stopped = r
	why := s.EndReason()
	return strings.ToUpper(why[:1]) + why[1:] + ", but " + strings.Join(ids, ", ") + verb + " required and open: the debate goes on."
}

func StoppedBy(r StopReason) string {
	if r == StoppedByBudget {
		return "budget"
	}
	return "the user"
}

// StopReason says what ended a session other than its planned rounds.
type StopReason string

// The reasons.
const (
	NotStopped         StopReason = ""
	StoppedByUser      StopReason = "user"
	StoppedByBudget    StopReason = "budget"
	EndedByConsensus   StopReason = "consensus"   // the decision rule was met
	EndedByConvergence StopReason = "convergence" // nobody moved any more
)

// Forced reports whether the debate was cut short and did not come to its own end.
func (r StopReason) Forced() bool { return r == StoppedByUser || r == StoppedByBudget }

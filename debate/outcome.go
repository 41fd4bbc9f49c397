package debate

import (
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
)

// Header is the typed outcome of a verdict as one line, and nothing softer. It
// never claims a consensus while a member is missing.
func (v Verdict) Header(s Session) string {
	var parts []string
	switch v.Outcome {
	case OutcomeStopped:
		parts = append(parts, "Stopped by "+stoppedBy(v.Stopped), v.presence(s))
		if v.Cause != "" {
			parts = append(parts, "no synthesis: "+strings.TrimSuffix(v.Cause, "."))
		}
	case OutcomeNoSynthesis:
		parts = append(parts, "No synthesis: "+strings.TrimSuffix(v.Cause, "."), "what follows is computed from stances and confidences")
		if len(v.Missing) > 0 {
			parts = append(parts, v.presence(s))
		}
	case OutcomeDegraded:
		parts = append(parts, "Degraded verdict", v.presence(s))
	default:
		parts = append(parts, "Full verdict", v.presence(s))
	}
	if len(v.Missing) > 0 {
		parts = append(parts, "no consensus is claimed")
	} else if line := v.Final.Line(len(s.Seats)); line != "" {
		parts = append(parts, line)
	}
	return strings.Join(parts, " · ")
}

func stoppedBy(r StopReason) string {
	if r == StoppedByBudget {
		return "budget"
	}
	return "the user"
}

// presence says how many members answered in every round, and who did not.
func (v Verdict) presence(s Session) string {
	n := len(s.Seats)
	if len(v.Missing) == 0 {
		return fmt.Sprintf("%d of %d members in every round", n, n)
	}
	var out []agents.ID
	var who []string
	for _, a := range v.Missing {
		if !slices.Contains(out, a.Agent) {
			out = append(out, a.Agent)
		}
		line := fmt.Sprintf("%s is missing in round %d", a.Name, a.Round)
		if a.Cause != "" {
			line += " (" + strings.TrimSuffix(a.Cause, ".") + ")"
		}
		who = append(who, line)
	}
	return fmt.Sprintf("%d of %d members: %s", n-len(out), n, strings.Join(who, ", "))
}

// Line says what a count came to, such as "yes 2, no 1: a majority, not a
// consensus"; "" without a count.
func (t Tally) Line(seats int) string {
	if t.None {
		return ""
	}
	var votes []string
	stated, top := 0, 0
	for _, side := range []Stance{Yes, No, Neutral} {
		if n := t.Votes[side]; n > 0 {
			votes = append(votes, fmt.Sprintf("%s %d", side, n))
			stated += n
			top = max(top, n)
		}
	}
	text := strings.Join(votes, ", ")
	switch {
	case t.Split:
		return text + ": split"
	case top == seats:
		return text + ": all agree"
	case stated < seats:
		return fmt.Sprintf("%s, %d not stated", text, seats-stated)
	case 2*top <= seats:
		return text + ": the largest group, not a majority"
	default:
		return text + ": a majority, not a consensus"
	}
}

// Answer is the side a count came to: yes, no, neutral, "split", or "" without one.
func (t Tally) Answer() string {
	switch {
	case t.None:
		return ""
	case t.Split:
		return "split"
	default:
		return string(t.Majority)
	}
}

// BaselineLine says in a sentence what the debate changed.
func (v Verdict) BaselineLine() string {
	if v.Baseline.None {
		return "No baseline: open question."
	}
	if v.Changed == nil {
		return "Without the debate: " + v.Baseline.Answer() + ". The last round states no side to compare."
	}
	if *v.Changed {
		return "The debate changed the answer: " + v.Baseline.Answer() + " → " + v.Final.Answer() + "."
	}
	return "The debate did not change the answer: " + v.Baseline.Answer() + "."
}

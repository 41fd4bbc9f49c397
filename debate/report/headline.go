package report

import (
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/verdict"
)

// Headline returns the outcome of a verdict in one line, never softer than it is. It
// claims no consensus if a member or its position is missing.
func Headline(v debate.Verdict, s debate.Session) string {
	var parts []string
	switch v.Outcome {
	case debate.OutcomeStopped:
		parts = append(parts, "Stopped by "+debate.StoppedBy(v.Stopped), presenceLine(v, s))
		if v.Cause != "" {
			parts = append(parts, "no synthesis: "+strings.TrimSuffix(v.Cause, "."))
		}
	case debate.OutcomeNoSynthesis:
		parts = append(parts, "No synthesis: "+strings.TrimSuffix(v.Cause, "."), "what follows is computed from stances and confidences")
		if len(v.Missing) > 0 {
			parts = append(parts, presenceLine(v, s))
		}
	case debate.OutcomeDegraded:
		parts = append(parts, "Degraded verdict", presenceLine(v, s))
	case debate.OutcomeFull:
		parts = append(parts, "Full verdict", presenceLine(v, s))
	default:
		return "Verdict of an unknown kind: " + string(v.Outcome)
	}
	if text := unstatedLine(v, s); text != "" {
		parts = append(parts, text)
	}
	if len(v.Missing)+len(v.Unstated) > 0 {
		parts = append(parts, "no consensus is claimed")
	} else if line := voteLine(v, s); line != "" && !verdict.HasVoteShift(v.Results) {
		parts = append(parts, line)
	}
	if decided := verdict.DecisionPhrase(v.Results, s); decided != "" {
		parts = append(parts, decided)
	}
	return strings.Join(parts, " · ")
}

// presenceLine says how many members answered in every round, and which did not.
func presenceLine(v debate.Verdict, s debate.Session) string {
	n := len(s.Seats)
	if len(v.Missing) == 0 {
		return fmt.Sprintf("%d of %d members in every round", n, n)
	}
	var out []agents.ID
	var who []string
	for i, a := range v.Missing {
		if !slices.Contains(out, a.Agent) {
			out = append(out, a.Agent)
		}
		if !slices.ContainsFunc(v.Missing[:i], func(b debate.MissingResponse) bool { return sameAbsence(a, b) }) {
			who = append(who, absenceLine(v, a))
		}
	}
	return fmt.Sprintf("%d of %d members: %s", n-len(out), n, strings.Join(who, ", "))
}

// sameAbsence reports whether two missing responses differ only in their rounds.
func sameAbsence(a debate.MissingResponse, b debate.MissingResponse) bool {
	return a.Agent == b.Agent && a.Phase == b.Phase && a.Cause == b.Cause
}

// absenceLine says in which rounds a member is missing for the same reason as a.
func absenceLine(v debate.Verdict, a debate.MissingResponse) string {
	var rounds []string
	for _, b := range v.Missing {
		if sameAbsence(b, a) {
			rounds = append(rounds, fmt.Sprint(b.Round))
		}
	}
	when := "round " + rounds[0]
	if len(rounds) > 1 {
		when = "rounds " + strings.Join(rounds, ", ")
	}
	text := a.Name + " is missing in " + when
	if a.Phase != "" {
		text = fmt.Sprintf("%s is missing in the %s of %s", a.Name, a.Phase, when)
	}
	if a.Cause != "" {
		text += " (" + strings.TrimSuffix(a.Cause, ".") + ")"
	}
	return text
}

// unstatedLine names the members without a position in the last round; "" if there are none.
func unstatedLine(v debate.Verdict, s debate.Session) string {
	switch n := len(v.Unstated); {
	case n == 0:
		return ""
	case n == len(s.Seats):
		return "nobody states a position"
	case n == 1:
		return s.NameOf(v.Unstated[0]) + " states no position"
	default:
		names := make([]string, n)
		for i, id := range v.Unstated {
			names[i] = s.NameOf(id)
		}
		return strings.Join(names, ", ") + " state no position"
	}
}

// voteLine returns the votes of the last round, and how many seats have none because
// their role prescribes a side; "" if nothing was counted.
func voteLine(v debate.Verdict, s debate.Session) string {
	voters := 0
	for _, p := range s.Seats {
		if verdict.HasVote(s, p.ID) {
			voters++
		}
	}
	line, without := TallyLine(v.Final, voters), len(s.Seats)-voters
	switch {
	case line == "" || without == 0:
		return line
	case without == 1:
		return fmt.Sprintf("%s, 1 of %d seats has no vote in its role", line, len(s.Seats))
	default:
		return fmt.Sprintf("%s, %d of %d seats have no vote in their role", line, without, len(s.Seats))
	}
}

// TallyLine says what the votes of a number of voters come to, such as "yes 2, no 1: a
// majority, not a consensus"; "" if nothing was counted.
func TallyLine(t debate.Tally, voters int) string {
	if t.None {
		return ""
	}
	stated, top := 0, 0
	for _, side := range sides {
		stated += t.Votes[side]
		top = max(top, t.Votes[side])
	}
	text := voteCounts(t)
	switch {
	case t.Split:
		return text + ": split"
	case voters == 1:
		return text + ": the only vote"
	case top == voters:
		return text + ": all agree"
	case stated < voters:
		return fmt.Sprintf("%s, %d not stated", text, voters-stated)
	case 2*top <= voters:
		return text + ": the largest group, not a majority"
	default:
		return text + ": a majority, not a consensus"
	}
}

// sides are the stances in the order in which they are listed.
var sides = []debate.Side{debate.Side(debate.Yes), debate.Side(debate.No), debate.Side(debate.Neutral)}

// voteCounts returns the number of seats on each side.
func voteCounts(t debate.Tally) string {
	var words []string
	for _, side := range sides {
		if n := t.Votes[side]; n > 0 {
			words = append(words, fmt.Sprintf("%s %d", side, n))
		}
	}
	return strings.Join(words, ", ")
}

// BaselineLine says in a sentence whether the debate changed the answer.
func BaselineLine(v debate.Verdict) string {
	if v.Baseline.None {
		return "No baseline: open question."
	}
	if v.Changed == nil {
		return "Without the debate: " + verdict.TallyAnswer(v.Baseline) + ". The last round states no side to compare."
	}
	if *v.Changed {
		return "The debate changed the answer: " + verdict.TallyAnswer(v.Baseline) + " → " + verdict.TallyAnswer(v.Final) + "."
	}
	return "The debate did not change the answer: " + verdict.TallyAnswer(v.Baseline) + "."
}

// ConsensusLine says in a sentence how far the seats agree. Only a level of all seats is
// called a consensus.
func ConsensusLine(c debate.Consensus) string {
	if c.Level == nil {
		cause := strings.TrimSuffix(c.Cause, ".")
		switch {
		case cause == "":
			return "Consensus is unavailable."
		case c.Method == debate.ConsensusComputed:
			return "Consensus is not measured: " + cause + "."
		}
		return "Consensus is unavailable: " + cause + "."
	}
	if !c.AllAnswered() && c.Answered == 1 {
		return "One member alone answered: nothing to compare, no consensus is claimed."
	}
	text := fmt.Sprintf("Consensus %.2f", *c.Level)
	if !c.AllAnswered() {
		text = fmt.Sprintf("Agreement %.2f among %d of %d members", *c.Level, c.Answered, c.Seats)
	}
	switch n := len(c.Clusters); {
	case n == 1:
		text += ", 1 group"
	case n > 1:
		text += fmt.Sprintf(", %d groups", n)
	}
	if c.Method == debate.ConsensusComputed {
		text += ", computed"
	}
	if !c.AllAnswered() {
		text += ", no consensus is claimed"
	}
	return text + "."
}

// LedgerLine says how many seats changed sides without evidence. It counts seats that
// have a vote and state a side in two rounds: a side that a role prescribes cannot change.
func LedgerLine(v debate.Verdict, s debate.Session) string {
	voters, comparable, conformed := 0, 0, 0
	for _, p := range s.Seats {
		if !verdict.HasVote(s, p.ID) {
			continue
		}
		voters++
		compared, moved := false, false
		for _, m := range v.Moves {
			if m.Agent != p.ID {
				continue
			}
			switch m.Change {
			case debate.Conformed:
				compared, moved = true, true
			case debate.Held, debate.HeldOther, debate.Revised, debate.RevisedOld, debate.OtherLabel:
				compared = true
			case debate.Opening, debate.Unstated, debate.NoResponse: // there is no earlier side to compare with
			}
		}
		if compared {
			comparable++
		}
		if moved {
			conformed++
		}
	}
	switch {
	case voters == 0:
		return "The roles prescribe every side: there is nothing to compare."
	case comparable == 0:
		return "Nobody states a side in two rounds: there is nothing to compare."
	case comparable < voters:
		return fmt.Sprintf("%d of the %d who state a side in two rounds revised without evidence.", conformed, comparable)
	case voters < len(s.Seats):
		return fmt.Sprintf("%d of the %d with a vote revised without evidence.", conformed, voters)
	default:
		return fmt.Sprintf("%d of %d revised without evidence.", conformed, comparable)
	}
}

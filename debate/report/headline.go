package report

import (
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/verdict"
	"roundtable/internal/text"
)

// recountNote tells that a verdict is older than the rules of counting.
const recountNote = "An earlier version wrote this verdict. Its votes are counted anew, and may differ from what it said then."

// Headline returns the outcome of a verdict in one line, as it was counted when the
// verdict was written. One of an earlier version is counted anew.
func Headline(v debate.Verdict, s debate.Session) string { return recounted(v, s).Headline }

// recounted returns a verdict with all that is counted. What an earlier version counted
// differently is counted anew.
func recounted(v debate.Verdict, s debate.Session) debate.Verdict {
	if v.Rules != 0 || len(s.History) == 0 {
		return v
	}
	verdict.Recount(&v, s)
	v.Warnings = append(v.Warnings[:len(v.Warnings):len(v.Warnings)], recountNote)
	return v
}

// comparisonTitle names the first votes and the last: the first are what the panel would
// have said without a debate if they were blind to each other.
func comparisonTitle(v debate.Verdict) string {
	switch {
	case v.Comparison == nil:
		return "Votes"
	case v.Comparison.Blind:
		return "Without and with the debate"
	default:
		return fmt.Sprintf("After round %d and at the end", v.Comparison.First)
	}
}

// comparisonLine says in sentences whether the debate changed the answer.
func comparisonLine(v debate.Verdict, s debate.Session) string {
	c := v.Comparison
	if c == nil {
		return singleVoteLine(v, s)
	}
	before, after := verdict.TallyAnswer(c.Before), verdict.TallyAnswer(c.After)
	var line string
	switch some := len(c.OnlyBefore)+len(c.OnlyAfter) > 0; {
	case c.Result == debate.AnswerIncomparable:
		line = fmt.Sprintf("The votes cannot be compared: only %d of %s voted both times.", c.Voters, text.Count(c.Before.Voters, "voter"))
	case some:
		line = votersOfBothLine(*c, before, after)
	case c.Result == debate.AnswerRelabeled:
		line = fmt.Sprintf("Other labels: %s → %s. It is not known whether the answer changed.", countsOf(c.Before), countsOf(c.After))
	case c.Result == debate.AnswerChanged && c.Blind:
		line = fmt.Sprintf("The debate changed the answer: %s → %s.", before, after)
	case c.Result == debate.AnswerChanged:
		line = fmt.Sprintf("The answer changed after round %d: %s → %s.", c.First, before, after)
	case c.Blind:
		line = fmt.Sprintf("The debate did not change the answer: %s.", after)
	default:
		line = fmt.Sprintf("The answer is the same as after round %d: %s.", c.First, after)
	}
	if n := len(c.OnlyBefore); n > 0 {
		line += absentLine(n, c.Last, text.Inflect(n, "is", "are"), v.Final.Unread)
	}
	if n := len(c.OnlyAfter); n > 0 {
		line += absentLine(n, c.First, text.Inflect(n, "was", "were"), v.Baseline.Unread)
	}
	return line
}

// absentLine says how many voters have no vote in a round, where some votes of it may be
// unreadable.
func absentLine(n, round int, verb string, unread int) string {
	if unread > 0 {
		return fmt.Sprintf(" %s %s no vote in round %d that could be read.", text.Count(n, "voter"), text.Inflect(n, "has", "have"), round)
	}
	return fmt.Sprintf(" %s %s missing in round %d.", text.Count(n, "voter"), verb, round)
}

// votersOfBothLine compares the votes of those who voted both times, where others did not.
func votersOfBothLine(c debate.Comparison, before, after string) string {
	was, is := countsOf(c.Before), countsOf(c.After)
	line := "Of " + verdict.BothTimes(c) + ": "
	if was != is {
		line += was + " → "
	}
	line += is
	switch {
	case c.Result == debate.AnswerChanged:
		return fmt.Sprintf("%s. Their answer changed: %s → %s.", line, before, after)
	case c.Result == debate.AnswerRelabeled:
		return line + ". The labels are others; it is not known whether the answer changed."
	case was == is:
		return line + ", as before."
	default:
		return fmt.Sprintf("%s. Their answer is the same: %s.", line, after)
	}
}

// singleVoteLine says why there is nothing to compare.
func singleVoteLine(v debate.Verdict, s debate.Session) string {
	switch {
	case !verdict.CountsSides(s):
		return "No votes on sides are counted in this mode."
	case v.Results != nil && v.Results.Shift != nil: // a session of an earlier version: its polls have no voters
		return verdict.ResultLines(&debate.Results{Shift: v.Results.Shift}, s.NameOf)[0]
	case v.Final.Voters == 0:
		return "No vote: the roles prescribe every side."
	case verdict.Cast(v.Final) == 0 && v.Results != nil && v.Results.Matrix != nil:
		return "The members gave scores, and no votes."
	case verdict.Cast(v.Final) == 0 && slices.ContainsFunc(v.Moves, func(m debate.Move) bool { return m.Change == debate.Unstated }):
		return "No vote could be read."
	case verdict.Cast(v.Final) == 0:
		return "No vote was taken."
	default:
		return "Votes were taken once: there is no earlier vote to compare with."
	}
}

// countsOf lists the votes of a tally, or its median.
func countsOf(t debate.Tally) string {
	if t.Median != nil {
		return verdict.TallyAnswer(t)
	}
	return verdict.VoteCounts(t)
}

// weightedLine lists the votes of a tally weighted by confidence, "" if one side holds
// them all or none weighs anything.
func weightedLine(t debate.Tally) string {
	sum := 0.0
	for _, w := range t.Weights {
		sum += w
	}
	if sum == 0 || len(t.Sides) < 2 {
		return ""
	}
	var words []string
	for _, side := range t.Sides {
		words = append(words, string(side)+" "+text.Percent(t.Weights[side]/sum))
	}
	line := "Weighted by confidence"
	if t.NoConfidence > 0 {
		line += " (50% where none is stated)"
	}
	line += ": " + strings.Join(words, ", ")
	switch {
	case t.Weighted == t.Majority:
		return line + "."
	case t.Weighted == debate.Undecided:
		return line + ", which is no majority."
	default:
		return line + ", which is a majority for " + string(t.Weighted) + "."
	}
}

// extraLine says what came after the first votes took, "" if nothing came.
func extraLine(v debate.Verdict, s debate.Session) string {
	e, first := v.ExtraSpending, "the first votes"
	switch {
	case verdict.Cast(v.Final) == 0:
		first = "round 1"
	case v.Comparison == nil:
		first = "the votes"
	}
	if e.Calls == 0 {
		return ""
	}
	cost := "cost unknown"
	if e.Cost != nil {
		cost = agents.CostText(text.Price(e.Cost), e.Cost, s.Speakers()...)
	}
	return fmt.Sprintf("Everything after %s took %s, %s, %s.", first, text.Count(e.Calls, "call"), tokens(e.Usage), cost)
}

// endedLine says how a debate ended, by the reason that its verdict has.
func endedLine(reason string) string {
	switch {
	case reason == "":
		return ""
	case reason == "maximum of rounds":
		return "Ended after the planned rounds"
	case strings.HasPrefix(reason, "consensus"):
		return "Ended by " + reason
	case strings.HasPrefix(reason, "stopped"):
		return text.Capitalize(reason)
	default:
		return "Ended because " + reason
	}
}

// labelLines says which labels of an open question count as the same answer, and who
// says so.
func labelLines(v debate.Verdict, s debate.Session) []string {
	if s.Question != debate.QuestionOpen || !verdict.CountsSides(s) {
		return nil
	}
	if v.Labels != nil {
		return groupingLines(v.Labels)
	}
	used := map[debate.Side]bool{}
	for _, m := range v.Moves {
		used[m.Side] = true
	}
	delete(used, debate.Undecided)
	if free := len(used); free > 2 || free == 2 && !(used[debate.SideYes] && used[debate.SideNo]) {
		return []string{"Labels are compared as written; nobody grouped them."}
	}
	return nil
}

// groupingLines lists the labels that mean the same. One label, and yes and no alone, need
// no grouping.
func groupingLines(g *debate.Grouping) []string {
	if g == nil {
		return nil
	}
	var lines []string
	named := false
	for _, group := range g.Groups {
		named = named || group.Side != debate.SideYes && group.Side != debate.SideNo
		if len(group.Labels) > 1 {
			lines = append(lines, fmt.Sprintf("Read as the same answer by %s: %s", g.By, strings.Join(group.Labels, ", ")))
		}
	}
	if lines == nil && named && len(g.Groups) > 1 {
		return []string{fmt.Sprintf("Read as different answers by %s: all labels", g.By)}
	}
	return lines
}

// ConsensusLine says in a sentence how far the seats agree. Only a level of all seats on
// a side that nobody opposes is called a consensus.
func ConsensusLine(c debate.Consensus) string {
	cause := strings.TrimSuffix(c.Cause, ".")
	switch {
	case c.Level == nil && c.Method == debate.ConsensusUnavailable && cause == "":
		return "Consensus is unavailable."
	case c.Level == nil && c.Method == debate.ConsensusUnavailable:
		return "Consensus is unavailable: " + cause + "."
	case c.Level == nil && cause == "":
		return "No consensus."
	case c.Level == nil:
		return "No consensus: " + cause + "."
	case c.Contradicts != "":
		return fmt.Sprintf("No consensus: the model says %.2f; the count says %s.", *c.Level, c.Contradicts)
	}
	by := ", by the model"
	if c.Method == debate.ConsensusComputed {
		by = ", by the count"
	}
	on := ""
	if c.Side != debate.Undecided {
		on = " on " + string(c.Side)
	}
	switch {
	case !c.AllAnswered():
		return fmt.Sprintf("Agreement %.2f%s among %d of %s%s; that is no consensus.", *c.Level, on, c.Answered,
			text.Count(c.Seats, "member"), by)
	case on == "":
		return fmt.Sprintf("Agreement %.2f%s.", *c.Level, by)
	default:
		return fmt.Sprintf("Consensus %.2f%s%s.", *c.Level, on, by)
	}
}

// ledgerLine says how many voters changed sides, or their estimates, without evidence.
func ledgerLine(v debate.Verdict, s debate.Session) string {
	compared, changed, conformed, relabeled := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, m := range v.Moves {
		id := string(m.Agent)
		switch m.Change {
		case debate.Revised, debate.RevisedOld:
			compared[id], changed[id] = true, true
		case debate.Conformed:
			compared[id], changed[id], conformed[id] = true, true, true
		case debate.OtherLabel:
			compared[id], relabeled[id] = true, true
		case debate.Held, debate.HeldOther:
			compared[id] = true
		case debate.Opening, debate.Unstated, debate.NoResponse: // there is no earlier side to compare with
		}
	}
	took, change := "took a side", "changed sides"
	if s.Question == debate.QuestionEstimate {
		took, change = "gave an estimate", "changed their estimate"
	}
	switch {
	case !verdict.CountsSides(s):
		return "No sides to follow: nobody votes on one in this mode."
	case v.Final.Voters == 0:
		return "No sides to follow: the roles prescribe them."
	case len(compared) == 0:
		return "Nobody " + took + " twice: there is nothing to compare."
	case len(changed)+len(relabeled) == 0:
		return "Nobody " + change + "."
	}
	var lines []string
	switch {
	case len(conformed) > 0:
		lines = append(lines, fmt.Sprintf("%d of %s %s without evidence.", len(conformed), text.Count(len(compared), "voter"), change))
	case len(changed) > 0:
		lines = append(lines, "Nobody "+change+" without evidence.")
	}
	if n := len(relabeled); n > 0 {
		lines = append(lines, fmt.Sprintf("%d of %s took another label; nobody said whether it means the same.", n,
			text.Count(len(compared), "voter")))
	}
	return strings.Join(lines, " ")
}

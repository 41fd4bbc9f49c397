package report

import (
	"fmt"
	"slices"
	"strings"

	"roundtable/debate"
	"roundtable/debate/prompt"
	"roundtable/debate/verdict"
	"roundtable/internal/text"
)

// recountNote tells that a verdict is older than the rules of counting.
const recountNote = "An earlier version wrote this verdict. Its votes are counted anew, and may differ from what it said then."

// Headline returns the outcome of a verdict in one line, as it was counted when the
// verdict was written. One of an earlier version is counted again.
func Headline(v debate.Verdict, s debate.Session) string { return Counted(v, s).Headline }

// Counted returns a verdict with all that is counted. What an earlier version counted
// differently is counted again.
func Counted(v debate.Verdict, s debate.Session) debate.Verdict {
	if v.Rules < debate.VerdictRules && len(s.History) > 0 {
		verdict.Recount(&v, s)
		v.Warnings = append(slices.Clip(v.Warnings), recountNote)
	}
	return v
}

func absentLine(n, round int, verb string, unread int) string {
	if unread > 0 {
		return fmt.Sprintf(" %s %s no vote in round %d that could be read.", text.Count(n, "seat"), text.Inflect(n, "has", "have"), round)
	}
	return fmt.Sprintf(" %s %s missing in round %d.", text.Count(n, "seat"), verb, round)
}

func votersOfBothLine(c debate.Comparison, before, after string) string {
	was, is := verdict.CountsOf(c.Before), verdict.CountsOf(c.After)
	line := "Of " + verdict.BothTimes(c) + ": "
	if was != is {
		line += was + " → "
	}
	line += is
	switch {
	case c.Result == debate.AnswerChanged && was == before:
		return line + ". Their answer changed."
	case c.Result == debate.AnswerChanged:
		return fmt.Sprintf("%s. Their answer changed: %s → %s.", line, before, after)
	case was == is:
		return line + ", as before."
	case c.After.Majority == debate.Undecided && c.After.Median == nil:
		return line + ". They had no majority and have none."
	default:
		return fmt.Sprintf("%s. Their answer is the same: %s.", line, after)
	}
}

func singleVoteLine(v debate.Verdict, s debate.Session) string {
	switch {
	case !verdict.CountsSides(s):
		return "No votes on sides are counted in this mode."
	case v.Final.Voters == 0:
		return "No vote: the roles prescribe every side."
	case v.Comparison == nil && verdict.Stated(v.Baseline)+v.Baseline.Undecided > 0 && noneRead(v.Final):
		return "Votes could be read in one round only: " + verdict.CountsOf(v.Baseline) + "."
	case noneRead(v.Final) && v.Final.Unread > 0:
		return "No vote could be read."
	case verdict.Cast(v.Final) == 0:
		return "No vote was taken."
	case slices.ContainsFunc(v.Moves, func(m debate.Move) bool { return m.Round != v.Moves[0].Round }):
		return "Votes could be read in one round only."
	default:
		return "Votes were taken once: there is no earlier vote to compare with."
	}
}

func noneRead(t debate.Tally) bool { return verdict.Stated(t)+t.Undecided == 0 }

// ledgerLine says how many voters changed sides, or their estimates, without a fact; ""
// where nobody could.
func ledgerLine(v debate.Verdict, s debate.Session) string {
	if v.Findings != nil {
		return ""
	}
	compared, changed, conformed, otherLabel := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	other := map[string]bool{}
	for _, m := range v.Moves {
		id := string(m.Agent)
		switch m.Change {
		case debate.Revised, debate.RevisedOld:
			compared[id], changed[id] = true, true
		case debate.Conformed, debate.Convinced:
			compared[id], changed[id], conformed[id] = true, true, true
		case debate.OtherModel:
			other[id] = true
		case debate.OtherLabel:
			compared[id], otherLabel[id] = true, true
		case debate.Held, debate.HeldOther:
			compared[id] = true
		case debate.Opening, debate.Unstated, debate.NoResponse: // there is no earlier side to compare with
		}
	}
	change := "changed sides"
	if s.Question == debate.QuestionEstimate {
		change = "changed their estimate"
	}
	switch {
	case !verdict.CountsSides(s):
		return "No sides to follow: nobody votes on one in this mode."
	case v.Final.Voters == 0:
		return "No sides to follow: the roles prescribe them."
	case len(compared)+len(other) == 0:
		return ""
	}
	var lines []string
	switch {
	case len(compared) > 0 && len(changed)+len(otherLabel) == 0:
		lines = append(lines, "Nobody "+change+".")
	case len(conformed) > 0:
		lines = append(lines, fmt.Sprintf("%d of %d %s after the statements of others, citing no fact.", len(conformed),
			len(compared), change))
	case len(changed) > 0:
		lines = append(lines, fmt.Sprintf("%d of %d %s, each citing a fact.", len(changed), len(compared), change))
	}
	if n := len(otherLabel); n > 0 {
		lines = append(lines, fmt.Sprintf("%d of %s took another label; nobody said whether it means the same.", n,
			text.Count(len(compared), "seat")))
	}
	if n := len(other); n > 0 {
		lines = append(lines, fmt.Sprintf("In %s another model took another side than the one before it, which counts as no change.",
			text.Count(n, "seat")))
	}
	return strings.Join(lines, " ")
}

// EndQuestion asks whether to end a debate now, and says what follows; running says
// whether a round is under way.
func EndQuestion(s debate.Session, running bool) string {
	_, chair := prompt.LikelyChair(s)
	var ids []string
	for _, r := range s.Unanswered() {
		ids = append(ids, r.ID)
	}
	who := text.List(ids)
	if len(ids) > 3 {
		who = text.Count(len(ids), "required question")
	}
	switch {
	case !chair && running:
		return "End now? Nobody has answered yet. Unfinished answers are cut off, and no chair writes a verdict."
	case !chair:
		return "End now? Nobody has answered, so no chair writes a verdict."
	case running:
		return "End now? Unfinished answers are cut off, and the chair writes the verdict without them."
	case len(ids) > 0:
		return "End now? " + who + text.Inflect(len(ids), " stays", " stay") + " unanswered, and the chair writes the verdict without " +
			text.Inflect(len(ids), "it.", "them.")
	}
	return "End now? The chair writes the verdict."
}

// stateOf returns the state of a session. Only one with a full verdict is complete.
func stateOf(s debate.Session, o Options) State {
	out := State{Word: s.State(o.Holder.Plays(s)).Word()}
	if o.Live {
		out.HeldBy = &o.Holder
	}
	if v := s.Verdict; v != nil {
		out.Whole, out.Text = v.Outcome == debate.OutcomeFull, Headline(*v, s)
		return out
	}
	out.Text = incompleteLine(s, o.Holder.Plays(s))
	if o.Live {
		who := o.Holder.String()
		if who != "" {
			who = " (" + who + ")"
		}
		out.Text += " It was still open" + who + " when this was written, so more may have followed."
	}
	return out
}

func incompleteLine(s debate.Session, runs bool) string {
	n := len(s.History)
	switch s.Status() {
	case debate.Drafted:
		return "Not started."
	case debate.Interrupted:
		open := s.OpenRound()
		switch {
		case runs:
			return fmt.Sprintf("Round %d of %d has not ended.", n, s.Rounds)
		case open != nil && !open.CanGoOn():
			return fmt.Sprintf("Round %d of %d failed: no model answered.", n, s.Rounds)
		case open != nil:
			return fmt.Sprintf("Round %d of %d waits for a decision: %s.", n, s.Rounds, open.Summary())
		}
		return fmt.Sprintf("Interrupted in round %d of %d.", n, s.Rounds)
	case debate.NeedsContext:
		var ids []string
		for _, q := range s.Unanswered() {
			ids = append(ids, q.ID)
		}
		return fmt.Sprintf("Waiting for answers to %s: %s of %d played.", strings.Join(ids, ", "), text.Count(n, "round"), s.Rounds)
	case debate.Ready, debate.Stopped, debate.Complete: // the last two have a verdict and do not get here
	}
	switch {
	case s.Stopped == debate.StoppedByBudget:
		return fmt.Sprintf("Stopped by the budget after round %d of %d; no verdict was written.", n, s.Rounds)
	case s.Stopped != debate.NotStopped:
		return fmt.Sprintf("Ended after round %d of %d; no verdict was written.", n, s.Rounds)
	case n < s.Rounds:
		return fmt.Sprintf("Not finished: %s of %d played.", text.Count(n, "round"), s.Rounds)
	}
	return fmt.Sprintf("All %s played; no verdict was written.", text.Count(n, "round"))
}

// RoundSides is the position of each voter in a round.
type RoundSides struct {
	Round int
	Moves []*debate.Move // by seat; nil without a vote
	Votes string         // counted, by side
	Tally debate.Tally   // the same as numbers
	Level *float64       // of agreement, if it was measured and does not contradict the count
}

// SidesByRound returns the voters' sides in each round with votes, including the running
// one.
func SidesByRound(s debate.Session) []RoundSides {
	var out []RoundSides
	byRound := map[int]int{}
	for _, m := range verdict.Moves(s) {
		at, ok := byRound[m.Round]
		if !ok {
			at, byRound[m.Round] = len(out), len(out)
			out = append(out, RoundSides{Round: m.Round, Moves: make([]*debate.Move, len(s.Seats))})
		}
		if _, seat := s.Seat(m.Agent); seat > 0 {
			out[at].Moves[seat-1] = &m
		}
	}
	for i, a := range out {
		if t, ok := verdict.VotesOf(s, a.Round); ok {
			out[i].Tally, out[i].Votes = t, verdict.VoteCounts(t)
		}
	}
	return out
}

// NamedSides returns the sides in the order in which they were named.
func NamedSides(all []RoundSides) []debate.Side {
	var named []debate.Side
	for _, r := range all {
		for _, m := range r.Moves {
			if m != nil && m.Side != debate.Undecided && !slices.Contains(named, m.Side) {
				named = append(named, m.Side)
			}
		}
	}
	return named
}

// MovedBy says what moved a voter to another side, such as "answer C1" or "citing F1:3"; "" if
// it did not move.
func MovedBy(s debate.Session, m *debate.Move) string {
	switch {
	case m == nil:
		return ""
	case m.Change == debate.OtherModel:
		return "other model"
	case slices.Contains([]debate.Change{debate.Revised, debate.RevisedOld, debate.Convinced, debate.Conformed}, m.Change):
		return strings.TrimPrefix(verdict.Grounds(s, *m), "citing your ")
	}
	return ""
}

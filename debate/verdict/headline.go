package verdict

import (
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/text"
)

// headline returns the verdict in one line: what the debate came to and of how many
// votes, what is missing, and whether the debate changed it.
func headline(v debate.Verdict, s debate.Session) string {
	parts := []string{resultPhrase(v, s), missingPhrase(v, s)}
	if change := changePhrase(v, s); change != "" {
		parts = append(parts, change)
	}
	return strings.Join(parts, " · ")
}

// resultPhrase says what the debate came to, with its base.
func resultPhrase(v debate.Verdict, s debate.Session) string {
	if phrase := resultsPhrase(v.Results, s); phrase != "" {
		return phrase
	}
	phase, votes := votingPhase(s.Mode)
	t := v.Final
	switch {
	case !votes:
		return "No vote in this mode"
	case phase.Asks == debate.AsksRanking:
		return "No ranking: no ballot was cast"
	case t.Voters == 0:
		return "No vote: the roles prescribe every side"
	}
	base := votelessPhrase(s)
	_, last := firstAndLast(s, SidesOf(s))
	switch {
	case last == nil:
		return "No vote was taken" + base
	case s.Question == debate.QuestionEstimate:
		return estimatePhrase(t) + base
	}
	return sidesPhrase(t) + base
}

// sidesPhrase says which side has the majority of those who took one.
func sidesPhrase(t debate.Tally) string {
	stated := Stated(t)
	undecided := ""
	if t.Undecided > 0 {
		undecided = fmt.Sprintf("; %d took no side", t.Undecided)
	}
	switch {
	case t.None && t.Undecided == 1:
		return "Undecided: the only vote took no side"
	case t.None:
		return fmt.Sprintf("Undecided: none of %s took a side", text.Count(t.Undecided, "vote"))
	case t.Majority == debate.Undecided:
		sides := t
		sides.Undecided = 0
		return "Split: " + VoteCounts(sides) + undecided
	case t.Voters == 1:
		return sideTitle(t.Majority) + ", the only vote"
	default:
		return fmt.Sprintf("%s, %d of %s", sideTitle(t.Majority), t.Votes[t.Majority], text.Count(stated, "vote")) + undecided
	}
}

// sideTitle returns a side for the beginning of a sentence. Labels keep their case.
func sideTitle(side debate.Side) string {
	if isYesOrNo(side) {
		return text.Capitalize(string(side))
	}
	return string(side)
}

func estimatePhrase(t debate.Tally) string {
	if t.Median == nil {
		return fmt.Sprintf("No estimate: none of %s has one", text.Count(t.Undecided, "vote"))
	}
	m := t.Median
	phrase := "Median " + amount(m.Value, m.Unit)
	if *m.Low != *m.High {
		phrase += fmt.Sprintf(", from %s to %s", amount(*m.Low, ""), amount(*m.High, ""))
	}
	return phrase + fmt.Sprintf(", %d of %s", t.Estimates, text.Count(t.Estimates+t.Undecided, "estimate"))
}

// votelessPhrase says how many seats have no vote; "" if all have one.
func votelessPhrase(s debate.Session) string {
	n := len(s.Seats) - len(voters(s))
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; %d of %s %s not vote in this mode", n, text.Count(len(s.Seats), "seat"), text.Inflect(n, "does", "do"))
}

// resultsPhrase says what votes before and after, ballots or scores came to, "" without
// any.
func resultsPhrase(r *debate.Results, s debate.Session) string {
	switch {
	case r == nil:
		return ""
	case r.Shift != nil:
		return shiftPhrase(*r.Shift, s.Mode)
	case r.Ranking != nil:
		return rankingPhrase(*r.Ranking, s)
	case r.Matrix != nil:
		return matrixPhrase(*r.Matrix)
	}
	return ""
}

// shiftPhrase says which side won by the votes that moved.
func shiftPhrase(v debate.VoteShift, m debate.Mode) string {
	if len(v.Before) == 0 {
		return "No vote to compare: " + whoVotedTwice(v) + " voted both times"
	}
	winner := "Neither side wins"
	if v.Winner != "" {
		winner = text.Capitalize(string(v.Winner)) + " wins"
		for _, role := range m.Roles {
			if role.Fixed && role.Stance == v.Winner {
				winner = "The " + role.Name + " wins"
			}
		}
	}
	return winner + ": " + shiftCounts(v.Before) + " → " + shiftCounts(v.After)
}

// shiftCounts lists the votes of a poll.
func shiftCounts(votes map[debate.Stance]int) string {
	var words []string
	for _, side := range []debate.Stance{debate.Yes, debate.No} {
		if n := votes[side]; n > 0 {
			words = append(words, fmt.Sprintf("%s %d", side, n))
		}
	}
	if n := votes[debate.Neutral]; n > 0 {
		words = append(words, fmt.Sprintf("%s %d", answerUndecided, n))
	}
	return strings.Join(words, ", ")
}

// rankingPhrase says who came first, of how many ballots that could be read.
func rankingPhrase(r debate.Ranking, s debate.Session) string {
	base := fmt.Sprintf("%d of %s", readableBallots(r), text.Count(len(r.Ballots), "ballot"))
	if readableBallots(r) == 0 {
		return fmt.Sprintf("No ranking: none of %s could be read", text.Count(len(r.Ballots), "ballot"))
	}
	var first []string
	for _, p := range r.Places {
		if p.Place == 1 {
			first = append(first, s.NameOf(p.Agent))
		}
	}
	switch {
	case len(first) == 1:
		return fmt.Sprintf("Ranked first: %s, %s", first[0], base)
	case len(first) == len(r.Places):
		return "The ranking is a tie of all, " + base
	default:
		return fmt.Sprintf("Ranked first together: %s, %s", text.List(first), base)
	}
}

// matrixPhrase says which option is ahead by the scores, or why none is.
func matrixPhrase(m debate.Matrix) string {
	missing := ""
	if len(m.Missing) > 0 {
		missing = text.List(m.Missing) + " " + text.Inflect(len(m.Missing), "is", "are") + " missing"
	}
	best := slices.Index(m.Options, m.Best)
	counted := 0
	for _, c := range m.Counted {
		if c {
			counted++
		}
	}
	switch {
	case m.Best != "" && best >= 0:
		phrase := fmt.Sprintf("%s is ahead by the scores, %.1f of 10", m.Best, *m.Totals[best])
		if missing != "" {
			phrase += "; " + missing
		}
		return phrase
	case 2*counted < len(m.Criteria) && missing != "":
		return "No option is ahead: " + missing
	}
	top, leaders := 0.0, []string(nil)
	for o, total := range m.Totals {
		switch {
		case total == nil: // in scores of an earlier version
		case *total > top || leaders == nil:
			top, leaders = *total, []string{m.Options[o]}
		case *total == top:
			leaders = append(leaders, m.Options[o])
		}
	}
	phrase := "No option is ahead by the scores"
	if len(leaders) > 0 {
		phrase += fmt.Sprintf(": %s have %.1f", text.List(leaders), top)
	}
	if missing != "" {
		phrase += "; " + missing
	}
	return phrase
}

// missingPhrase says how the debate ended, if it did not end by itself, and who is
// missing.
func missingPhrase(v debate.Verdict, s debate.Session) string {
	var parts []string
	switch v.Outcome {
	case debate.OutcomeStopped:
		parts = append(parts, stoppedPhrase(v.Stopped))
		if v.Cause != "" {
			parts = append(parts, "no synthesis: "+strings.TrimSuffix(v.Cause, "."))
		}
	case debate.OutcomeNoSynthesis:
		parts = append(parts, "no synthesis: "+strings.TrimSuffix(v.Cause, "."))
	case debate.OutcomeDegraded:
		parts = append(parts, "degraded")
	case debate.OutcomeFull:
	}
	parts = append(parts, Presence(v, s))
	if names := namesOf(s, v.Unstated); len(names) > 0 {
		parts = append(parts, text.List(names)+" "+text.Inflect(len(names), "states", "state")+" no position")
	}
	if len(v.CutPrompts) > 0 {
		parts = append(parts, cutPhrase(v.CutPrompts))
	}
	return strings.Join(parts, "; ")
}

// cutPhrase says whose prompts were cut.
func cutPhrase(prompts []debate.CutPrompt) string {
	var names []string
	for _, c := range prompts {
		if !slices.Contains(names, c.Name) {
			names = append(names, c.Name)
		}
	}
	return "prompts of " + text.List(names) + " were cut"
}

func stoppedPhrase(r debate.StopReason) string {
	if r == debate.StoppedByBudget {
		return "stopped by the budget"
	}
	return "stopped by the user"
}

func namesOf(s debate.Session, ids []agents.ID) []string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = s.NameOf(id)
	}
	return names
}

// Presence says how many seats answered in every round, and which did not.
func Presence(v debate.Verdict, s debate.Session) string {
	n := len(s.Seats)
	if len(v.Missing) == 0 && n == 1 {
		return "the only seat answered"
	}
	if len(v.Missing) == 0 && n == 2 {
		return "both seats answered"
	}
	if len(v.Missing) == 0 {
		return fmt.Sprintf("all %s answered", text.Count(n, "seat"))
	}
	var out []agents.ID
	var who []string
	for i, a := range v.Missing {
		if !slices.Contains(out, a.Agent) {
			out = append(out, a.Agent)
		}
		if !slices.ContainsFunc(v.Missing[:i], func(b debate.MissingResponse) bool { return sameAbsence(a, b) }) {
			who = append(who, absencePhrase(v, a))
		}
	}
	return fmt.Sprintf("%d of %s answered in every round: %s", n-len(out), text.Count(n, "seat"), strings.Join(who, ", "))
}

// sameAbsence reports whether two missing responses differ only in their rounds.
func sameAbsence(a, b debate.MissingResponse) bool {
	return a.Agent == b.Agent && a.Phase == b.Phase && a.Cause == b.Cause
}

// absencePhrase says in which rounds a seat is missing for the same reason as in a.
func absencePhrase(v debate.Verdict, a debate.MissingResponse) string {
	var rounds []string
	for _, b := range v.Missing {
		if sameAbsence(b, a) {
			rounds = append(rounds, text.Number(b.Round))
		}
	}
	when := text.Plural(len(rounds), "round") + " " + text.List(rounds)
	phrase := a.Name + " is missing in " + when
	if a.Phase != "" {
		phrase = fmt.Sprintf("%s is missing in the %s of %s", a.Name, a.Phase, when)
	}
	if a.Cause != "" {
		phrase += " (" + strings.TrimSuffix(a.Cause, ".") + ")"
	}
	return phrase
}

// BothTimes names the voters of a comparison in a phrase.
func BothTimes(c debate.Comparison) string {
	if c.Voters == 1 {
		return "the one who voted both times"
	}
	return fmt.Sprintf("the %d who voted both times", c.Voters)
}

// changePhrase says whether the debate changed the answer and what changed it, ""
// without votes to compare and where the result says it.
func changePhrase(v debate.Verdict, s debate.Session) string {
	c := v.Comparison
	if c == nil || v.Results != nil {
		return ""
	}
	both := ""
	if len(c.OnlyBefore)+len(c.OnlyAfter) > 0 {
		both = " for " + BothTimes(*c)
	}
	before, after := TallyAnswer(c.Before), TallyAnswer(c.After)
	switch c.Result {
	case debate.AnswerIncomparable:
		return fmt.Sprintf("cannot be compared with round %d", c.First)
	case debate.AnswerSame:
		return "as before" + both
	case debate.AnswerRelabeled:
		return "relabeled: " + before + " → " + after
	case debate.AnswerChanged:
	}
	phrase := "changed: " + before + " → " + after + both
	for _, m := range Changed(v, s) {
		cites := "citing none"
		if len(m.Cites) > 0 {
			cites = "citing your " + text.Plural(len(m.Cites), "answer") + " " + text.List(m.Cites)
		}
		phrase += "; " + s.NameOf(m.Agent) + ", " + cites
	}
	return phrase
}

package verdict

import (
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/internal/text"
)

// headline returns the verdict in one line: what the debate came to and of how many
// votes, what is missing, and whether the debate changed it.
func headline(v debate.Verdict, s debate.Session, q Sides) string {
	parts := []string{resultPhrase(v, s, q), missingPhrase(v, s)}
	if change := changePhrase(v, s); change != "" {
		parts = append(parts, change)
	}
	return strings.Join(parts, " · ")
}

func resultPhrase(v debate.Verdict, s debate.Session, q Sides) string {
	if phrase := resultsPhrase(v, s); phrase != "" {
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
	cast := occasions(s, q)
	cast = slices.DeleteFunc(cast, func(b ballotBox) bool { return b.phase != s.Mode.Votes })
	switch base := unreadPhrase(v, s, cast) + votelessPhrase(s); {
	case len(cast) == 0:
		return "No vote was taken" + base
	case !slices.ContainsFunc(cast, func(b ballotBox) bool { return len(b.votes) > 0 }):
		return "No vote could be read" + votelessPhrase(s)
	case s.Question == debate.QuestionEstimate:
		return estimatePhrase(t) + base
	default:
		return sidesPhrase(t) + base
	}
}

// unreadPhrase says how many votes could not be read: of the last votes, or of a later
// round in which none could. Members who are named for stating no position are not counted
// among the last votes again.
func unreadPhrase(v debate.Verdict, s debate.Session, cast []ballotBox) string {
	if len(cast) == 0 {
		return ""
	}
	last := cast[len(cast)-1]
	if len(last.votes) == 0 {
		return fmt.Sprintf("; %s of round %d could not be read", text.Count(len(last.unread), "vote"), last.round.Number)
	}
	unread := slices.DeleteFunc(slices.Clone(last.unread), func(x vote) bool {
		return last.round.Number == len(s.History) && slices.Contains(v.Unstated, x.Turn.Agent)
	})
	return unreadVotes(len(unread))
}

func unreadVotes(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; %s could not be read", text.Count(n, "vote"))
}

func sidesPhrase(t debate.Tally) string {
	stated := Stated(t)
	undecided := ""
	if t.Undecided > 0 {
		undecided = fmt.Sprintf("; %d took no side", t.Undecided)
	}
	missing := t.Voters - Cast(t)
	only := ""
	if missing > 0 {
		only = fmt.Sprintf("; %d of %s %s missing", missing, text.Count(t.Voters, "voter"), text.Inflect(missing, "is", "are"))
	}
	switch {
	case t.None && Cast(t) == 1:
		return "Undecided: the only vote took no side" + only
	case t.None && t.Undecided == 1:
		return "Undecided: the only readable vote took no side"
	case t.None:
		return fmt.Sprintf("Undecided: none of %s took a side", text.Count(t.Undecided, "vote"))
	case t.Majority == debate.Undecided:
		sides := t
		sides.Undecided, sides.Unread = 0, 0
		return "Split: " + VoteCounts(sides) + undecided
	case t.Voters == 1:
		return sideTitle(t.Majority) + ", the only vote"
	case Cast(t) == 1:
		return sideTitle(t.Majority) + ", the only vote cast" + only
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
	phrase += fmt.Sprintf(", %d of %s", t.Estimates, text.Count(t.Estimates+t.Undecided, "estimate"))
	switch t.OtherUnits {
	case 0:
		return phrase
	case 1:
		return phrase + "; 1 in another unit"
	default:
		return phrase + fmt.Sprintf("; %d in other units", t.OtherUnits)
	}
}

// votelessPhrase says how many seats have no vote; "" if all have one, or none.
func votelessPhrase(s debate.Session) string {
	n := len(s.Seats) - len(voters(s))
	if n == 0 || n == len(s.Seats) {
		return ""
	}
	return fmt.Sprintf("; %d of %s %s not vote in this mode", n, text.Count(len(s.Seats), "seat"), text.Inflect(n, "does", "do"))
}

// resultsPhrase says what votes before and after, ballots or scores came to, "" without
// any.
func resultsPhrase(v debate.Verdict, s debate.Session) string {
	switch r := v.Results; {
	case r == nil:
		return ""
	case r.Shift != nil:
		return shiftPhrase(*r.Shift, s.Mode) + unreadVotes(v.Baseline.Unread+v.Final.Unread) + votelessPhrase(s)
	case r.Ranking != nil:
		return rankingPhrase(*r.Ranking, s)
	case r.Matrix != nil:
		return matrixPhrase(*r.Matrix)
	}
	return ""
}

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
	if names := s.NamesOf(v.Unstated); len(names) > 0 {
		parts = append(parts, text.List(names)+" "+text.Inflect(len(names), "states", "state")+" no position")
	}
	if len(v.CutPrompts) > 0 {
		parts = append(parts, cutPhrase(v.CutPrompts))
	}
	return strings.Join(parts, "; ")
}

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
	var when []string            // and why, each once
	who := map[string][]string{} // by when
	for _, a := range v.Missing {
		if !slices.Contains(out, a.Agent) {
			out = append(out, a.Agent)
		}
		phrase := absencePhrase(v, a)
		if !slices.Contains(when, phrase) {
			when = append(when, phrase)
		}
		if !slices.Contains(who[phrase], a.Name) {
			who[phrase] = append(who[phrase], a.Name)
		}
	}
	for i, phrase := range when {
		names := who[phrase]
		when[i] = text.List(names) + " " + text.Inflect(len(names), "is", "are") + phrase
	}
	return fmt.Sprintf("%d of %s answered in every round: %s", n-len(out), text.Count(n, "seat"), strings.Join(when, ", "))
}

// absencePhrase says in which rounds a seat is missing for the same cause as in a.
func absencePhrase(v debate.Verdict, a debate.MissingResponse) string {
	var rounds []string
	for _, b := range v.Missing {
		if a.Agent == b.Agent && a.Phase == b.Phase && a.Cause == b.Cause {
			rounds = append(rounds, text.Number(b.Round))
		}
	}
	phrase := " missing in "
	if a.Phase != "" {
		phrase += "the " + a.Phase + " of "
	}
	phrase += text.Plural(len(rounds), "round") + " " + text.List(rounds)
	if a.Cause != "" {
		cause, _, _ := strings.Cut(a.Cause, ": \"") // what a server said is among the cautions
		phrase += " (" + strings.TrimSuffix(text.Uncapitalize(cause), ".") + ")"
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
		return fmt.Sprintf("same answer as in round %d", c.First) + both
	case debate.AnswerRelabeled:
		return "other labels: " + strings.Join(otherLabels(*c), ", ") + "; not known whether the answer changed"
	case debate.AnswerChanged:
	}
	phrase := "changed: " + before + " → " + after + both
	for _, m := range Changed(v, s) {
		phrase += "; " + s.NameOf(m.Agent) + ", " + grounds(s, m.Cites)
	}
	return phrase
}

// grounds says what a change of sides rests on: answers of the user, evidence, and results
// of tools, which a member need not cite.
func grounds(s debate.Session, cites []string) string {
	var answers, cited, tools []string
	for _, c := range cites {
		if _, asked := s.Request(c); asked {
			answers = append(answers, c)
		} else if len(cite.Evidence("["+c+"]")) > 0 {
			cited = append(cited, c)
		} else {
			tools = append(tools, c)
		}
	}
	if len(answers) > 0 {
		cited = append([]string{"your " + text.Plural(len(answers), "answer") + " " + text.List(answers)}, cited...)
	}
	switch {
	case len(cites) == 0:
		return "citing none"
	case len(tools) == 0:
		return "citing " + text.List(cited)
	case len(cited) == 0:
		return "with results of " + text.List(tools)
	}
	return "citing " + text.List(cited) + ", with results of " + text.List(tools)
}

// otherLabels returns the labels by which two counts differ: both majorities, or without
// them all sides.
func otherLabels(c debate.Comparison) []string {
	sides := []debate.Side{c.Before.Majority, c.After.Majority}
	if slices.Contains(sides, debate.Undecided) {
		sides = slices.Concat(c.Before.Sides, c.After.Sides)
	}
	var out []string
	for _, side := range sides {
		if !slices.Contains(out, string(side)) {
			out = append(out, string(side))
		}
	}
	return out
}

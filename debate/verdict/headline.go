package verdict

import (
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
)

// setHeadline sets the verdict in one line: what the debate came to and of how many votes,
// what is missing, what makes it weak, and whether the debate changed it. Its form says
// what the line begins with.
func setHeadline(v *debate.Verdict, s debate.Session, q Sides) {
	if s.OffScript() { // the counts show how a verdict looks
		v.Side, v.Changed, v.Pick, v.Weak = nil, nil, nil, nil
		v.Form, v.Headline = debate.FormDemo, text.Capitalize(debate.OffScriptNote)
		v.Brief = v.Headline
		return
	}
	v.Weak = weaknesses(*v, s)
	shown := v.Weak[:min(maxWeak, len(v.Weak))]
	form, result := resultOf(*v, s, q)
	parts, brief := []string{result}, []string{result}
	if phrase := incompletePhrase(*v, s); phrase != "" {
		parts = append(parts, phrase)
		what, _, _ := strings.Cut(phrase, ";")
		what, _, _ = strings.Cut(what, ":")
		brief = append(brief, what)
	}
	if form != debate.FormNoVote {
		parts = append(parts, shown...)
	}
	if change := changePhrase(*v, s); change != "" {
		parts = append(parts, change)
	}
	v.Form, v.Headline = form, strings.Join(parts, " · ")
	v.Brief = strings.Join(append(brief, briefly(*v, s)...), " · ")
}

// briefly says in a few words what changed, and who holds another side than the majority.
func briefly(v debate.Verdict, s debate.Session) (parts []string) {
	if c := v.Comparison; c != nil && c.Result == debate.AnswerChanged && c.Voters == v.Final.Voters {
		before, after := BothAnswers(*c)
		var by []string
		for _, m := range Changed(v, s) {
			by = append(by, s.NameOf(m.Agent))
		}
		for _, m := range Changed(v, s) {
			for _, id := range m.Cites {
				if _, asked := s.Request(id); asked && !slices.Contains(by, id) {
					by = append(by, id)
				}
			}
		}
		change := "changed " + before + " → " + after
		if len(by) > 0 && len(by) <= maxBriefNames {
			change += " (" + strings.Join(by, ", ") + ")"
		}
		parts = append(parts, change)
	}
	if v.Side != nil && len(v.Dissent) > 0 {
		var names []string
		for _, d := range v.Dissent {
			names = append(names, d.Name)
		}
		parts = append(parts, "against: "+fewNames(names))
	}
	return parts
}

const maxBriefNames = 4

// resultOf says what the debate came to. The text begins with the side and a comma if and
// only if a majority of all voters holds it.
func resultOf(v debate.Verdict, s debate.Session, q Sides) (debate.HeadlineForm, string) {
	phase, votes := votingPhase(s.Mode)
	r := v.Results
	switch {
	case v.Findings != nil:
		return debate.FormFindings, findingsPhrase(*v.Findings, s)
	case r != nil && r.Ranking != nil && (!votes || phase.Asks == debate.AsksRanking):
		form, phrase := rankingPhrase(*r.Ranking, s)
		return form, phrase + cutClause(cutShort(s, r.Ranking.Round))
	case !votes:
		return debate.FormNoVote, "No vote in this mode"
	case phase.Asks == debate.AsksRanking && cutShort(s, 0) == 1:
		return debate.FormNoVote, "No ranking: round 1 was cut short"
	case phase.Asks == debate.AsksRanking:
		return debate.FormNoVote, "No ranking: no ballot was cast"
	case v.Final.Voters == 0:
		return debate.FormNoVote, "No vote: the roles prescribe every side"
	}
	first, last := firstAndLast(s, q)
	cut := cutShort(s, 0)
	if last != nil {
		cut = cutShort(s, last.round.Number)
	}
	if last == nil || len(last.votes) == 0 {
		return debate.FormNoVote, noVotePhrase(v, s, first, last, cut) + votelessPhrase(s)
	}
	form, result := sidesPhrase(v.Final, when(s, v, last, cut))
	if s.Question == debate.QuestionEstimate {
		form, result = estimatePhrase(v.Final, when(s, v, last, cut))
	}
	if rest := otherVotes(v, s, form, last.unread); rest != "" {
		result += "; " + rest
	}
	result += cutClause(cut)
	if r != nil && r.Ranking != nil {
		_, ranking := rankingPhrase(*r.Ranking, s)
		result += "; " + text.Uncapitalize(ranking)
	}
	return form, result + votelessPhrase(s)
}

// cutClause names a round that was cut short, 0 for none.
func cutClause(round int) string {
	if round == 0 {
		return ""
	}
	return fmt.Sprintf("; round %d was cut short", round)
}

// when says after what votes were taken, to follow their number.
func when(s debate.Session, v debate.Verdict, last *ballotBox, cut int) string {
	if cut > 0 {
		return fmt.Sprintf(" after round %d", last.round.Number)
	}
	return ""
}

// noVotePhrase says why there are no last votes.
func noVotePhrase(v debate.Verdict, s debate.Session, first, last *ballotBox, cut int) string {
	before := ""
	if first != nil && first.phase != s.Mode.Votes {
		before = fmt.Sprintf(" (before the debate: %s)", VoteCounts(v.Baseline))
	} else if first != nil {
		before = fmt.Sprintf(" (round %d: %s)", first.round.Number, CountsOf(v.Baseline))
	}
	switch {
	case last == nil && cut > 0:
		got := votesIn(s, SidesOf(s), s.History[cut-1], s.Mode.Votes)
		if n := len(got.votes); n > 0 {
			return fmt.Sprintf("No vote: round %d was cut short, with %d of %s (%s)%s", cut, n, text.Count(v.Final.Voters, "vote"),
				CountsOf(got.count(s, SidesOf(s))), before)
		}
		return fmt.Sprintf("No vote: round %d was cut short%s", cut, before)
	case last == nil:
		return "No vote: the debate ended before it was taken" + before
	case len(last.unread) == 0:
		return fmt.Sprintf("No vote: no voting seat answered in round %d%s", last.round.Number, before)
	case len(last.unread) == 1:
		return fmt.Sprintf("No vote: the only answer of round %d could not be read%s", last.round.Number, before)
	}
	return fmt.Sprintf("No vote: none of %s of round %d could be read%s", text.Count(len(last.unread), "vote"), last.round.Number, before)
}

// CountsOf returns the median of a tally of estimates, or the votes for each side.
func CountsOf(t debate.Tally) string {
	if t.Median != nil || len(t.Amounts) > 0 {
		return TallyAnswer(t)
	}
	return VoteCounts(t)
}

// sidesPhrase says what votes on sides came to. The base is all voters.
func sidesPhrase(t debate.Tally, after string) (debate.HeadlineForm, string) {
	switch {
	case t.Majority != debate.Undecided && t.Voters == 1:
		return debate.FormSide, sideTitle(t.Majority) + ", the only vote" + after
	case t.Majority != debate.Undecided:
		title := sideTitle(t.Majority)
		if isReserved(string(t.Majority)) { // as a label such as Split is
			title += ", as an answer"
		}
		return debate.FormSide, fmt.Sprintf("%s, %d of %s%s", title, t.Votes[t.Majority], text.Count(t.Voters, "vote"), after)
	case t.Split:
		sides := t
		sides.Undecided, sides.Unread = 0, 0
		text := "Split" + after + ": " + VoteCounts(sides)
		if second := t.Sides[1]; t.Votes[t.Sides[0]] > t.Votes[second] { // which is no majority
			text += fmt.Sprintf(", of %d", t.Voters)
		}
		return debate.FormSplit, text
	case !t.None:
		counted := t
		counted.Unread = 0
		return debate.FormNoMajority, "No majority" + after + ": " + VoteCounts(counted)
	case t.Voters == 1:
		return debate.FormUndecided, "Undecided" + after + ": the only vote is undecided"
	case t.Undecided == 1:
		return debate.FormUndecided, "Undecided" + after + ": the only readable vote is undecided"
	}
	return debate.FormUndecided, fmt.Sprintf("Undecided%s: none of %s took a side", after, text.Count(t.Undecided, "vote"))
}

// otherVotes says how many voters stand beside a result, and why.
func otherVotes(v debate.Verdict, s debate.Session, form debate.HeadlineForm, unread []vote) string {
	var parts []string
	t := v.Final
	if t.Undecided > 0 && (form == debate.FormSide || form == debate.FormSplit) {
		parts = append(parts, fmt.Sprintf("%d undecided", t.Undecided))
	}
	if t.Unread > 0 {
		var whose []agents.ID
		for _, u := range unread {
			whose = append(whose, u.Turn.Agent)
		}
		part := fmt.Sprintf("%d could not be read", t.Unread)
		if names := s.NamesOf(whose); !slices.Equal(names, s.NamesOf(v.Unstated)) { // who are named under incomplete
			part += " (" + fewNames(names) + ")"
		}
		parts = append(parts, part)
	}
	if missing := t.Voters - Cast(t); missing > 0 {
		parts = append(parts, fmt.Sprintf("%d missing", missing))
	}
	return strings.Join(parts, ", ")
}

// sideTitle returns a side for the beginning of a sentence. Labels keep their case.
func sideTitle(side debate.Side) string {
	if isYesOrNo(side) {
		return text.Capitalize(string(side))
	}
	return QuoteSide(side)
}

func estimatePhrase(t debate.Tally, after string) (debate.HeadlineForm, string) {
	switch {
	case len(t.Amounts) > 0:
		phrase := "No common unit" + after + ": " + strings.Join(t.Amounts, ", ")
		if n := t.Undecided - t.OtherUnits; n > 0 {
			phrase += fmt.Sprintf("; %d without a figure", n)
		}
		return debate.FormEstimate, phrase
	case t.Median == nil:
		return debate.FormNoVote, fmt.Sprintf("No estimate: none of %s has one", text.Count(t.Undecided, "vote"))
	}
	m := t.Median
	phrase := "Median " + amount(m.Value, m.Unit)
	if t.Estimates == 1 {
		phrase = "The only estimate: " + amount(m.Value, m.Unit)
	}
	if *m.Low != *m.High {
		phrase += fmt.Sprintf(", from %s to %s", amount(*m.Low, ""), amount(*m.High, ""))
	}
	if t.Estimates < t.Voters {
		phrase += fmt.Sprintf(", %d of %d asked%s", t.Estimates, t.Voters, after)
	} else {
		phrase += fmt.Sprintf(", %d of %s%s", t.Estimates, text.Count(t.Voters, "estimate"), after)
	}
	if n := t.OtherUnits; n > 0 {
		phrase += fmt.Sprintf("; %d in %s", n, text.Inflect(n, "another unit", "other units"))
	}
	if n := t.Undecided - t.OtherUnits; n > 0 {
		phrase += fmt.Sprintf("; %d without a figure", n)
	}
	return debate.FormEstimate, phrase
}

// votelessPhrase says how many seats have no vote; "" if all have one, or none.
func votelessPhrase(s debate.Session) string {
	n := len(s.Seats) - len(voters(s))
	if n == 0 || n == len(s.Seats) {
		return ""
	}
	return fmt.Sprintf("; %d of %s %s not vote in this mode", n, text.Count(len(s.Seats), "seat"), text.Inflect(n, "does", "do"))
}

// rankingPhrase says who came first by points, and on how many ballots.
func rankingPhrase(r debate.Ranking, s debate.Session) (debate.HeadlineForm, string) {
	due, read := max(r.Due, len(r.Ballots)), readableBallots(r)
	if read == 0 {
		return debate.FormNoVote, fmt.Sprintf("No ranking: none of %s could be read", text.Count(due, "ballot"))
	}
	var first []debate.Place
	placed := 0
	for _, p := range r.Places {
		if p.Place == 1 {
			first = append(first, p)
		}
		if p.Place > 0 {
			placed++
		}
	}
	rest, gap := "", ""
	if unread := len(r.Ballots) - read; unread > 0 {
		rest += fmt.Sprintf("; %d could not be read", unread)
	}
	if missing := due - len(r.Ballots); missing > 0 {
		gap = fmt.Sprintf("; %d missing", missing)
	}
	rest += gap
	names := make([]string, len(first))
	for i, p := range first {
		names[i] = s.NameOf(p.Agent)
	}
	switch {
	case read == 1 && due > 1 && len(first) == 1:
		i := slices.IndexFunc(r.Ballots, func(b debate.Ballot) bool { return len(b.Order) > 0 })
		only := s.NameOf(r.Ballots[i].Agent)
		return debate.FormRanking, fmt.Sprintf("Only %s's ballot could be read: it ranks %s first%s", only, names[0], gap)
	case len(first) == 1:
		return debate.FormRanking, fmt.Sprintf("Ranked first by points: %s, first on %s of %s%s", names[0], numberOrNone(first[0].Firsts),
			ballotBase(read, due), rest)
	case len(first) == placed:
		return debate.FormRanking, fmt.Sprintf("Tie of all %s by points per ballot%s", numberWord(placed), rest)
	}
	return debate.FormRanking, fmt.Sprintf("Tied for first by points: %s%s", text.List(names), rest)
}

// ballotBase names the ballots on which first places are counted: those of all who should have ranked, or the readable ones.
func ballotBase(read, due int) string {
	if read == due {
		return text.Count(due, "ballot")
	}
	return text.Count(read, "readable ballot")
}

func numberOrNone(n int) string {
	if n == 0 {
		return "none"
	}
	return text.Number(n)
}

// incompletePhrase says what is missing, without causes; "" if nothing is.
func incompletePhrase(v debate.Verdict, s debate.Session) string {
	var parts []string
	stopped := v.Outcome == debate.OutcomeStopped
	if v.Outcome == debate.OutcomeNoSynthesis || stopped && v.Cause != "" {
		parts = append(parts, "no report by a chair")
	}
	if names := namesOfMissing(v); len(names) > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s missed a turn (%s%s)", len(names), text.Count(len(s.Seats), "seat"), fewNames(names),
			roundsOfMissing(v, s)))
	}
	if f := v.Findings; f != nil {
		parts = append(parts, listsPhrase(*f, v, s)...)
	} else if names := s.NamesOf(v.Unstated); len(names) > 0 {
		parts = append(parts, fmt.Sprintf("the %s of %s in round %d could not be read", text.Plural(len(names), "answer"), fewNames(names),
			len(s.History)))
	}
	if len(v.CutPrompts) > 0 {
		parts = append(parts, cutPhrase(v.CutPrompts))
	}
	switch {
	case stopped:
		return strings.Join(append([]string{stoppedPhrase(v.Stopped)}, parts...), "; ")
	case len(parts) > 0:
		return "incomplete: " + strings.Join(parts, ", ")
	}
	return ""
}

func namesOfMissing(v debate.Verdict) []string {
	var names []string
	for _, a := range v.Missing {
		if !slices.Contains(names, a.Name) {
			names = append(names, a.Name)
		}
	}
	return names
}

// roundsOfMissing says in which rounds turns were missed, "" where there was one round.
func roundsOfMissing(v debate.Verdict, s debate.Session) string {
	if len(s.History) < 2 {
		return ""
	}
	var rounds []string
	for _, r := range s.History {
		if slices.ContainsFunc(v.Missing, func(a debate.MissingResponse) bool { return a.Round == r.Number }) {
			rounds = append(rounds, text.Number(r.Number))
		}
	}
	if len(rounds) == 1 {
		return " in round " + rounds[0]
	}
	return ", in rounds " + text.List(rounds)
}

// fewNames lists up to three names.
func fewNames(names []string) string {
	if n := len(names) - 3; n > 1 {
		return strings.Join(names[:3], ", ") + fmt.Sprintf(" and %d more", n)
	}
	return text.List(names)
}

func cutPhrase(prompts []debate.CutPrompt) string {
	var names []string
	for _, c := range prompts {
		if !slices.Contains(names, c.Name) {
			names = append(names, c.Name)
		}
	}
	return "prompts of " + fewNames(names) + " were cut"
}

// StoppedByYou says in a headline that the person who watched a debate ended it.
const StoppedByYou = "stopped by you"

func stoppedPhrase(r debate.StopReason) string {
	if r == debate.StoppedByBudget {
		return "stopped by the budget"
	}
	return StoppedByYou
}

// Presence says in a sentence which seats answered in every round, and why others did not.
func Presence(v debate.Verdict, s debate.Session) string {
	n := len(s.Seats)
	switch {
	case len(v.Missing) == 0 && n == 1:
		return "The only seat answered in every round"
	case len(v.Missing) == 0 && n == 2:
		return "Both seats answered in every round"
	case len(v.Missing) == 0:
		return fmt.Sprintf("All %s answered in every round", text.Count(n, "seat"))
	}
	var when []string            // and why, each once
	who := map[string][]string{} // by when
	for _, a := range v.Missing {
		phrase := absencePhrase(v, a)
		if !slices.Contains(when, phrase) {
			when = append(when, phrase)
		}
		if !slices.Contains(who[phrase], a.Name) {
			who[phrase] = append(who[phrase], a.Name)
		}
	}
	for i, phrase := range when {
		when[i] = text.List(who[phrase]) + phrase
	}
	return fmt.Sprintf("%d of %s missed a turn: %s", len(namesOfMissing(v)), text.Count(n, "seat"), strings.Join(when, "; "))
}

// absencePhrase says in which rounds a seat is missing for the same cause as in a.
func absencePhrase(v debate.Verdict, a debate.MissingResponse) string {
	var rounds []string
	for _, b := range v.Missing {
		if n := text.Number(b.Round); a.Agent == b.Agent && a.Phase == b.Phase && a.Cause == b.Cause && !slices.Contains(rounds, n) {
			rounds = append(rounds, n)
		}
	}
	phrase := " in " + text.Plural(len(rounds), "round") + " " + text.List(rounds)
	if a.Phase != "" {
		phrase = fmt.Sprintf(" in the %s (%s)", a.Phase, strings.TrimPrefix(phrase, " in "))
	}
	if a.Cause != "" {
		cause, _, _ := strings.Cut(a.Cause, ": \"") // what a server said is in the transcript
		phrase += " (" + strings.TrimSuffix(text.Uncapitalize(cause), ".") + ")"
	}
	return phrase
}

const (
	maxWeak       = 2 // in a headline
	oneModel      = "all voting seats are one model"
	withoutAnswer = "without an answer to "
	oneVote       = "the narrowest majority"
)

// answeredBy returns who gave the answer to a request that the panel has.
func answeredBy(r ledger.Request) ledger.Author {
	a, _ := r.Sent()
	return a.Author
}

// NotByPerson returns the required requests of which the panel has no answer, or one that is
// not known to be a person's.
func NotByPerson(s debate.Session) []ledger.Request {
	return slices.DeleteFunc(slices.Clone(s.Requests), func(r ledger.Request) bool {
		a, sent := r.Sent()
		return r.Priority != ledger.Required || sent && a.Author.Kind == ledger.Person ||
			!sent && r.State != ledger.Pending && r.State != ledger.Expired
	})
}

// byAssistants returns the answers that a program gave in the user's place, a phrase for each
// of them.
func byAssistants(s debate.Session) []string {
	var order []string
	ids := map[string][]string{}
	for _, r := range s.Requests {
		if a, sent := r.Sent(); sent && a.Outcome == ledger.Answered && a.Author.Assistant() != "" && !a.Author.Counts {
			by := a.Author.String()
			if ids[by] == nil {
				order = append(order, by)
			}
			ids[by] = append(ids[by], r.ID)
		}
	}
	for i, by := range order {
		order[i] = fewNames(ids[by]) + " answered by " + by
	}
	return order
}

// weaknesses returns what makes a result weak, the gravest first.
func weaknesses(v debate.Verdict, s debate.Session) []string {
	var out []string
	if words := unshown(v, s); words != "" {
		out = append(out, words)
	}
	out = append(out, byAssistants(s)...)
	if ids := withoutAnswers(s); len(ids) > 0 {
		out = append(out, withoutAnswer+fewNames(ids))
	}
	t := v.Final
	if Stated(t) > 1 && ofOneModel(s) {
		out = append(out, oneModel)
	}
	if t.Majority == debate.Undecided {
		return out
	}
	held := t.Votes[t.Majority]
	if (Stated(t) > held || t.Undecided > 0) && 2*(held-1) <= t.Voters {
		out = append(out, oneVote)
	}
	return out
}

// OfOneModel reports whether it makes a verdict weak that all voters are one model.
func OfOneModel(v debate.Verdict) bool { return slices.Contains(v.Weak, oneModel) }

// WeakSentence returns what makes a result weak as a sentence of its own.
func WeakSentence(weak string) string {
	switch ids, without := strings.CutPrefix(weak, withoutAnswer); {
	case without:
		return "Decided without an answer to " + ids + ", though required."
	case weak == oneModel:
		return "All voting seats are one model, which tends to make the same mistakes."
	case weak == oneVote:
		return "The majority is by one vote."
	}
	return text.Capitalize(weak) + "."
}

// withoutAnswers returns the required requests that the panel has no answer to.
func withoutAnswers(s debate.Session) []string {
	var out []string
	for _, r := range s.Requests {
		a, sent := r.Sent()
		if r.Priority == ledger.Required && r.State != ledger.Withdrawn && r.JoinedTo == "" && (!sent || a.Outcome == ledger.Unavailable) {
			out = append(out, r.ID)
		}
	}
	return out
}

// ofOneModel reports whether two voters or more are all the same model.
func ofOneModel(s debate.Session) bool { return sameModel(s, voters(s)) }

// sameModel reports whether several seats are all the same model.
func sameModel(s debate.Session, all []agents.ID) bool {
	s = s.AsOf(len(s.History))
	first, _ := s.Seat(append(all, "")[0])
	return len(all) > 1 && first.Model != "" && !slices.ContainsFunc(all, func(id agents.ID) bool {
		p, _ := s.Seat(id)
		return p.Provider != first.Provider || p.Model != first.Model
	})
}

// BothTimes names the voters of a comparison in a phrase.
func BothTimes(c debate.Comparison) string {
	who := "the one who voted both times"
	if c.Voters != 1 {
		who = fmt.Sprintf("the %d who voted both times", c.Voters)
	}
	if len(c.OtherModel) > 0 {
		who += " with the same model"
	}
	return who
}

// changePhrase says whether the debate changed the answer and what changed it, ""
// without votes to compare and where the result says it.
func changePhrase(v debate.Verdict, s debate.Session) string {
	c := v.Comparison
	if c == nil {
		return ""
	}
	some := c.Voters < v.Final.Voters
	moved := Changed(v, s)
	before, after := BothAnswers(*c)
	switch {
	case some && s.Question == debate.QuestionEstimate && before == after:
		return fmt.Sprintf("for %s it is still %s", bothAnswered(*c), after)
	case some && s.Question == debate.QuestionEstimate:
		return fmt.Sprintf("the median of %s went from %s to %s", bothAnswered(*c), before, after)
	case some && len(moved) == 0 && CountsOf(c.Before) == CountsOf(c.After):
		return fmt.Sprintf("%s did not move (%s)", BothTimes(*c), CountsOf(c.After))
	case some:
		return fmt.Sprintf("%s went from %s to %s", BothTimes(*c), CountsOf(c.Before), CountsOf(c.After)) + movers(v, s, moved)
	case c.Result == debate.AnswerChanged:
		return "changed: " + before + " → " + after + movers(v, s, moved)
	case c.After.Majority != debate.Undecided || c.After.Median != nil:
		return fmt.Sprintf("same answer as in round %d", c.First)
	case c.Before.None && c.After.None:
		return fmt.Sprintf("undecided in round %d too", c.First)
	case len(moved) == 0 && CountsOf(c.Before) == CountsOf(c.After):
		return fmt.Sprintf("nobody moved since round %d", c.First)
	}
	return fmt.Sprintf("no majority in round %d either (%s)", c.First, CountsOf(c.Before)) + movers(v, s, moved)
}

func bothAnswered(c debate.Comparison) string {
	return strings.Replace(BothTimes(c), "voted", "answered", 1)
}

// BothAnswers returns both majorities of a comparison, or without two of them what both counts
// are.
func BothAnswers(c debate.Comparison) (before, after string) {
	if c.Before.Majority != debate.Undecided && c.After.Majority != debate.Undecided {
		return QuoteSide(c.Before.Majority), QuoteSide(c.After.Majority)
	}
	return CountsOf(c.Before), CountsOf(c.After)
}

// movers says who changed, and on what. Those with the same grounds stand together.
func movers(v debate.Verdict, s debate.Session, moved []debate.Move) string {
	var order []string
	who := map[string][]string{}
	for _, m := range moved {
		g := Grounds(s, m)
		if who[g] == nil {
			order = append(order, g)
		}
		who[g] = append(who[g], s.NameOf(m.Agent))
	}
	if len(order) == 1 && len(moved) > 1 {
		return "; " + whoMoved(len(moved), v.Comparison.Voters) + order[0]
	}
	out := ""
	for _, g := range order {
		out += "; " + fewNames(who[g]) + " changed, " + g
	}
	return out
}

// whoMoved names several who changed on the same grounds: all who are compared, or some.
func whoMoved(n, compared int) string {
	switch {
	case n < compared:
		return fmt.Sprintf("the %d who changed, ", n)
	case n == 2:
		return "both "
	}
	return fmt.Sprintf("all %d ", n)
}

// Grounds says what a change of sides rests on: answers of the user, evidence, results of
// tools, which a member need not cite, or another member.
func Grounds(s debate.Session, m debate.Move) string {
	var answers, cited, tools []string
	for _, c := range m.Cites {
		if r, asked := s.Request(c); asked {
			switch by := answeredBy(r); {
			case by.Kind == ledger.Person:
				answers = append(answers, c)
			case by.Assistant() != "":
				cited = append(cited, c+" (answered by "+by.String()+")")
			default:
				cited = append(cited, "answer "+c)
			}
		} else if len(cite.Evidence("["+c+"]")) > 0 {
			cited = append(cited, c)
		} else {
			tools = append(tools, c)
		}
	}
	if len(answers) > 0 {
		cited = append([]string{"your " + text.Plural(len(answers), "answer") + " " + text.List(answers)}, cited...)
	}
	known := ""
	switch {
	case m.SinceStart:
		known = ", known from the start"
	case m.Known || m.Change == debate.RevisedOld: // an earlier version said it by the change alone
		known = ", known before"
	}
	switch {
	case m.By != "":
		return "by " + s.NameOf(m.By) + "'s argument"
	case m.Unmoved:
		return "by nothing new by their own account"
	case len(m.Cites) == 0:
		return "citing no evidence"
	case len(tools) == 0:
		return "citing " + text.List(cited) + known
	case len(cited) == 0:
		return "with results of " + text.List(tools)
	}
	return "citing " + text.List(cited) + ", with results of " + text.List(tools) + known
}

// WhatItAdded says in a sentence what the panel added to what one model would have said:
// the first that holds. It is "" where the first votes were not blind.
func WhatItAdded(v debate.Verdict, s debate.Session) string {
	c := v.Comparison
	switch {
	case s.OffScript():
		return ""
	case v.Findings != nil:
		return whatReviewAdded(*v.Findings, s)
	case c == nil:
		return ""
	}
	moved := Changed(v, s)
	var answers []string
	for _, m := range moved {
		for _, id := range m.Cites {
			r, asked := s.Request(id)
			byUser := asked && answeredBy(r).Kind == ledger.Person
			if byUser && m.Change != debate.RevisedOld && !slices.Contains(answers, id) {
				answers = append(answers, id)
			}
		}
	}
	before, after := CountsOf(c.Before), CountsOf(c.After)
	everyone := len(c.OnlyBefore)+len(c.OnlyAfter)+len(c.OtherModel) == 0
	switch {
	case !c.Blind:
		return ""
	case c.Before.Median != nil && c.After.Median != nil:
		return fmt.Sprintf("The range went from %s to %s (median %s to %s).", span(*c.Before.Median), span(*c.After.Median), before, after)
	case c.Result == debate.AnswerChanged && len(answers) > 0 && everyone:
		return "Facts that you gave changed it: " + text.List(answers) + "."
	case c.Result == debate.AnswerChanged && everyone:
		return "The debate changed the answer."
	case len(v.Baseline.Sides) > 1:
		return fmt.Sprintf("They differed from the start: %s.", CountsOf(v.Baseline))
	case c.Result == debate.AnswerSame && unanimous(v.Baseline) && unanimous(v.Final):
		return "The same side as in the first, blind round, by all: on the side, one of them would have told you the same."
	}
	return ""
}

func unanimous(t debate.Tally) bool {
	return t.Majority != debate.Undecided && t.Votes[t.Majority] == t.Voters
}

func span(e debate.Estimate) string {
	return amount(*e.Low, "") + " to " + amount(*e.High, e.Unit)
}

// numberWord returns a number of seats in words.
func numberWord(n int) string {
	words := []string{"none", "one", "two", "three", "four", "five", "six", "seven", "eight"}
	if n < len(words) {
		return words[n]
	}
	return text.Number(n)
}

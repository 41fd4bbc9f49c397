package oracle_test

import (
	"fmt"
	"slices"
	"strings"
)

// headline returns the whole headline. Cause is why there is no chair's report.
func headline(p panel, f figures, cause string) string {
	parts := []string{resultPart(p, f), missingPart(p, f, cause)}
	if change := changePart(p, f); change != "" {
		parts = append(parts, change)
	}
	return strings.Join(parts, " · ")
}

func resultPart(p panel, f figures) string {
	m := builtinMode(p.mode, p.old())
	switch {
	case m.asks == "ranking" && f.ranking == nil:
		return "No ranking: no ballot was cast"
	case m.asks == "ranking":
		return rankingResult(p, *f.ranking)
	case m.asks == "scores" && f.matrix != nil:
		return scoresResult(p, *f.matrix)
	case len(voters(p)) == 0:
		return "No vote: the roles prescribe every side"
	case f.firstRound+f.lastRound == 0 && lastCast(p, m.votes) > 0:
		return "No vote could be read" + withoutVote(p)
	case f.firstRound+f.lastRound == 0:
		return "No vote was taken" + withoutVote(p)
	case m.poll != "":
		return pollResult(f) + unreadPart(f.baseline.unread+f.final.unread, 0) + withoutVote(p)
	}
	named := 0 // among the members who state no position
	for _, seat := range f.unstated {
		if _, spoke := p.spoken(f.lastRound, m.votes, seat); spoke && f.lastRound == len(p.rounds) && slices.Contains(voters(p), seat) {
			named++
		}
	}
	unread := unreadPart(f.final.unread-named, 0)
	if n := lastCast(p, m.votes); n > f.lastRound {
		unread = unreadPart(unreadIn(p, n, m.votes), n)
	}
	if p.kind == "estimate" {
		return estimateResult(f) + unread + withoutVote(p)
	}
	return votesResult(f) + unread + withoutVote(p)
}

// lastCast returns the last round in which a voter spoke in a phase; 0 for none.
func lastCast(p panel, phase string) int {
	for n := len(p.rounds); n > 0; n-- {
		if len(votesIn(p, reader{}, n, phase))+unreadIn(p, n, phase) > 0 {
			return n
		}
	}
	return 0
}

// unreadPart says how many votes could not be read; a round of 0 is the last votes'.
func unreadPart(n, round int) string {
	switch {
	case n == 0:
		return ""
	case round == 0:
		return fmt.Sprintf("; %s could not be read", plural(n, "vote"))
	default:
		return fmt.Sprintf("; %s of round %d could not be read", plural(n, "vote"), round)
	}
}

// onlyOne says how many voters are missing where a single vote was cast.
func onlyOne(t tally) string {
	switch t.voters {
	case 1:
		return ""
	case 2:
		return "; 1 of 2 voters is missing"
	default:
		return fmt.Sprintf("; %d of %d voters are missing", t.voters-1, t.voters)
	}
}

func votesResult(f figures) string {
	t := f.final
	cast := t.taken() + t.undecided + t.unread
	took := ""
	if t.undecided > 0 {
		took = fmt.Sprintf("; %d took no side", t.undecided)
	}
	switch {
	case len(t.sides) == 0 && cast == 1:
		return "Undecided: the only vote took no side" + onlyOne(t)
	case len(t.sides) == 0 && t.undecided == 1:
		return "Undecided: the only readable vote took no side"
	case len(t.sides) == 0:
		return fmt.Sprintf("Undecided: none of %d votes took a side", t.undecided)
	case t.voters == 1:
		return capital(t.majority) + ", the only vote"
	case cast == 1:
		return capital(t.majority) + ", the only vote cast" + onlyOne(t)
	case t.majority != "":
		return fmt.Sprintf("%s, %d of %s", capital(t.majority), t.votes[t.majority], plural(t.taken(), "vote")) + took
	default:
		return "Split: " + sideCounts(t, t.sides) + took
	}
}

// withoutVote says how many seats have no vote.
func withoutVote(p panel) string {
	n, all := len(p.names)-len(voters(p)), len(p.names)
	switch n {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("; 1 of %d seats does not vote in this mode", all)
	default:
		return fmt.Sprintf("; %d of %d seats do not vote in this mode", n, all)
	}
}

func sideCounts(t tally, sides []string) string {
	var out []string
	for _, s := range sides {
		if t.votes[s] > 0 {
			out = append(out, fmt.Sprintf("%s %d", s, t.votes[s]))
		}
	}
	return strings.Join(out, ", ")
}

func estimateResult(f figures) string {
	t := f.final
	if t.median == nil {
		return fmt.Sprintf("No estimate: none of %s has one", plural(t.undecided, "vote"))
	}
	text := "Median " + withUnit(number(t.median), t.unit)
	if t.low < t.high {
		text += fmt.Sprintf(", from %v to %v", t.low, t.high)
	}
	text += fmt.Sprintf(", %d of %s", t.estimates, plural(len(f.last), "estimate"))
	if t.others == 1 {
		text += "; 1 in another unit"
	} else if t.others > 1 {
		text += fmt.Sprintf("; %d in other units", t.others)
	}
	return text
}

// pollCounts lists the votes of a poll, those without a side last.
func pollCounts(t tally) string {
	out := sideCounts(t, []string{"yes", "no"})
	switch {
	case t.undecided == 0:
		return out
	case out == "":
		return fmt.Sprintf("undecided %d", t.undecided)
	default:
		return fmt.Sprintf("%s, undecided %d", out, t.undecided)
	}
}

func pollResult(f figures) string {
	c := f.comparison
	if c == nil || len(c.both) == 0 {
		return "No vote to compare: nobody voted both times"
	}
	if c.result == "incomparable" {
		return "No vote to compare: fewer than half voted both times"
	}
	shift := pollCounts(c.before) + " → " + pollCounts(c.after)
	gain := c.after.votes["yes"] - c.after.votes["no"] - c.before.votes["yes"] + c.before.votes["no"]
	switch {
	case gain > 0:
		return "The proposition wins: " + shift
	case gain < 0:
		return "The opposition wins: " + shift
	default:
		return "Neither side wins: " + shift
	}
}

func rankingResult(p panel, r ranking) string {
	first := r.first()
	base := fmt.Sprintf(", %d of %s", len(r.ballots), plural(r.cast, "ballot"))
	switch {
	case len(r.ballots) == 0:
		return fmt.Sprintf("No ranking: none of %s could be read", plural(r.cast, "ballot"))
	case len(first) == len(r.points) && len(first) > 1:
		return "The ranking is a tie of all" + base
	case len(first) > 1:
		return "Ranked first together: " + join(namesOf(p, first)) + base
	default:
		return "Ranked first: " + p.names[first[0]] + base
	}
}

func namesOf(p panel, seats []int) []string {
	var out []string
	for _, s := range seats {
		out = append(out, p.names[s])
	}
	return out
}

func scoresResult(p panel, m matrix) string {
	missing := join(m.missing) + " is missing"
	if len(m.missing) > 1 {
		missing = join(m.missing) + " are missing"
	}
	counted := 0
	for _, c := range m.counted {
		if c {
			counted++
		}
	}
	base := fmt.Sprintf("%d of %d criteria, %s", counted, len(p.criteria), plural(len(m.members), "member"))
	switch {
	case m.best != "":
		text := fmt.Sprintf("%s is ahead by the scores, %s of 10, %s", m.best, m.written(slices.Index(p.options, m.best)), base)
		if len(m.missing) > 0 {
			text += "; " + missing
		}
		return text
	case 2*counted < len(p.criteria):
		return "No option is ahead: " + missing
	default:
		text := fmt.Sprintf("No option is ahead by the scores: %s have %s, %s", join(m.tied), m.written(slices.Index(p.options, m.tied[0])), base)
		if len(m.missing) > 0 {
			text += "; " + missing
		}
		return text
	}
}

// missingPart says what is missing.
func missingPart(p panel, f figures, cause string) string {
	var parts []string
	switch f.outcome {
	case "stopped":
		by := "the user"
		if p.stop == "budget" {
			by = "the budget"
		}
		parts = append(parts, "stopped by "+by)
	case "degraded":
		parts = append(parts, "degraded")
	}
	if p.noChair {
		parts = append(parts, "no synthesis: "+strings.TrimSuffix(cause, "."))
	}
	parts = append(parts, presence(p))
	if names := namesOf(p, f.unstated); len(names) == 1 {
		parts = append(parts, names[0]+" states no position")
	} else if len(names) > 1 {
		parts = append(parts, join(names)+" state no position")
	}
	return strings.Join(parts, "; ")
}

// absence is what a seat is missing in.
type absence struct {
	seat, round  int
	phase, cause string
}

// absences lists the turns without a response, by round and seat.
func absences(p panel) []absence {
	var out []absence
	for n := 1; n <= len(p.rounds); n++ {
		for seat := range p.names {
			for _, s := range plannedSteps(p.mode, len(p.names), n, p.planned, p.old()) {
				t, ok := p.turnOf(n, s.phase, seat)
				if ok && t.failed != "" && slices.Contains(s.seats, seat) {
					out = append(out, absence{seat, n, s.phase, t.failed})
				}
			}
		}
	}
	return out
}

func presence(p panel) string {
	all := len(p.names)
	missing := map[int]bool{}
	var words []string
	list := absences(p)
	roundsOf := func(seat int, phase, cause string) []string {
		var rounds []string
		for _, b := range list {
			if b.seat == seat && b.phase == phase && b.cause == cause {
				rounds = append(rounds, fmt.Sprint(b.round))
			}
		}
		return rounds
	}
	told := map[absence]bool{} // round 0 is all of them
	for _, a := range list {
		missing[a.seat] = true
		if told[absence{a.seat, 0, a.phase, a.cause}] {
			continue
		}
		rounds := roundsOf(a.seat, a.phase, a.cause)
		var who []string
		for _, b := range list { // in the order of their first absence of this kind
			kind := absence{b.seat, 0, a.phase, a.cause}
			if b.phase == a.phase && b.cause == a.cause && !told[kind] && slices.Equal(roundsOf(b.seat, a.phase, a.cause), rounds) {
				told[kind] = true
				who = append(who, p.names[b.seat])
			}
		}
		when := "round " + rounds[0]
		if len(rounds) > 1 {
			when = "rounds " + join(rounds)
		}
		if a.phase != "" {
			when = "the " + a.phase + " of " + when
		}
		is := "is"
		if len(who) > 1 {
			is = "are"
		}
		words = append(words, fmt.Sprintf("%s %s missing in %s (%s)", join(who), is, when, a.cause))
	}
	if len(words) == 0 && all == 1 {
		return "the only seat answered"
	}
	if len(words) == 0 && all == 2 {
		return "both seats answered"
	}
	if len(words) == 0 {
		return fmt.Sprintf("all %s answered", plural(all, "seat"))
	}
	return fmt.Sprintf("%d of %s answered in every round: %s", all-len(missing), plural(all, "seat"), strings.Join(words, ", "))
}

// changePart says whether the debate changed the answer.
func changePart(p panel, f figures) string {
	m := builtinMode(p.mode, p.old())
	c := f.comparison
	if c == nil || m.asks != "" || m.poll != "" {
		return ""
	}
	both := ""
	if len(c.onlyBefore)+len(c.onlyAfter) > 0 {
		who := fmt.Sprint(len(c.both))
		if len(c.both) == 1 {
			who = "one"
		}
		both = " for the " + who + " who voted both times"
	}
	switch c.result {
	case "incomparable":
		return fmt.Sprintf("cannot be compared with round %d", c.first)
	case "same":
		return fmt.Sprintf("same answer as in round %d", c.first) + both
	case "relabeled":
		return "other labels: " + strings.Join(relabeled(*c), ", ") + "; not known whether the answer changed"
	default:
		return "changed: " + c.before.answer() + " → " + c.after.answer() + both + movers(p, f)
	}
}

// relabeled lists both majorities, or without two all sides of both counts.
func relabeled(c comparison) []string {
	if c.before.majority != "" && c.after.majority != "" {
		return []string{c.before.majority, c.after.majority}
	}
	out := slices.Clone(c.before.sides)
	for _, side := range c.after.sides {
		if !slices.Contains(out, side) {
			out = append(out, side)
		}
	}
	return out
}

// movers names who changed to another side, and by which answers.
func movers(p panel, f figures) string {
	text := ""
	for _, seat := range f.comparison.both {
		a, _ := find(f.first, seat)
		b, _ := find(f.last, seat)
		if a.name == "" || b.name == "" || a.name == b.name {
			continue
		}
		for _, m := range slices.Backward(f.moves) {
			if m.seat != seat || !slices.Contains([]string{"revised", "revised_known", "conformed"}, m.change) {
				continue
			}
			switch len(m.cites) {
			case 0:
				text += "; " + p.names[seat] + ", citing none"
			case 1:
				text += "; " + p.names[seat] + ", citing your answer " + m.cites[0]
			default:
				text += "; " + p.names[seat] + ", citing your answers " + join(m.cites)
			}
			break
		}
	}
	return text
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// capital writes a side at the beginning of a sentence.
func capital(s string) string {
	if s != "yes" && s != "no" {
		return s
	}
	r := []rune(s)
	return strings.ToUpper(string(r[:1])) + string(r[1:])
}

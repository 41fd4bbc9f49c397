package oracle_test

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// headline writes the line of a panel's verdict, with its form.
func headline(p panel, f figures) (form, line string) {
	weak := weaknesses(p, f)
	weak = weak[:min(2, len(weak))]
	form, result := resultOf(p, f)
	parts := []string{result, missingPart(p, f)}
	for _, w := range weak {
		if form != "no_vote" {
			parts = append(parts, w)
		}
	}
	parts = append(parts, changePart(p, f))
	return form, strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " · ")
}

// resultOf says what the panel came to.
func resultOf(p panel, f figures) (form, text string) {
	m := builtinMode(p.mode, p.old())
	switch {
	case m.asks == "ranking":
		return rankingResult(p, f)
	case f.voters == 0:
		return "no_vote", "No vote: the roles prescribe every side"
	case len(f.last) == 0 && f.matrix != nil:
		return "scores", scoresAlone(p, *f.matrix)
	case len(f.last) == 0:
		return "no_vote", noVote(p, f) + voteless(p)
	}
	cut := cutAfter(p, f.lastRound, m.votes, voters(p))
	when := ""
	stayed := m.poll != "" && f.comparison != nil && len(f.comparison.both) == f.voters &&
		pollCounts(f.comparison.before) == pollCounts(f.comparison.after)
	switch {
	case cut > 0:
		when = fmt.Sprintf(" after round %d", f.lastRound)
	case m.poll != "" && !stayed:
		when = " after the debate"
	}
	clause, written := groupingClause(p, f)
	form, text = sidesResult(f, written, when)
	if p.kind == "estimate" {
		form, text = estimateResult(f.final, when)
	}
	clauses := []string{text, others(p, f, form)}
	if cut > 0 {
		clauses = append(clauses, fmt.Sprintf("round %d was cut short", cut))
	}
	clauses = append(clauses, clause)
	if f.matrix != nil {
		clauses = append(clauses, scoresBeside(p, *f.matrix, f.final.majority))
	}
	if m.poll != "" && !(stayed && form == "side") {
		clauses = append(clauses, pollClause(f, stayed))
	}
	text = joined("; ", clauses...)
	if stayed && form == "side" {
		text += ", as before the debate"
	}
	return form, text + voteless(p)
}

// joined joins what is not empty.
func joined(separator string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), separator)
}

// sidesResult says what votes came to. Written are the votes for a majority by its own label.
func sidesResult(f figures, written int, when string) (form, text string) {
	t := f.final
	sides := t
	sides.undecided, sides.unread = 0, 0
	switch {
	case t.majority != "" && t.voters == 1:
		return "side", title(t.majority) + ", the only vote" + when
	case t.majority != "":
		name := title(t.majority)
		if reserved(t.majority) {
			name += ", as an answer"
		}
		return "side", fmt.Sprintf("%s, %d of %s%s", name, written, number(t.voters, "vote"), when)
	case len(t.sides) > 1:
		text = "Split" + when + ": " + counts(sides)
		if t.votes[t.sides[0]] != t.votes[t.sides[1]] {
			text += fmt.Sprintf(", of %d", t.voters)
		}
		return "split", text
	case len(t.sides) == 1:
		sides.undecided = t.undecided
		return "no_majority", "No majority" + when + ": " + counts(sides)
	case t.voters == 1:
		return "undecided", "Undecided" + when + ": the only vote is undecided"
	case t.undecided == 1:
		return "undecided", "Undecided" + when + ": the only readable vote is undecided"
	}
	return "undecided", fmt.Sprintf("Undecided%s: none of %s took a side", when, number(t.undecided, "vote"))
}

// others accounts for the voters who are not in a result.
func others(p panel, f figures, form string) string {
	t, unread := f.final, "could not be read"
	if !slices.Equal(f.unread, f.unstated) {
		unread += " (" + fewOf(namesOf(p, f.unread)) + ")"
	}
	return joined(", ",
		some(t.undecided, "undecided", form == "side" || form == "split"),
		some(t.unread, unread, true),
		some(t.voters-t.taken()-t.estimates-t.undecided-t.unread, "missing", true))
}

func some(n int, what string, when bool) string {
	if n == 0 || !when {
		return ""
	}
	return fmt.Sprintf("%d %s", n, what)
}

func estimateResult(t tally, when string) (form, text string) {
	switch {
	case len(t.amounts) > 0:
		return "estimate", joined("; ", "No common unit"+when+": "+strings.Join(t.amounts, ", "), some(t.undecided-t.others, "without a figure", true))
	case t.median == nil:
		return "no_vote", fmt.Sprintf("No estimate: none of %s has one", number(t.undecided, "vote"))
	}
	text = "Median " + withUnit(t.value(), t.unit)
	if t.estimates == 1 {
		text = "The only estimate: " + withUnit(t.value(), t.unit)
	}
	if t.low < t.high {
		text += fmt.Sprintf(", from %s to %s", withUnit(t.low, ""), withUnit(t.high, ""))
	}
	units := "in other units"
	if t.others == 1 {
		units = "in another unit"
	}
	of := number(t.voters, "estimate")
	if t.estimates < t.voters {
		of = fmt.Sprintf("%d asked", t.voters)
	}
	text += fmt.Sprintf(", %d of %s%s", t.estimates, of, when)
	return "estimate", joined("; ", text, some(t.others, units, true), some(t.undecided-t.others, "without a figure", true))
}

// noVote says why there are no last votes.
func noVote(p panel, f figures) string {
	m := builtinMode(p.mode, p.old())
	before := ""
	switch {
	case f.firstRound > 0 && m.poll != "":
		before = fmt.Sprintf(" (before the debate: %s)", counts(f.baseline))
	case f.firstRound > 0:
		before = fmt.Sprintf(" (round %d: %s)", f.firstRound, counts(f.baseline))
	}
	cut := cutAfter(p, f.lastRound, m.votes, voters(p))
	switch {
	case f.lastRound == 0 && cut > 0:
		got := f.reader.count(votesIn(p, f.reader, cut, m.votes), f.voters)
		text := fmt.Sprintf("No vote: round %d was cut short", cut)
		if n := got.taken() + got.estimates + got.undecided; n > 0 {
			got.unread = len(unreadIn(p, f.reader, cut, m.votes))
			text += fmt.Sprintf(", with %d of %s (%s)", n, number(f.voters, "vote"), counts(got))
		}
		return text + before
	case f.lastRound == 0:
		return "No vote: the debate ended before it was taken" + before
	}
	switch f.final.unread {
	case 0:
		return fmt.Sprintf("No vote: no voting seat answered in round %d%s", f.lastRound, before)
	case 1:
		return fmt.Sprintf("No vote: the only answer of round %d could not be read%s", f.lastRound, before)
	}
	return fmt.Sprintf("No vote: none of %d votes of round %d could be read%s", f.final.unread, f.lastRound, before)
}

func voteless(p panel) string {
	n := len(p.names) - len(voters(p))
	switch n {
	case 0, len(p.names):
		return ""
	case 1:
		return fmt.Sprintf("; 1 of %s does not vote in this mode", number(len(p.names), "seat"))
	}
	return fmt.Sprintf("; %d of %s do not vote in this mode", n, number(len(p.names), "seat"))
}

// groupingClause says what a grouping does to the last votes, and how many votes their
// majority has by its own label.
func groupingClause(p panel, f figures) (clause string, written int) {
	plain := newReader(p, len(p.rounds), nil)
	_, votes, _, _ := firstAndLast(p, plain)
	own := plain.count(votes, f.voters)
	written = f.final.votes[f.final.majority]
	if own.majority != "" {
		written = own.votes[own.majority]
	}
	if f.grouping == nil || p.kind != "open" {
		return "", written
	}
	g := *f.grouping
	g.inForce = true
	together := newReader(p, len(p.rounds), &g)
	grouped := map[string][]string{}
	var order []string
	for _, s := range own.sides {
		name := together.named(s).name
		if grouped[name] == nil {
			order = append(order, name)
		}
		grouped[name] = append(grouped[name], s)
	}
	switch name := together.named(own.majority).name; {
	case len(order) == len(own.sides):
		return "", written
	case own.majority != "" && len(grouped[name]) < 2:
		return "", written
	case own.majority != "":
		rest := quotedAll(grouped[name][1:])
		n := 0
		for _, s := range grouped[name] {
			n += own.votes[s]
		}
		return fmt.Sprintf("with %s, read as the same by %s, %d", list(rest), g.by, n), written
	case f.final.majority != "":
		return "read as one answer by " + g.by, written
	}
	sum := map[string]int{}
	for name, sides := range grouped {
		for _, s := range sides {
			sum[name] += own.votes[s]
		}
	}
	slices.SortStableFunc(order, func(a, b string) int { return sum[b] - sum[a] })
	var sets []string
	for _, name := range order {
		if len(grouped[name]) > 1 {
			sets = append(sets, list(quotedAll(grouped[name])))
		}
	}
	verb := " reads "
	if strings.Contains(g.by, " and ") {
		verb = " read "
	}
	return g.by + verb + strings.Join(sets, ", and ") + " as one", written
}

// pollClause says how votes moved from the poll before the debate.
func pollClause(f figures, stayed bool) string {
	c := f.comparison
	switch {
	case c == nil:
		return "no vote before could be read"
	case 2*len(c.both) < f.voters:
		return "too few voted both times to compare"
	case stayed:
		return "as before the debate"
	}
	before, after := pollCounts(c.before), pollCounts(c.after)
	yes, no := c.after.votes["yes"]-c.before.votes["yes"], c.after.votes["no"]-c.before.votes["no"]
	words := []string{"", "one", "two", "three", "four"}
	switch {
	case before == after && len(c.both) == 1:
		return "the one who voted both times did not move (" + after + ")"
	case before == after:
		return fmt.Sprintf("as before among the %d who voted both times (%s)", len(c.both), after)
	case yes == no:
		return "neither side gained (before: " + before + ")"
	case yes > no && yes > 0:
		return "the proposition gained " + words[yes] + " (before: " + before + ")"
	case no > 0:
		return "the opposition gained " + words[no] + " (before: " + before + ")"
	}
	return "before the debate: " + before
}

func pollCounts(t tally) string {
	return joined(", ", someAfter("yes", t.votes["yes"]), someAfter("no", t.votes["no"]), someAfter("undecided", t.undecided))
}

func someAfter(what string, n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s %d", what, n)
}

func rankingResult(p panel, f figures) (form, text string) {
	r := f.ranking
	round := 0
	if r != nil {
		round = r.round
	}
	cut := cutAfter(p, round, "ranking", everybody(p))
	switch {
	case r == nil && cut == 1:
		return "no_vote", "No ranking: round 1 was cut short"
	case r == nil:
		return "no_vote", "No ranking: no ballot was cast"
	}
	read := len(r.ballots)
	first := r.first()
	rest := ""
	if n := r.cast - read; n > 0 && read > 1 {
		rest += fmt.Sprintf("; %d could not be read", n)
	}
	if n := r.due - r.cast; n > 0 {
		rest += fmt.Sprintf("; %d missing", n)
	}
	if cut > 0 {
		rest += fmt.Sprintf("; round %d was cut short", cut)
	}
	switch {
	case read == 0:
		return "no_vote", fmt.Sprintf("No ranking: none of %s could be read", number(r.due, "ballot"))
	case read == 1:
		by := 0
		for seat := range r.ballots {
			by = seat
		}
		text = fmt.Sprintf("Only %s's ballot could be read: it ranks %s first", p.names[by], p.names[first[0]])
	case len(first) == 1:
		n := fmt.Sprint(r.firsts[first[0]])
		if n == "0" {
			n = "none"
		}
		what := "ballot"
		if read < r.due {
			what = "readable ballot"
		}
		text = fmt.Sprintf("Ranked first by points: %s, first on %s of %s", p.names[first[0]], n, number(read, what))
	case len(first) == len(r.stood):
		text = fmt.Sprintf("Tie of all %s by points per ballot", []string{2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight"}[len(first)])
	default:
		text = "Tied for first by points: " + list(namesOf(p, first))
	}
	return "ranking", text + rest
}

func scoresAlone(p panel, m matrix) string {
	missing := ""
	switch len(m.missing) {
	case 0:
	case 1:
		missing = m.missing[0] + " is missing"
	default:
		missing = list(m.missing) + " are missing"
	}
	n := m.countedCriteria()
	if m.best == "" && 2*n < len(p.criteria) && missing != "" {
		return "No option is ahead: " + missing
	}
	text := scoresBeside(p, m, "")
	if m.best == "" {
		text = "No" + strings.TrimPrefix(text, "no")
	}
	return joined("; ", fmt.Sprintf("%s, %d of %d criteria, %s", text, n, len(p.criteria), number(len(m.members), "seat")), missing)
}

// scoresBeside says which option is ahead, beside a majority of the votes.
func scoresBeside(p panel, m matrix, majority string) string {
	total := func(option string) string { return m.written(slices.Index(p.options, option)) }
	second := m.second(p)
	switch {
	case m.best == "" && len(m.tied) > 1:
		return fmt.Sprintf("no option is ahead by the scores: %s have %s", list(quotedAll(m.tied)), total(m.tied[0]))
	case m.best == "":
		return "no option is ahead by the scores"
	case majority == m.best:
		return fmt.Sprintf("ahead by the scores too, %s to %s", total(m.best), total(second))
	case majority != "":
		return fmt.Sprintf("but %s is ahead by the scores, %s to %s", quoted(m.best), total(m.best), total(majority))
	}
	return fmt.Sprintf("%s is ahead by the scores, %s to %s", quoted(m.best), total(m.best), total(second))
}

// missingPart says what is missing.
func missingPart(p panel, f figures) string {
	var parts []string
	if p.chair.absent {
		parts = append(parts, "no report by a chair")
	}
	if names, rounds := absentees(p); len(names) > 0 {
		when := ""
		switch {
		case len(p.rounds) > 1 && len(rounds) > 1:
			when = ", in rounds " + list(rounds)
		case len(p.rounds) > 1:
			when = " in round " + rounds[0]
		}
		parts = append(parts, fmt.Sprintf("%d of %s missed a turn (%s%s)", len(names), number(len(p.names), "seat"), fewOf(names), when))
	}
	if n := len(f.unstated); n > 0 {
		answers := "answer"
		if n > 1 {
			answers = "answers"
		}
		parts = append(parts, fmt.Sprintf("the %s of %s in round %d could not be read", answers, fewOf(namesOf(p, f.unstated)), len(p.rounds)))
	}
	switch {
	case p.stop == "user":
		return joined("; ", append([]string{"stopped by you"}, parts...)...)
	case p.stop != "":
		return joined("; ", append([]string{"stopped by the " + p.stop}, parts...)...)
	case len(parts) > 0:
		return "incomplete: " + strings.Join(parts, ", ")
	}
	return ""
}

// absentees names who did not speak when due, by the round of the first absence, and those rounds.
func absentees(p panel) (out, rounds []string) {
	for n := 1; n <= len(p.rounds); n++ {
		for seat, name := range p.names {
			for _, s := range plannedSteps(p.mode, len(p.names), n, p.planned, p.old()) {
				if _, ok := p.spoken(n, s.phase, seat); !slices.Contains(s.seats, seat) || ok {
					continue
				}
				if !slices.Contains(out, name) {
					out = append(out, name)
				}
				if round := fmt.Sprint(n); !slices.Contains(rounds, round) {
					rounds = append(rounds, round)
				}
			}
		}
	}
	return out, rounds
}

const ofOneModel = "all voting seats are one model"

// weaknesses lists what makes a result weak, the gravest first.
func weaknesses(p panel, f figures) []string {
	var out, open []string
	for i, fact := range p.facts {
		answered := false
		for _, v := range fact.revisions {
			if v.round <= len(p.rounds) {
				answered = v.answered
			}
		}
		if fact.required && fact.asked <= len(p.rounds) && !answered {
			open = append(open, factID(i))
		}
	}
	if len(open) > 0 {
		out = append(out, "without an answer to "+fewOf(open))
	}
	t := f.final
	if p.oneModel && t.taken()+t.estimates > 1 {
		out = append(out, ofOneModel)
	}
	if t.majority == "" {
		return out
	}
	if n := t.votes[t.majority]; (t.taken() > n || t.undecided > 0) && 2*(n-1) <= t.voters {
		out = append(out, "the narrowest majority")
	}
	return out
}

// changePart says whether the debate changed the answer, and by what.
func changePart(p panel, f figures) string {
	m := builtinMode(p.mode, p.old())
	c := f.comparison
	if c == nil || m.poll != "" {
		return ""
	}
	partly := len(c.both) < f.voters
	both, answered := fmt.Sprintf("the %d who voted both times", len(c.both)), fmt.Sprintf("the %d who answered both times", len(c.both))
	if len(c.both) == 1 {
		both, answered = "the one who voted both times", "the one who answered both times"
	}
	moved := movers(p, f)
	before, after := counts(c.before), counts(c.after)
	still := len(moved) == 0 && before == after
	switch {
	case c.result == "incomparable":
		return fmt.Sprintf("cannot be compared with round %d", c.first)
	case c.result == "relabeled":
		return fmt.Sprintf("the labels differ from those of round %d (%s); not known whether the answer changed", c.first, before)
	case partly && p.kind == "estimate" && before == after:
		return fmt.Sprintf("for %s it is still %s", answered, after)
	case partly && p.kind == "estimate":
		return fmt.Sprintf("the median of %s went from %s to %s", answered, before, after)
	case partly && still:
		return fmt.Sprintf("%s did not move (%s)", both, after)
	case partly:
		return fmt.Sprintf("%s went from %s to %s", both, before, after) + moverWords(p, len(c.both), moved)
	case c.result == "changed" && c.before.majority != "" && c.after.majority != "":
		return "changed: " + quoted(c.before.majority) + " → " + quoted(c.after.majority) + moverWords(p, len(c.both), moved)
	case c.result == "changed":
		return "changed: " + before + " → " + after + moverWords(p, len(c.both), moved)
	case c.after.answer() != "":
		return fmt.Sprintf("same answer as in round %d", c.first)
	case len(c.before.sides)+len(c.after.sides) == 0:
		return fmt.Sprintf("undecided in round %d too", c.first)
	case still:
		return fmt.Sprintf("nobody moved since round %d", c.first)
	}
	return fmt.Sprintf("no majority in round %d either (%s)", c.first, before) + moverWords(p, len(c.both), moved)
}

// movers lists who took another side at the end than at first, with the change that
// brought them to it.
func movers(p panel, f figures) []move {
	var out []move
	for _, seat := range voters(p) {
		var change *move
		first, last := "", ""
		for i, m := range f.moves {
			if m.seat != seat || m.round > f.comparison.last {
				continue
			}
			if m.round == f.comparison.first {
				first = m.side
			}
			if m.round == f.comparison.last {
				last = m.side
			}
			if slices.Contains([]string{"revised", "revised_known", "conformed", "convinced"}, m.change) || m.undecided {
				change = &f.moves[i]
			}
		}
		if change != nil && last != "" && last != first && slices.Contains(f.comparison.both, seat) {
			out = append(out, *change)
		}
	}
	return out
}

func moverWords(p panel, compared int, moved []move) string {
	var order []string
	who := map[string][]string{}
	for _, m := range moved {
		on := groundWords(p, m)
		if who[on] == nil {
			order = append(order, on)
		}
		who[on] = append(who[on], p.names[m.seat])
	}
	switch {
	case len(order) == 1 && len(moved) > 1 && len(moved) < compared:
		return fmt.Sprintf("; the %d who changed, %s", len(moved), order[0])
	case len(order) == 1 && len(moved) == 2:
		return "; both " + order[0]
	case len(order) == 1 && len(moved) > 2:
		return fmt.Sprintf("; all %d %s", len(moved), order[0])
	}
	text := ""
	for _, on := range order {
		text += "; " + fewOf(who[on]) + " changed, " + on
	}
	return text
}

func groundWords(p panel, m move) string {
	answers := "answer"
	if len(m.cites) > 1 {
		answers = "answers"
	}
	text := "citing your " + answers + " " + list(m.cites)
	switch {
	case m.by >= 0:
		return "by " + p.names[m.by] + "'s argument"
	case m.nothing:
		return "by nothing new by their own account"
	case len(m.cites) == 0:
		return "citing no evidence"
	case m.fromStart:
		return text + ", known from the start"
	case m.known:
		return text + ", known before"
	}
	return text
}

// counts lists the sides with their votes, then the undecided and the unreadable.
func counts(t tally) string {
	switch {
	case t.median != nil:
		return withUnit(t.value(), t.unit)
	case len(t.amounts) > 0:
		return "no common unit"
	}
	var parts []string
	brackets := false
	for _, s := range t.sides {
		last := []rune(s)[len([]rune(s))-1]
		brackets = brackets || unicode.IsDigit(last) || quoted(s) != s
	}
	add := func(name string, n int) {
		switch {
		case n == 0:
		case brackets:
			parts = append(parts, fmt.Sprintf("%s (%d)", name, n))
		default:
			parts = append(parts, fmt.Sprintf("%s %d", name, n))
		}
	}
	for _, s := range t.sides {
		add(quoted(s), t.votes[s])
	}
	add("undecided", t.undecided)
	add("unreadable", t.unread)
	return strings.Join(parts, ", ")
}

// title writes a side for the beginning of a line.
func title(side string) string {
	switch side {
	case "yes":
		return "Yes"
	case "no":
		return "No"
	}
	return quoted(side)
}

// quoted writes a side in quotation marks where it would be read as a part of the sentence.
func quoted(side string) string {
	phrase := strings.Contains(side, " ") && unicode.IsLower([]rune(side)[0])
	if phrase || strings.ContainsAny(side, ",;:·()") || reserved(side) {
		return `"` + side + `"`
	}
	return side
}

// reserved reports whether a label begins as a line without a side does.
func reserved(side string) bool {
	words := strings.Fields(strings.ToLower(side))
	first := []string{"split", "undecided", "ranked", "tie", "tied", "median", "no majority", "no vote", "no estimate", "no ranking", "no option"}
	return slices.Contains(first, words[0]) || slices.Contains(first, strings.Join(words[:min(2, len(words))], " "))
}

func quotedAll(sides []string) []string {
	out := make([]string, len(sides))
	for i, s := range sides {
		out[i] = quoted(s)
	}
	return out
}

func namesOf(p panel, seats []int) []string {
	var out []string
	for _, s := range seats {
		out = append(out, p.names[s])
	}
	return out
}

func list(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// fewOf lists four names, or three and how many more.
func fewOf(names []string) string {
	if len(names) < 5 {
		return list(names)
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:3], ", "), len(names)-3)
}

func number(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

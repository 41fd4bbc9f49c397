package oracle_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var figureInText = regexp.MustCompile(`\d+(?:\.\d+)?`)

// compareHeadline compares the answer, the names and the numbers of a headline, in their
// order. Its words are in goldens.
func (d *differences) compareHeadline(p panel, f figures, got string) {
	parts := strings.Split(got, " · ")
	change := changeFacts(p, f)
	if want := min(len(change), 1) + 2; len(parts) != want {
		d.equal("parts of the headline", want, got)
		return
	}
	d.compareFacts("result", resultFacts(p, f), parts[0], true)
	d.compareFacts("missing", missingFacts(p, f), parts[1], false)
	if len(change) > 0 {
		d.compareFacts("change", change, parts[2], true)
	}
}

// compareFacts looks for facts in a text; inOrder says that it has them in their order, and
// no other number.
func (d *differences) compareFacts(what string, facts []any, text string, inOrder bool) {
	rest := strings.ToLower(text)
	for _, fact := range facts {
		before, after, found := strings.Cut(rest, strings.ToLower(fmt.Sprint(fact)))
		if !found {
			d.equal("headline "+what, facts, text)
			return
		}
		if inOrder {
			_, rest = before, after
		}
	}
	if inOrder {
		d.equal("headline "+what+" numbers", figureInText.FindAllString(fmt.Sprintln(facts...), -1), figureInText.FindAllString(text, -1))
	}
}

func resultFacts(p panel, f figures) []any {
	m := builtinMode(p.mode, p.old())
	switch {
	case m.asks == "ranking" && f.ranking == nil:
		return nil
	case m.asks == "ranking":
		return rankingFacts(p, *f.ranking)
	case m.asks == "scores" && f.matrix != nil:
		return scoreFacts(p, *f.matrix)
	case len(voters(p)) == 0:
		return nil
	case f.firstRound+f.lastRound == 0:
		return seatsWithoutVote(p)
	case m.poll != "":
		return slices.Concat(pollFacts(f), positive(f.baseline.unread+f.final.unread), seatsWithoutVote(p))
	}
	named := 0 // among the members who state no position
	for _, seat := range f.unstated {
		if _, spoke := p.spoken(f.lastRound, m.votes, seat); spoke && f.lastRound == len(p.rounds) && slices.Contains(voters(p), seat) {
			named++
		}
	}
	unread := positive(f.final.unread - named)
	if n := lastCast(p, m.votes); n > f.lastRound {
		unread = []any{unreadIn(p, n, m.votes), n}
	}
	facts := voteFacts(f)
	if p.kind == "estimate" {
		facts = estimateFacts(f)
	}
	return slices.Concat(facts, unread, seatsWithoutVote(p))
}

// positive returns a number as a fact if there is something to count.
func positive(n int) []any {
	if n == 0 {
		return nil
	}
	return []any{n}
}

func seatsWithoutVote(p panel) []any {
	n := len(p.names) - len(voters(p))
	if n == 0 {
		return nil
	}
	return []any{n, len(p.names)}
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

func voteFacts(f figures) []any {
	t := f.final
	cast := t.taken() + t.undecided + t.unread
	var missing []any // of those who could vote, where a single vote was cast
	if t.voters > 1 {
		missing = []any{t.voters - 1, t.voters}
	}
	switch {
	case len(t.sides) == 0 && cast == 1:
		return missing
	case len(t.sides) == 0 && t.undecided == 1:
		return nil
	case len(t.sides) == 0:
		return []any{t.undecided}
	case t.voters == 1:
		return []any{t.majority}
	case cast == 1:
		return append([]any{t.majority}, missing...)
	case t.majority != "":
		return append([]any{t.majority, t.votes[t.majority], t.taken()}, positive(t.undecided)...)
	default:
		return append(sideFacts(t, t.sides), positive(t.undecided)...)
	}
}

func sideFacts(t tally, sides []string) []any {
	var out []any
	for _, s := range sides {
		if t.votes[s] > 0 {
			out = append(out, s, t.votes[s])
		}
	}
	return out
}

func estimateFacts(f figures) []any {
	t := f.final
	if t.median == nil {
		return []any{t.undecided}
	}
	facts := []any{withUnit(number(t.median), t.unit)}
	if t.low < t.high {
		facts = append(facts, t.low, t.high)
	}
	return append(append(facts, t.estimates, len(f.last)), positive(t.others)...)
}

func pollFacts(f figures) []any {
	c := f.comparison
	if c == nil || len(c.both) == 0 || c.result == "incomparable" {
		return []any{"no vote to compare"}
	}
	winner := "neither side"
	switch gain := c.after.votes["yes"] - c.after.votes["no"] - c.before.votes["yes"] + c.before.votes["no"]; {
	case gain > 0:
		winner = "the proposition"
	case gain < 0:
		winner = "the opposition"
	}
	facts := []any{winner}
	for _, t := range []tally{c.before, c.after} {
		facts = append(facts, sideFacts(t, []string{"yes", "no"})...)
		facts = append(facts, positive(t.undecided)...)
	}
	return facts
}

func rankingFacts(p panel, r ranking) []any {
	first := r.first()
	base := []any{len(r.ballots), r.cast}
	switch {
	case len(r.ballots) == 0:
		return []any{r.cast}
	case len(first) == len(r.points) && len(first) > 1:
		return append([]any{"tie of all"}, base...)
	}
	return append(anyOf(namesOf(p, first)), base...)
}

func anyOf(names []string) []any {
	out := make([]any, len(names))
	for i, n := range names {
		out[i] = n
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

func scoreFacts(p panel, m matrix) []any {
	counted := 0
	for _, c := range m.counted {
		if c {
			counted++
		}
	}
	base := []any{counted, len(p.criteria), len(m.members)}
	missing := anyOf(m.missing)
	switch {
	case m.best != "":
		return slices.Concat([]any{m.best, m.written(slices.Index(p.options, m.best)), 10}, base, missing)
	case 2*counted < len(p.criteria):
		return append([]any{"no option"}, missing...)
	}
	return slices.Concat([]any{"no option"}, anyOf(m.tied), []any{m.written(slices.Index(p.options, m.tied[0]))}, base, missing)
}

// missingFacts returns how the debate ended, who is missing in which round and why, and
// who states no position.
func missingFacts(p panel, f figures) []any {
	var facts []any
	switch {
	case f.outcome == "stopped" && p.stop == "budget":
		facts = append(facts, "the budget")
	case f.outcome == "stopped":
		facts = append(facts, "the user")
	case f.outcome == "degraded":
		facts = append(facts, "degraded")
	}
	if p.noChair {
		facts = append(facts, "no synthesis")
	}
	missing := map[int]bool{}
	for _, a := range absences(p) {
		missing[a.seat] = true
		facts = append(facts, p.names[a.seat], a.phase, a.round, a.cause)
	}
	if all := len(p.names); len(missing) > 0 {
		facts = append(facts, fmt.Sprintf("%d of %d", all-len(missing), all))
	} else if all > 2 {
		facts = append(facts, all)
	}
	return append(facts, anyOf(namesOf(p, f.unstated))...)
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

// changeFacts returns whether the debate changed the answer, and by what; nil where the
// headline does not say so.
func changeFacts(p panel, f figures) []any {
	m := builtinMode(p.mode, p.old())
	c := f.comparison
	if c == nil || m.asks != "" || m.poll != "" {
		return nil
	}
	var both []any
	if len(c.onlyBefore)+len(c.onlyAfter) > 0 && len(c.both) > 1 {
		both = []any{len(c.both)}
	}
	switch c.result {
	case "incomparable":
		return []any{"cannot be compared", c.first}
	case "same":
		return append([]any{"same answer", c.first}, both...)
	case "relabeled":
		return append([]any{"other labels"}, anyOf(relabeled(*c))...)
	default:
		return slices.Concat([]any{"changed", c.before.answer(), c.after.answer()}, both, moverFacts(p, f))
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

// moverFacts names who changed to another side, and the answers that they cite.
func moverFacts(p panel, f figures) []any {
	var facts []any
	for _, seat := range f.comparison.both {
		a, _ := find(f.first, seat)
		b, _ := find(f.last, seat)
		if a.name == "" || b.name == "" || a.name == b.name {
			continue
		}
		for _, m := range slices.Backward(f.moves) {
			if m.seat == seat && slices.Contains([]string{"revised", "revised_known", "conformed"}, m.change) {
				facts = append(append(facts, p.names[seat]), anyOf(m.cites)...)
				break
			}
		}
	}
	return facts
}

package verdict

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/text"
)

const (
	answerSplit      = "split"
	answerNoMajority = "no majority"
	answerUndecided  = "undecided"
	answerNoUnit     = "no common unit"
)

// TallyAnswer returns what a tally came to: a side, "split", "no majority" or "undecided",
// or the median of estimates.
func TallyAnswer(t debate.Tally) string {
	switch {
	case t.Median != nil:
		return amount(t.Median.Value, t.Median.Unit)
	case t.Majority != debate.Undecided:
		return string(t.Majority)
	case t.Split:
		return answerSplit
	case len(t.Sides) > 0:
		return answerNoMajority
	case len(t.Amounts) > 0:
		return answerNoUnit
	default:
		return answerUndecided
	}
}

// VoteCounts lists the sides of a tally with their votes, and the undecided after them, such
// as "yes 1, undecided 4". Figures stand in brackets where a label could be mistaken
// for a part of them.
func VoteCounts(t debate.Tally) string {
	type entry struct {
		name  string
		votes int
	}
	var list []entry
	brackets := false
	for _, side := range t.Sides {
		name := QuoteSide(side)
		brackets = brackets || strings.ContainsAny(name, `",`) || endsInDigit(name)
		list = append(list, entry{name, t.Votes[side]})
	}
	if t.Undecided > 0 {
		list = append(list, entry{answerUndecided, t.Undecided})
	}
	if t.Unread > 0 {
		list = append(list, entry{"unreadable", t.Unread})
	}
	words := make([]string, len(list))
	for i, e := range list {
		words[i] = e.name + " " + text.Number(e.votes)
		if brackets {
			words[i] = fmt.Sprintf("%s (%s)", e.name, text.Number(e.votes))
		}
	}
	return strings.Join(words, ", ")
}

func endsInDigit(name string) bool {
	r, _ := utf8.DecodeLastRuneInString(name)
	return unicode.IsDigit(r)
}

// QuoteSide returns a side as it stands in a sentence: in quotation marks where it would
// be read as a part of the sentence, such as "do it" or "yes, if backed up".
func QuoteSide(side debate.Side) string {
	name := string(side)
	first, _ := utf8.DecodeRuneInString(name)
	phrase := strings.Contains(name, " ") && unicode.IsLower(first)
	if phrase || strings.ContainsAny(name, ",;:·()") || isReserved(name) {
		return `"` + strings.ReplaceAll(name, `"`, "'") + `"`
	}
	return name
}

// isReserved reports whether a label begins as a headline does that names no side.
func isReserved(name string) bool {
	name = strings.ToLower(name) + " "
	return slices.ContainsFunc([]string{
		"split ", "undecided ", "unreadable ", "missing ", "ranked ", "tie ", "tied ", "median ", "stopped ", "incomplete ", "no majority ",
		"no vote ", "no estimate ", "no ranking ", "no option ", "no common ",
	}, func(word string) bool { return strings.HasPrefix(name, word) })
}

func (b ballotBox) count(s debate.Session, q Sides) debate.Tally {
	t := count(q, len(voters(s)), b.votes)
	t.Unread = len(b.unread)
	return t
}

// Cast returns how many voters of a tally spoke.
func Cast(t debate.Tally) int { return Stated(t) + t.Undecided + t.Unread }

// Stated returns how many voters of a tally took a side or gave an estimate that counts.
func Stated(t debate.Tally) int {
	n := t.Estimates
	for _, votes := range t.Votes {
		n += votes
	}
	return n
}

// count counts votes of a number of voters, who are all in the base of a majority.
func count(q Sides, voters int, votes []vote) debate.Tally {
	t := debate.Tally{Voters: voters}
	if q.kind == debate.QuestionEstimate {
		countEstimates(&t, q, votes)
		return t
	}
	t.Votes = map[debate.Side]int{}
	for _, v := range votes {
		if v.side == debate.Undecided {
			t.Undecided++
			continue
		}
		if t.Votes[v.side] == 0 {
			t.Sides = append(t.Sides, v.side)
		}
		t.Votes[v.side]++
	}
	slices.SortStableFunc(t.Sides, func(a, b debate.Side) int { return t.Votes[b] - t.Votes[a] })
	for _, side := range t.Sides {
		if 2*t.Votes[side] > t.Voters {
			t.Majority = side
		}
	}
	t.None = len(t.Sides) == 0
	t.Split = len(t.Sides) > 1 && t.Majority == debate.Undecided
	return t
}

// countEstimates sets the median of the estimates in the unit that more than half of them
// use, and the range of those. Without such a unit there is no median.
func countEstimates(t *debate.Tally, q Sides, votes []vote) {
	unit, common := q.commonUnit(votes)
	var values []float64
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range votes {
		e := q.estimate(v.Statement)
		switch {
		case e == nil:
			t.Undecided++
			continue
		case !common:
			t.Undecided++
			t.OtherUnits++
			t.Amounts = append(t.Amounts, string(v.side))
			continue
		case q.unit(*e) != unit:
			t.Undecided++
			t.OtherUnits++
			continue
		}
		values = append(values, e.Value)
		for _, bound := range []*float64{&e.Value, e.Low, e.High} {
			if bound != nil {
				low, high = min(low, *bound), max(high, *bound)
			}
		}
	}
	t.Estimates, t.None = len(values), len(values) == 0
	if t.None {
		return
	}
	t.Median = &debate.Estimate{Value: median(values), Unit: unit, Low: &low, High: &high}
}

// commonUnit returns the unit that more than half of the estimates are in.
func (q Sides) commonUnit(votes []vote) (unit string, ok bool) {
	used, all := map[string]int{}, 0
	for _, v := range votes {
		if e := q.estimate(v.Statement); e != nil {
			used[q.unit(*e)]++
			all++
		}
	}
	for unit, n := range used {
		if 2*n > all {
			return unit, true
		}
	}
	return "", all == 0
}

// UnitNotes says in sentences which of the last estimates are left out of the median, for
// their units, and whose unit was not named. Nothing is converted.
func UnitNotes(s debate.Session) []string {
	q := SidesOf(s)
	_, last := firstAndLast(s, q)
	if s.Question != debate.QuestionEstimate || last == nil {
		return nil
	}
	unit, common := q.commonUnit(last.votes)
	var apart, unnamed, out []string
	for _, v := range last.votes {
		switch e := q.estimate(v.Statement); {
		case e == nil:
		case common && q.unit(*e) != unit:
			apart = append(apart, fmt.Sprintf("%s (%s)", amount(e.Value, q.unit(*e)), s.NameOf(v.Turn.Agent)))
		case e.Unit == "" && q.unit(*e) != "":
			unnamed = append(unnamed, s.NameOf(v.Turn.Agent))
		}
	}
	if len(apart) > 0 {
		out = append(out, fmt.Sprintf("Not in the median, which is in %s: %s. Nothing was converted.", cmp.Or(unit, "no unit"),
			text.List(apart)))
	}
	if len(unnamed) > 0 {
		out = append(out, fmt.Sprintf("%s named no unit; counted in %s, the only unit that was named.", text.List(unnamed), unit))
	}
	return out
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	if n%2 == 1 {
		return sorted[n/2]
	}
	return (sorted[n/2-1] + sorted[n/2]) / 2
}

// compare compares the first votes with the last, nil if votes were cast once.
func compare(s debate.Session, q Sides) *debate.Comparison {
	first, last := firstAndLast(s, q)
	if first == nil || last == nil || len(last.votes) == 0 || first.round.Number == last.round.Number && first.phase == last.phase {
		return nil
	}
	c := &debate.Comparison{First: first.round.Number, Last: last.round.Number, Blind: isBlind(s, *first)}
	both := map[agents.ID]bool{}
	var before, after []vote
	for _, v := range first.votes {
		i := slices.IndexFunc(last.votes, func(o vote) bool { return o.Turn.Agent == v.Turn.Agent })
		switch {
		case i < 0:
			c.OnlyBefore = append(c.OnlyBefore, v.Turn.Agent)
		case otherModel(s, v, last.votes[i]):
			c.OtherModel = append(c.OtherModel, v.Turn.Agent)
		default:
			both[v.Turn.Agent] = true
			before = append(before, v)
		}
	}
	for _, v := range last.votes {
		if both[v.Turn.Agent] {
			after = append(after, v)
		} else if !slices.Contains(c.OtherModel, v.Turn.Agent) {
			c.OnlyAfter = append(c.OnlyAfter, v.Turn.Agent)
		}
	}
	c.Voters, c.Before, c.After = len(both), count(q, len(both), before), count(q, len(both), after)
	switch {
	case 2*c.Voters < len(voters(s)), differentUnits(c.Before, c.After):
		return nil
	case !hasAnswer(c.Before) && !hasAnswer(c.After), TallyAnswer(c.Before) == TallyAnswer(c.After):
		c.Result = debate.AnswerSame
	case !q.differ(c.Before, c.After):
		return nil
	default:
		c.Result = debate.AnswerChanged
	}
	return c
}

// hasAnswer reports whether votes came to anything. To be split is no other answer than to
// be undecided.
func hasAnswer(t debate.Tally) bool { return t.Majority != debate.Undecided || t.Median != nil }

func differentUnits(a, b debate.Tally) bool {
	return len(a.Amounts)+len(b.Amounts) > 0 || a.Median != nil && b.Median != nil && a.Median.Unit != b.Median.Unit
}

// isBlind reports whether no voter could have read another's statement before voting.
func isBlind(s debate.Session, b ballotBox) bool {
	if b.round.Number != 1 {
		return false
	}
	if b.phase != s.Mode.Votes {
		return true
	}
	phase := s.Mode.Phase(b.phase)
	return phase.Order == debate.Parallel && !slices.ContainsFunc(b.votes, func(v vote) bool { return v.Turn.Step != 0 })
}

func leading(t debate.Tally) int {
	if len(t.Sides) == 0 {
		return 0
	}
	return t.Votes[slices.MaxFunc(t.Sides, func(a, b debate.Side) int { return cmp.Compare(t.Votes[a], t.Votes[b]) })]
}

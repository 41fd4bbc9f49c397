package verdict

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/text"
)

const (
	answerSplit     = "split"
	answerUndecided = "undecided"
)

// TallyAnswer returns what a tally came to: a side, "split" or "undecided", or the
// median of estimates.
func TallyAnswer(t debate.Tally) string {
	switch {
	case t.Median != nil:
		return amount(t.Median.Value, t.Median.Unit)
	case t.Majority != debate.Undecided:
		return string(t.Majority)
	case t.Split:
		return answerSplit
	default:
		return answerUndecided
	}
}

// VoteCounts lists the sides of a tally with their votes, the undecided among them,
// such as "undecided 4, yes 1".
func VoteCounts(t debate.Tally) string {
	type entry struct {
		name  string
		votes int
	}
	var list []entry
	for _, side := range t.Sides {
		list = append(list, entry{string(side), t.Votes[side]})
	}
	if t.Undecided > 0 {
		list = append(list, entry{answerUndecided, t.Undecided})
	}
	slices.SortStableFunc(list, func(a, b entry) int { return b.votes - a.votes })
	if t.Unread > 0 {
		list = append(list, entry{"unreadable", t.Unread})
	}
	words := make([]string, len(list))
	for i, e := range list {
		words[i] = e.name + " " + text.Number(e.votes)
	}
	return strings.Join(words, ", ")
}

func (b ballotBox) count(s debate.Session, q Sides) debate.Tally {
	t := count(s, q, b.votes)
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

const defaultWeight = 0.5

func count(s debate.Session, q Sides, votes []vote) debate.Tally {
	t := debate.Tally{Voters: len(voters(s))}
	if q.kind == debate.QuestionEstimate {
		countEstimates(&t, q, votes)
		return t
	}
	t.Votes, t.Weights = map[debate.Side]int{}, map[debate.Side]float64{}
	for _, v := range votes {
		if v.side == debate.Undecided {
			t.Undecided++
			continue
		}
		if t.Votes[v.side] == 0 {
			t.Sides = append(t.Sides, v.side)
		}
		t.Votes[v.side]++
		weight := defaultWeight
		if v.Statement.Confidence != nil {
			weight = *v.Statement.Confidence
		} else {
			t.NoConfidence++
		}
		t.Weights[v.side] += weight
	}
	for side, w := range t.Weights {
		t.Weights[side] = math.Round(w*1e6) / 1e6 // so that 0.1 + 0.2 ties with 0.3
	}
	slices.SortStableFunc(t.Sides, func(a, b debate.Side) int { return t.Votes[b] - t.Votes[a] })
	t.Majority, t.Weighted = majority(t.Votes), majority(t.Weights)
	t.None = len(t.Sides) == 0
	t.Split = !t.None && t.Majority == debate.Undecided
	return t
}

// majority returns the side with more than half of all, beyond what is lost in adding
// fractions.
func majority[N int | float64](counts map[debate.Side]N) debate.Side {
	var all N
	for _, n := range counts {
		all += n
	}
	for side, n := range counts {
		if float64(2*n-all) > 1e-9 {
			return side
		}
	}
	return debate.Undecided
}

// countEstimates sets the median of the estimates in the unit that most voters use, and
// the range of them all.
func countEstimates(t *debate.Tally, q Sides, votes []vote) {
	unit := q.commonUnit(votes)
	var values []float64
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range votes {
		e := v.Statement.Estimate
		if e == nil || q.unit(*e) != unit {
			t.Undecided++
			if e != nil {
				t.OtherUnits++
			}
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

// commonUnit returns the unit that most estimates are in, of several the first by seat.
func (q Sides) commonUnit(votes []vote) string {
	used, best := map[string]int{}, ""
	for _, v := range votes {
		if e := v.Statement.Estimate; e != nil {
			used[q.unit(*e)]++
		}
	}
	most := 0
	for _, v := range votes {
		if e := v.Statement.Estimate; e != nil && used[q.unit(*e)] > most {
			best, most = q.unit(*e), used[q.unit(*e)]
		}
	}
	return best
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
	if first == nil || last == nil || first.round.Number == last.round.Number && first.phase == last.phase {
		return nil
	}
	c := &debate.Comparison{First: first.round.Number, Last: last.round.Number, Blind: isBlind(s, *first)}
	both := map[agents.ID]bool{}
	var before, after []vote
	for _, v := range first.votes {
		if !cast(last.votes, v.Turn.Agent) {
			c.OnlyBefore = append(c.OnlyBefore, v.Turn.Agent)
			continue
		}
		both[v.Turn.Agent] = true
		before = append(before, v)
	}
	for _, v := range last.votes {
		if !both[v.Turn.Agent] {
			c.OnlyAfter = append(c.OnlyAfter, v.Turn.Agent)
			continue
		}
		after = append(after, v)
	}
	c.Voters, c.Before, c.After = len(both), count(s, q, before), count(s, q, after)
	a, b := TallyAnswer(c.Before), TallyAnswer(c.After)
	switch {
	case 2*c.Voters < c.Before.Voters:
		c.Result = debate.AnswerIncomparable
	case a == b:
		c.Result = debate.AnswerSame
	case !q.differ(c.Before, c.After):
		c.Result = debate.AnswerRelabeled
	default:
		c.Result = debate.AnswerChanged
	}
	return c
}

func cast(votes []vote, id agents.ID) bool {
	return slices.ContainsFunc(votes, func(v vote) bool { return v.Turn.Agent == id })
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

// verdictSide returns the side that more than half of all voters hold, nil without one.
func verdictSide(t debate.Tally) *debate.Side {
	for _, side := range t.Sides {
		if 2*t.Votes[side] > t.Voters {
			return &side
		}
	}
	return nil
}

func leading(t debate.Tally) int {
	if len(t.Sides) == 0 {
		return 0
	}
	return t.Votes[slices.MaxFunc(t.Sides, func(a, b debate.Side) int { return cmp.Compare(t.Votes[a], t.Votes[b]) })]
}

// Ending returns the end condition of the session that holds when its last round
// ends with the given consensus, and debate.NotStopped if none does. None holds before
// the votes that decide were cast.
func Ending(s debate.Session, c debate.Consensus) debate.StopReason {
	switch {
	case !votesHeld(s, s.History[len(s.History)-1]):
		return debate.NotStopped
	case s.EndConditions.OnConsensus && agreed(s, c):
		return debate.EndedByConsensus
	case s.EndConditions.Convergence && converged(s, c.Labels):
		return debate.EndedByConvergence
	default:
		return debate.NotStopped
	}
}

// agreed reports whether the consensus reaches the threshold. Whatever level a model
// estimates, there is none while a member is missing, without a side that at least two
// voters hold, and against the count.
func agreed(s debate.Session, c debate.Consensus) bool {
	return c.Level != nil && *c.Level >= s.EndConditions.ConsensusThreshold() && c.AllAnswered() &&
		c.Side != debate.Undecided && !c.Opposed && c.Contradicts == ""
}

// converged reports whether at least two voters voted, each for a side, in the last
// round and in the one before, and none changed sides.
func converged(s debate.Session, labels *debate.Grouping) bool {
	n := len(s.History)
	if n < 2 || !CountsSides(s) || !votesHeld(s, s.History[n-2]) {
		return false
	}
	q := SidesOf(s)
	if labels != nil {
		q = sidesWith(s, labels)
	}
	before := map[agents.ID]debate.Side{}
	for _, v := range votesIn(s, q, s.History[n-2], s.Mode.Votes).votes {
		before[v.Turn.Agent] = v.side
	}
	votes := votesIn(s, q, s.History[n-1], s.Mode.Votes).votes
	for _, v := range votes {
		if v.side == debate.Undecided || before[v.Turn.Agent] != v.side {
			return false
		}
	}
	return len(votes) > 1 && len(votes) == len(before)
}

// CanConverge reports whether convergence can be found in the last round, and why not.
func CanConverge(s debate.Session) (ok bool, why string) {
	r := s.History[len(s.History)-1]
	switch {
	case !CountsSides(s), len(voters(s)) == 0:
		return false, "this mode counts no sides"
	case !votesHeld(s, r):
		return true, ""
	}
	q := SidesOf(s)
	if t := count(s, q, votesIn(s, q, r, s.Mode.Votes).votes); t.None && t.Median == nil {
		return false, "nobody takes a side"
	}
	return true, ""
}

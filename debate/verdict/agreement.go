package verdict

import (
	"fmt"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/text"
)

// Agreement measures the agreement after the last round without a model: the share of
// voters on a side that nobody opposes.
func Agreement(s debate.Session) debate.Consensus {
	r := s.History[len(s.History)-1]
	c := debate.Consensus{Method: debate.ConsensusComputed, Answered: len(r.Statements()), Seats: len(s.Seats)}
	if c.Answered == 0 {
		c.Method, c.Cause = debate.ConsensusUnavailable, "nothing to analyse"
		return c
	}
	q := SidesOf(s)
	c.Labels = q.Grouping()
	switch {
	case !CountsSides(s):
		c.Cause = "this mode counts no sides"
		return c
	case s.Question == debate.QuestionEstimate:
		c.Cause = "estimates are compared by their median"
		return c
	case !votesHeld(s, r):
		c.Cause = "no vote was held in this round"
		return c
	}
	votes := votesIn(s, q, r, s.Mode.Votes).votes
	t := count(s, q, votes)
	for _, side := range t.Sides {
		var who []agents.ID
		for _, v := range votes {
			if v.side == side {
				who = append(who, v.Turn.Agent)
			}
		}
		c.Clusters = append(c.Clusters, debate.Cluster{Theme: string(side), Agents: who})
	}
	c.Opposed = len(t.Sides) > 1
	switch {
	case t.Voters == 0:
		c.Cause = "the roles prescribe every side"
	case t.None:
		c.Cause = "nobody takes a side"
	case c.Opposed:
		c.Cause = VoteCounts(t)
	case Stated(t) < 2:
		c.Cause = "only one voter takes a side"
	default:
		level := float64(leading(t)) / float64(t.Voters)
		c.Level, c.Side = &level, t.Sides[0]
		if !c.AllAnswered() {
			c.Cause = fmt.Sprintf("only %d of %s answered", c.Answered, text.Count(c.Seats, "member"))
		}
	}
	return c
}

// CheckLevel compares a model's level of agreement after the last round with the count
// and notes what it contradicts.
func CheckLevel(s debate.Session, c *debate.Consensus) {
	r := s.History[len(s.History)-1]
	if c.Level == nil || !CountsSides(s) || s.Question == debate.QuestionEstimate || !votesHeld(s, r) || len(voters(s)) == 0 {
		return
	}
	q := SidesOf(s)
	if c.Labels != nil {
		q = sidesWith(s, c.Labels)
	}
	t := count(s, q, votesIn(s, q, r, s.Mode.Votes).votes)
	c.Opposed = len(t.Sides) > 1
	if len(t.Sides) == 1 && Stated(t) > 1 {
		c.Side = t.Sides[0]
	}
	tooHigh := *c.Level > float64(leading(t))/float64(max(t.Voters, 1))+1e-9
	if tooHigh || c.Opposed && *c.Level > 0.5 {
		c.Contradicts = VoteCounts(t)
		if t.None {
			c.Contradicts = "nobody takes a side"
		}
	}
}

package picker

import (
	"fmt"
	"math"

	"roundtable/agents"
	"roundtable/debate"
)

// usualStatement is how many tokens a statement has where nothing is known.
const usualStatement = 500

// instructions is about how many tokens a prompt has besides what was said.
const instructions = 1200

// span is a range of a figure that cannot be known before.
type span struct{ low, high float64 }

func (s span) add(o span) span { return span{s.low + o.low, s.high + o.high} }

// times widens a figure by a factor at either end.
func times(x, low, high float64) span { return span{x * low, x * high} }

// estimate is what a debate is likely to take. Cost is nil where a price is unknown.
type estimate struct {
	calls, tokens, minutes span
	cost                   *span
}

// estimateOf foresees a debate: every statement reads all of the earlier
// rounds, tools make some of the calls again, and one call a round compares.
func estimateOf(seats []agents.Profile, mode debate.Mode, rounds int, light, chair *agents.Profile, statement int) estimate {
	if statement == 0 {
		statement = usualStatement
	}
	turns := float64(turnsOf(seats, mode, rounds))
	e := estimate{calls: span{turns + 1, math.Ceil(turns*5/3) + 1}, cost: &span{}}
	for _, p := range seats {
		e.spend(p, memberUsage(len(seats), rounds, statement))
	}
	if light != nil {
		e.calls = e.calls.add(span{float64(rounds), float64(rounds)})
		e.spend(*light, agents.Usage{Input: rounds * len(seats) * statement, Output: rounds * statement / 2})
	}
	writer := chair
	if writer == nil && len(seats) > 0 {
		writer = &seats[0]
	}
	if writer != nil {
		e.spend(*writer, agents.Usage{Input: len(seats) * rounds * statement, Output: 2 * statement})
	}
	inTurn := float64(rounds)
	if mode.Order == debate.Sequential {
		inTurn *= float64(len(seats)) * 0.6
	}
	e.minutes = times(inTurn, 0.75, 1.25)
	return e
}

// turnsOf counts how often a member speaks.
func turnsOf(seats []agents.Profile, mode debate.Mode, rounds int) int {
	ids := make([]agents.ID, len(seats))
	for i, p := range seats {
		ids[i] = p.ID
	}
	n := 0
	for round := 1; round <= rounds; round++ {
		for _, step := range mode.Steps(ids, round, rounds) {
			n += len(step.Seats)
		}
	}
	return n
}

// memberUsage is what one seat uses in all rounds.
func memberUsage(seats, rounds, statement int) agents.Usage {
	var u agents.Usage
	for r := range rounds {
		u.Input += instructions + seats*r*statement
		u.Output += statement
	}
	return u
}

func (e *estimate) spend(p agents.Profile, u agents.Usage) {
	e.tokens = e.tokens.add(times(float64(u.Input+u.Output), 0.85, 1.4))
	c := p.Cost(u)
	if c == nil || e.cost == nil {
		e.cost = nil
		return
	}
	sum := e.cost.add(times(*c, 0.85, 1.4))
	e.cost = &sum
}

// String writes the estimate as one line.
func (e estimate) String() string {
	cost := "price ?"
	switch {
	case e.cost == nil:
	case e.cost.high == 0:
		cost = "free"
	default:
		cost = fmt.Sprintf("$%.2f–%.2f", e.cost.low, e.cost.high)
	}
	tokens := span{e.tokens.low / 1000, e.tokens.high / 1000}
	minutes := span{math.Max(1, math.Floor(e.minutes.low)), math.Ceil(e.minutes.high)}
	return fmt.Sprintf("%s calls   %sk tok   %s   %s min", e.calls, tokens, cost, minutes)
}

// String writes the range in whole numbers, as one of them where both ends are the same.
func (s span) String() string {
	low, high := fmt.Sprintf("%.0f", s.low), fmt.Sprintf("%.0f", s.high)
	if low == high {
		return low
	}
	return low + "–" + high
}

// seatPrice says what one seat is likely to cost.
func seatPrice(o SeatOffer, seats, rounds, statement int) string {
	if statement == 0 {
		statement = usualStatement
	}
	c := o.Profile.Cost(memberUsage(max(seats, 2), rounds, statement))
	switch {
	case o.Profile.Provider == debate.DemoProvider:
		return "scripted, free"
	case o.Local:
		return "local, free"
	case c == nil:
		return "price ?"
	default:
		return "about " + Money(c)
	}
}

package picker

import (
	"fmt"
	"math"

	"roundtable/agents"
	"roundtable/debate"
)


// statement is about how many tokens a statement has.
const statement = 500

// instructions is about how many tokens a prompt has besides what was said.
const instructions = 1200

// span is a range of a figure that cannot be known before.
type span struct{ low, high float64 }

// times widens a figure by a factor at either end.
func times(x, low, high float64) span { return span{x * low, x * high} }

// estimate is what a debate is likely to take. Cost is nil where a price is unknown.
type estimate struct {
	calls, tokens, minutes span
	cost                   *span
}

// estimateOf foresees a debate, and how long it lasts: about a minute a step.
func estimateOf(s debate.Session) estimate {
	f := s.Forecast()
	e := estimate{calls: span{f.Calls.Low, f.Calls.High}, tokens: span{f.Tokens.Low, f.Tokens.High}}
	if f.USD != nil {
		e.cost = &span{f.USD.Low, f.USD.High}
	}
	ids := make([]agents.ID, len(s.Seats))
	for i, p := range s.Seats {
		ids[i] = p.ID
	}
	steps := 0
	for round := 1; round <= s.Rounds; round++ {
		steps += len(s.Mode.Steps(ids, round, s.Rounds))
	}
	e.minutes = times(float64(steps), 0.5, 1.25)
	return e
}

// memberUsage is what one seat uses in all rounds.
func memberUsage(seats, rounds int) agents.Usage {
	var u agents.Usage
	for r := range rounds {
		u.Input += instructions + seats*r*statement
		u.Output += statement
	}
	return u
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
func seatPrice(o SeatOffer, seats, rounds int) string {
	c := o.Profile.Cost(memberUsage(max(seats, 2), rounds))
	switch {
	case o.Profile.Provider == debate.DemoProvider:
		return "scripted, free"
	case o.Local && c == nil:
		return "local, price ?"
	case o.Local && *c == 0:
		return "local, free"
	case c == nil:
		return "price ?"
	default:
		return "about " + Money(c)
	}
}

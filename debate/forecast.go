package debate

import (
	"fmt"

	"roundtable/agents"
)

// Span is a range of a figure that cannot be known before.
type Span struct{ Low, High float64 }

// Forecast is what is still to come of a session: before its start all of it,
// later what is left.
type Forecast struct {
	Calls    Span
	Tokens   Span
	USD      *Span            // nil: unknown
	Unpriced []agents.Profile // whose prices are unknown
}

// What is expected where nothing is known yet, in tokens.
const (
	usualLeast = 250  // of an answer, reasoning included,
	usualMost  = 1200 // and of a long one
	usualTools = 250  // of the tools that are offered
	usualRules = 450  // of a prompt without any context
	reportLong = 2    // answers that a chair's report is as long as
)

// Forecast estimates the calls, tokens and cost of the rounds that are planned and
// have not been played, and of the verdict. It is pure; so an interface may ask for
// it whenever it draws.
func (s Session) Forecast() Forecast {
	least, most := s.answers()
	low, high := s.foresee(least, 0), s.foresee(most, 1)
	f := Forecast{
		Calls:  Span{float64(low.Calls), float64(high.Calls)},
		Tokens: Span{float64(low.Usage.Input + low.Usage.Output), float64(high.Usage.Input + high.Usage.Output)},
	}
	for _, p := range s.speakers() {
		if p.PriceIn == nil || p.PriceOut == nil {
			f.Unpriced = append(f.Unpriced, p)
		}
	}
	if low.Cost != nil && high.Cost != nil {
		f.USD = &Span{*low.Cost, *high.Cost}
	}
	return f
}

// String writes the forecast as one line, such as "7-11 calls, 9k-31k tokens, $0.02-0.09";
// what is unknown is "?".
func (f Forecast) String() string {
	usd := "?"
	switch {
	case f.USD == nil:
	case f.USD.High == 0:
		usd = "free"
	case f.USD.High < 0.01:
		usd = "under $0.01"
	default:
		usd = fmt.Sprintf("$%.2f-%.2f", f.USD.Low, f.USD.High)
	}
	return fmt.Sprintf("%s calls, %.0fk-%.0fk tokens, %s", f.Calls, f.Tokens.Low/1000, f.Tokens.High/1000+0.5, usd)
}

// String writes the range in whole numbers, as one of them where both ends are the same.
func (s Span) String() string {
	low, high := fmt.Sprintf("%.0f", s.Low), fmt.Sprintf("%.0f", s.High)
	if low == high {
		return low
	}
	return low + "-" + high
}

// answers returns how many tokens an answer is likely to have: around what it has
// had so far in this session.
func (s Session) answers() (least, most int) {
	sum, n := 0, 0
	for _, r := range s.History {
		for _, x := range r.Responses {
			if x.said() {
				sum, n = sum+x.Usage.Output, n+1
			}
		}
	}
	if n == 0 {
		return usualLeast, usualMost
	}
	return sum / n * 7 / 10, sum / n * 15 / 10
}

// foresee adds up what is left when every answer has so many tokens and every
// seat asks so many questions in a round in which it can.
func (s Session) foresee(answer, questions int) Spent {
	total := Spent{Cost: new(float64)}
	context := 0 // tokens of what everybody reads
	for _, r := range s.History {
		for _, x := range r.Latest() {
			if x.said() {
				context += agents.Tokens(x.Statement.Body) + agents.Tokens(x.Statement.Position)
			}
		}
	}
	for _, r := range s.Requests {
		if a, ok := r.Answer(); ok {
			context += agents.Tokens(r.Query) + agents.Tokens(a.Content)
		}
	}
	base := usualRules + agents.Tokens(s.Topic) + agents.Tokens(s.Mode.Rules) + agents.Tokens(s.Mode.Asking)
	for _, left := range s.left() {
		again, tools := 1, 0
		if left.round < s.Rounds {
			again, tools = again+questions, usualTools
		}
		before := context
		for _, p := range left.seats {
			p = s.Speaker(p)
			in, out := min(base+agents.Tokens(p.Persona)+context, s.room(p, left.round))+tools, atMost(answer, p.MaxTokens)
			total = total.Plus(again, agents.Usage{Input: in * again, Output: out}, p.Cost(agents.Usage{Input: in * again, Output: out}))
			if s.Mode.Order == Sequential {
				context += out
			}
		}
		context = before + len(left.seats)*answer
	}
	if chair, ok := s.forecastChair(); ok {
		u := agents.Usage{Input: min(base+context, s.room(chair, s.Rounds+1)), Output: atMost(reportLong*answer, chair.MaxTokens)}
		total = total.Plus(1, u, chair.Cost(u))
	}
	return total
}

func atMost(n, limit int) int {
	if limit > 0 {
		return min(n, limit)
	}
	return n
}

// forecastChair is who will write the verdict; nobody once it stands.
func (s Session) forecastChair() (agents.Profile, bool) {
	switch {
	case s.Verdict != nil || len(s.Seats) == 0:
		return agents.Profile{}, false
	case s.Chair != nil:
		return s.Speaker(*s.Chair), true
	default:
		return s.Speaker(s.Seats[0]), true
	}
}

// remaining is a round with the seats that have not spoken in it.
type remaining struct {
	round int
	seats []agents.Profile
}

func (s Session) left() []remaining {
	if s.Verdict != nil || s.Stopped != NotStopped {
		return nil
	}
	var out []remaining
	if c := s.Current(); c != nil && c.Ended.IsZero() {
		now := remaining{round: c.Number}
		done := doneIDs(*c)
		for _, p := range s.Seats {
			spoke := false
			for _, x := range c.Of(p.ID) {
				spoke = spoke || done[x.ID()]
			}
			if !spoke {
				now.seats = append(now.seats, p)
			}
		}
		out = append(out, now)
	}
	for n := len(s.History) + 1; n <= s.Rounds; n++ {
		out = append(out, remaining{n, s.Seats})
	}
	return out
}

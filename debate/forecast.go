package debate

import (
	"fmt"
	"slices"

	"roundtable/agents"
)

// Range is a range of a figure that cannot be known before.
type Range struct{ Low, High float64 }

// Forecast is what is still to come of a session: before its start all of it,
// later what is left.
type Forecast struct {
	Calls    Range
	Tokens   Range
	USD      *Range           // nil: unknown
	Unpriced []agents.Profile // whose prices are unknown
}

// What is expected where nothing is known yet, in tokens.
const (
	shortAnswer   = 250  // of an answer, reasoning included,
	longAnswer    = 1200 // and of a long one
	toolTokens    = 250  // of the tools that are offered
	rulesTokens   = 450  // of a prompt without any context
	listTokens    = 150  // of the lists that a mode is given for its question, and of what asks for them
	reportAnswers = 2    // answers that a chair's report is as long as
)

// Forecast estimates the calls, tokens and cost of the rounds that are planned and
// have not been played, and of the verdict. It is pure; so an interface may ask for
// it whenever it draws.
func (s Session) Forecast() Forecast { return s.forecast(s.remainingRounds(), true) }

// RoundForecast estimates one round, or what is left of it, without the verdict.
func (s Session) RoundForecast(round int) Forecast {
	for _, r := range s.remainingRounds() {
		if r.round == round {
			return s.forecast([]remainingRound{r}, false)
		}
	}
	return s.forecast([]remainingRound{{round: round}}, false)
}

func (s Session) forecast(left []remainingRound, verdict bool) Forecast {
	least, most := s.answerTokens()
	low, high := s.estimate(left, verdict, least, 0), s.estimate(left, verdict, most, 1)
	f := Forecast{
		Calls:  Range{float64(low.Calls), float64(high.Calls)},
		Tokens: Range{float64(low.Usage.Input + low.Usage.Output), float64(high.Usage.Input + high.Usage.Output)},
	}
	for _, p := range s.Speakers() {
		if p.PriceIn == nil || p.PriceOut == nil {
			f.Unpriced = append(f.Unpriced, p)
		}
	}
	if low.Cost != nil && high.Cost != nil {
		f.USD = &Range{*low.Cost, *high.Cost}
	}
	return f
}

// String writes the forecast as one line, such as "7-11 calls, 9k-31k tokens, $0.02-0.09";
// what is unknown is "?".
func (f Forecast) String() string {
	return fmt.Sprintf("%s calls, %.0fk-%.0fk tokens, %s", f.Calls, f.Tokens.Low/1000, f.Tokens.High/1000+0.5, f.Price())
}

// Price writes what it is likely to cost, such as "$0.02-0.09"; "?" is unknown.
func (f Forecast) Price() string {
	switch {
	case f.USD == nil:
		return "?"
	case f.USD.High == 0:
		return "free"
	case f.USD.High < 0.01:
		return "under $0.01"
	}
	low, high := fmt.Sprintf("%.2f", f.USD.Low), fmt.Sprintf("%.2f", f.USD.High)
	if low == high {
		return "$" + low
	}
	return "$" + low + "-" + high
}

// String writes the range in whole numbers, as one of them where both ends are the same.
func (s Range) String() string {
	low, high := fmt.Sprintf("%.0f", s.Low), fmt.Sprintf("%.0f", s.High)
	if low == high {
		return low
	}
	return low + "-" + high
}

// answerTokens returns how many tokens an answer is likely to have: around what it has
// had so far in this session.
func (s Session) answerTokens() (least, most int) {
	sum, n := 0, 0
	for _, r := range s.History {
		for _, x := range r.Responses {
			if x.HasStatement() {
				sum, n = sum+x.Usage.Output, n+1
			}
		}
	}
	if n == 0 {
		return shortAnswer, longAnswer
	}
	return sum / n * 7 / 10, sum / n * 15 / 10
}

// estimate adds up what is left when every answer has so many tokens and every
// seat asks so many questions in a round in which it can.
func (s Session) estimate(left []remainingRound, verdict bool, answer, questions int) Spending {
	total := Spending{Cost: new(float64)}
	add := func(p agents.Profile, calls, in, out int) {
		u := agents.Usage{Input: in * calls, Output: capped(out, p.MaxTokens)}
		total = total.Plus(calls, u, p.Cost(u))
	}
	context := s.contextTokens()
	base := rulesTokens + agents.Tokens(s.Topic) + agents.Tokens(s.Mode.Rules) + agents.Tokens(s.Mode.Asking)
	for _, r := range left {
		if r.round == 1 && len(r.done) == 0 && s.Light != nil && len(s.Mode.UnfilledLists()) > 0 {
			add(s.WithOutputLimit(*s.Light), 1, listTokens+agents.Tokens(s.Topic)+agents.Tokens(s.Mode.Fill), listTokens)
		}
		again, tools := 1, 0
		if r.round < s.Rounds {
			again, tools = again+questions, toolTokens
		}
		said := statementTokens(r.done)
		for _, step := range s.Mode.Steps(s.seatIDs(), r.round, s.Rounds) {
			before := context
			for _, id := range step.Seats {
				if r.spoke(step.Index, id) {
					continue
				}
				p, _ := s.Seat(id)
				p = s.WithOutputLimit(p)
				add(p, again, min(base+agents.Tokens(p.Persona)+before, s.PromptLimit(p, r.round))+tools, answer)
				context, said = context+capped(answer, p.MaxTokens), said+answer
			}
		}
		if s.Light != nil {
			add(s.WithOutputLimit(*s.Light), 1, min(base+said, s.PromptLimit(*s.Light, r.round)), answer)
		}
	}
	if chair, ok := s.forecastChair(); ok && verdict {
		add(chair, 1, min(base+context, s.PromptLimit(chair, s.Rounds+1)), reportAnswers*answer)
	}
	return total
}

// contextTokens is how many tokens everybody reads of what has been said and answered.
func (s Session) contextTokens() int {
	n := 0
	for _, r := range s.History {
		n += statementTokens(r.Latest())
	}
	for _, r := range s.Requests {
		if a, ok := r.Answer(); ok {
			n += agents.Tokens(r.Query) + agents.Tokens(a.Content)
		}
	}
	return n
}

// statementTokens is how many tokens statements have.
func statementTokens(list []Response) int {
	n := 0
	for _, x := range list {
		if x.HasStatement() {
			n += agents.Tokens(x.Statement.Body) + agents.Tokens(x.Statement.Position)
		}
	}
	return n
}

func capped(n, limit int) int {
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
		return s.WithOutputLimit(*s.Chair), true
	default:
		return s.WithOutputLimit(s.Seats[0]), true
	}
}

// remainingRound is a round with what has been said in it.
type remainingRound struct {
	round int
	done  []Response
}

// spoke reports whether a seat is done with a step of the round.
func (r remainingRound) spoke(step int, id agents.ID) bool {
	return slices.ContainsFunc(r.done, func(x Response) bool { return x.Turn.Step == step && x.Turn.Agent == id })
}

// HasRoundsLeft reports whether a planned round has not ended.
func (s Session) HasRoundsLeft() bool { return len(s.remainingRounds()) > 0 }

// remainingRounds lists the rounds that are planned and have not ended.
func (s Session) remainingRounds() []remainingRound {
	if s.Verdict != nil || s.Stopped != NotStopped {
		return nil
	}
	var out []remainingRound
	if c := s.Current(); c != nil && c.Ended.IsZero() {
		now := remainingRound{round: c.Number}
		for _, x := range c.Latest() {
			if x.HasStatement() {
				now.done = append(now.done, x)
			}
		}
		out = append(out, now)
	}
	for n := len(s.History) + 1; n <= s.Rounds; n++ {
		out = append(out, remainingRound{round: n})
	}
	return out
}

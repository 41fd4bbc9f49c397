package setup

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/internal/text"
	"roundtable/tui/attach"
)

// tokensPerStatement is the assumed length of a statement.
const tokensPerStatement = 500

// tokensPerPrompt is the assumed length of a prompt without statements.
const tokensPerPrompt = 1200

// figureRange is an estimate as a range.
type figureRange struct{ low, high float64 }

// spread returns the range between two multiples of a value.
func spread(x, low, high float64) figureRange { return figureRange{x * low, x * high} }

// estimate is what a debate is likely to need. The cost is nil if a price is unknown.
type estimate struct {
	calls, tokens, minutes figureRange
	cost                   *figureRange
	included               bool // a speaker is in a subscription, whose tokens the cost leaves out
}

// estimateOf estimates a debate. A step takes about a minute.
func estimateOf(s debate.Session) estimate {
	f := budget.Estimate(s)
	e := estimate{calls: figureRange{f.Calls.Low, f.Calls.High}, tokens: figureRange{f.Tokens.Low, f.Tokens.High}}
	if f.USD != nil {
		e.cost = &figureRange{f.USD.Low, f.USD.High}
	}
	e.included = slices.ContainsFunc(s.Speakers(), func(p agents.Profile) bool { return p.Included })
	ids := make([]agents.ID, len(s.Seats))
	for i, p := range s.Seats {
		ids[i] = p.ID
	}
	steps := 0
	for round := 1; round <= s.Rounds; round++ {
		steps += len(s.Mode.Steps(ids, round, s.Rounds))
	}
	e.minutes = spread(float64(steps), 0.5, 1.25)
	return e
}

// seatUsage estimates the tokens of one seat in all rounds.
func seatUsage(seats, rounds int) agents.Usage {
	var u agents.Usage
	for r := range rounds {
		u.Input += tokensPerPrompt + seats*r*tokensPerStatement
		u.Output += tokensPerStatement
	}
	return u
}

// assumedLine stands for the lines of files that were found but not read yet.
const assumedLine = "A line of text as files have them.\n"

// draftedEvidence returns the evidence of files as far as it is known.
func draftedEvidence(all []attach.Found) []debate.Evidence {
	var out []debate.Evidence
	for _, f := range all {
		if f.Read != nil {
			out = append(out, f.Read...)
			continue
		}
		n := min(int(f.Size), debate.MaxEvidenceSize)
		out = append(out, debate.Evidence{Name: f.Name, Size: n, Text: strings.Repeat(assumedLine, n/len(assumedLine))})
	}
	return out
}

// evidenceShare says how many tokens of evidence each seat reads in each round; "" if
// there is none.
func evidenceShare(s debate.Session) string {
	if len(s.Evidence) == 0 || len(s.Seats) == 0 {
		return ""
	}
	each, total := s.Fit.EvidenceCaps()
	size, cut := 0, false
	for _, e := range s.Evidence {
		size += e.Size
		cut = cut || e.Size > each
	}
	least, most := math.MaxInt, 0
	for _, p := range s.Seats {
		n := budget.EvidenceTokens(s, p)
		least, most = min(least, n), max(most, n)
		cut = cut || n == s.Fit.EvidenceTokens(p)
	}
	words := "about " + text.Tokens(most)
	if least < most {
		words = text.Tokens(least) + " to " + text.Tokens(most)
	}
	words += " for each seat in each round"
	if cut || size > total {
		words += "; tools read the rest"
	}
	return words
}

// String returns the estimate as one line.
func (e estimate) String() string {
	cost := "price ?"
	switch {
	case e.cost == nil:
	case e.cost.high == 0 && e.included:
		cost = "included"
	case e.cost.high == 0:
		cost = "free"
	case e.included:
		cost = fmt.Sprintf("$%.2f–%.2f, rest included", e.cost.low, e.cost.high)
	default:
		cost = fmt.Sprintf("$%.2f–%.2f", e.cost.low, e.cost.high)
	}
	tokens := figureRange{e.tokens.low / 1000, e.tokens.high / 1000}
	minutes := figureRange{math.Max(1, math.Floor(e.minutes.low)), math.Ceil(e.minutes.high)}
	return fmt.Sprintf("%s calls   %sk tok   %s   %s min", e.calls, tokens, cost, minutes)
}

// String returns the range in whole numbers, or one number if both ends are the same.
func (s figureRange) String() string { return text.Range(s.low, s.high, 0, "–") }

// seatPrice returns what one seat is likely to cost.
func seatPrice(o SeatOption, seats, rounds int) string {
	c := o.Profile.Cost(seatUsage(max(seats, 2), rounds))
	switch {
	case o.Profile.Provider == debate.DemoProvider:
		return "scripted, free"
	case o.Profile.Included:
		return "included"
	case o.Local && c == nil:
		return "local, price ?"
	case o.Local && *c == 0:
		return "local, free"
	case c == nil:
		return "price ?"
	case *c == 0:
		return "about free"
	default:
		return "about " + text.Money(*c)
	}
}

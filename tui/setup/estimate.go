package setup

import (
	"fmt"
	"math"
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

// estimateLine says what a debate is likely to need. A step takes about a minute.
func estimateLine(s debate.Session) string {
	f := budget.Estimate(s)
	cost := "price ?"
	switch {
	case f.USD == nil:
	case f.USD.High == 0 && f.Included:
		cost = "included"
	case f.USD.High == 0:
		cost = "free"
	default:
		cost = fmt.Sprintf("$%.2f–%.2f", f.USD.Low, f.USD.High)
		if f.Included {
			cost += ", rest included"
		}
	}
	steps := 0
	for round := 1; round <= s.Rounds; round++ {
		steps += len(s.Mode.Steps(s.SeatIDs(), round, s.Rounds))
	}
	calls, tokens := text.Range(f.Calls.Low, f.Calls.High, 0, "–"), text.Range(f.Tokens.Low/1000, f.Tokens.High/1000, 0, "–")
	minutes := text.Range(math.Max(1, math.Floor(float64(steps)*0.5)), math.Ceil(float64(steps)*1.25), 0, "–")
	return fmt.Sprintf("%s calls   %sk tok   %s   %s min", calls, tokens, cost, minutes)
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

package prompt

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
)

// summaryPromptVersion is increased with every change of the prompt below, so that
// summaries of older versions are not used.
const summaryPromptVersion = 2

// NewStatementSummary returns the summary of a statement that a model replied. It
// returns false if the reply is blank or more than half as long as the statement.
func NewStatementSummary(s debate.Session, x debate.Response, model string, reply agents.Reply,
	at time.Time,
) (debate.StatementSummary, bool) {
	body, raw := x.Statement.Body, reply.Text
	if reply.Finish == agents.FinishLength {
		raw = wholeSentences(raw, runeCount(raw))
	}
	raw = strings.TrimSpace(NewAnonymizer(s).Scrub(raw))
	sum := debate.StatementSummary{
		Response: x.ID(), Hash: hashText(body), Model: model, Version: summaryPromptVersion,
		Text: raw, OriginalLength: runeCount(body), Length: runeCount(raw), At: at,
	}
	return sum, sum.Length > 0 && 100*sum.Length <= maxExcerptPercent*sum.OriginalLength
}

func hashText(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// summaryModel returns the profile of who summarizes a statement: the light model
// or else the statement's author, so that all readers share one summary.
func summaryModel(s debate.Session, x debate.Response) agents.Profile {
	if s.Light != nil {
		return *s.Light
	}
	p, _ := s.Seat(x.Turn.Agent)
	return p
}

// SummarySpeaker returns who is asked to summarize a statement, with the temperature,
// the effort and the output limit of that request.
func SummarySpeaker(s debate.Session, x debate.Response) agents.Profile {
	p := summaryModel(s, x)
	temperature := summaryTemperature
	p.Temperature = &temperature
	wanted := min(max(agents.Tokens(x.Statement.Body)*maxTargetPercent/100, minSummaryOutput), maxSummaryOutput)
	return p.ForAuxiliary(wanted, SummaryMessages(s, x))
}

const (
	summaryTemperature = 0.5
	minSummaryOutput   = 200 // tokens of the text that is wanted
	maxSummaryOutput   = 800
)

// SummaryMessages returns the request for the summary of a statement.
func SummaryMessages(s debate.Session, x debate.Response) []agents.Message {
	n := runeCount(x.Statement.Body)
	f := newFence(s.Nonce)
	return []agents.Message{
		{Role: agents.System, Text: summaryRules + "\n" + f.rule()},
		{Role: agents.User, Text: fmt.Sprintf("The reasoning of one statement:\n%s\n\nShorten "+
			"it to %d to %d characters.",
			f.block("reasoning", x.Statement.Body), n*minTargetPercent/100, n*maxTargetPercent/100)},
	}
}

const summaryRules = "You shorten one statement of a debate for readers who cannot read all of it. They know its position already.\n" +
	"Keep the reasons, conditions, figures and names, and references in square brackets as they are. Leave out " +
	"repetitions, examples and polite words. Add nothing, judge nothing.\n" +
	"Write plain text in the language of the statement, as its author would, without a heading, and nothing besides."

func summaryOf(s debate.Session, x debate.Response) (debate.StatementSummary, bool) {
	model, hash := summaryModel(s, x).Model, hashText(x.Statement.Body)
	for _, sum := range s.Summaries {
		if sum.Response == x.ID() && sum.Model == model && sum.Version == summaryPromptVersion && sum.Hash == hash {
			return sum, true
		}
	}
	return debate.StatementSummary{}, false
}

func summariesByKey(s debate.Session) map[string]debate.StatementSummary {
	out := make(map[string]debate.StatementSummary, len(s.Summaries))
	for _, sum := range s.Summaries {
		out[sum.Key()] = sum
	}
	return out
}

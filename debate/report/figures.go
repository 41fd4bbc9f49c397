package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/statement"
	"roundtable/internal/text"
)

// standing says which side a response takes and how sure it is. A label that counts as
// another is shown as it was written, too.
func standing(s debate.Session, x debate.Response, side debate.Side) string {
	line := s.Standing(x, side)
	if c := x.Statement.Choice; c != "" && s.Question == debate.QuestionOpen && line != "" && side != debate.Undecided &&
		statement.FoldLabel(c) != statement.FoldLabel(string(side)) {
		line += ", written as " + c
	}
	if line != "" {
		line += " · "
	}
	if x.Statement.Confidence == nil {
		return line + "confidence not stated"
	}
	return line + text.Percent(*x.Statement.Confidence)
}

// opinionStanding says which side an opinion of a phase takes, and how sure it is.
func opinionStanding(s debate.Session, o Opinion, phase string) string {
	x := debate.Response{
		Turn: agents.Turn{Agent: o.Agent}, Phase: phase, Statement: debate.Statement{Stance: o.Stance, Confidence: o.Confidence},
	}
	return standing(s, x, o.Side)
}

// roundList returns rounds as words, such as "rounds 1, 3".
func roundList(list []int) string {
	words := make([]string, len(list))
	for i, n := range list {
		words[i] = fmt.Sprint(n)
	}
	if len(list) == 1 {
		return "round " + words[0]
	}
	return "rounds " + strings.Join(words, ", ")
}

// PurposeName names the purpose of calls; "" is all of them.
func PurposeName(p debate.Purpose) string {
	switch p {
	case debate.ForMember:
		return "members"
	case debate.ForChair:
		return "chair"
	case debate.ForLight:
		return "light model"
	case debate.ForFollowUp:
		return "follow-ups"
	case inherited:
		return "inherited"
	}
	return "total"
}

// inherited is the purpose of what a fork's rounds took before it was made.
const inherited debate.Purpose = "inherited"

// withInherited adds what a fork inherited to what it spent, after the total.
func withInherited(spent []debate.Spending, took debate.Spending) []debate.Spending {
	if took.Calls == 0 {
		return spent
	}
	took.Purpose = inherited
	return append(slices.Clip(spent), took)
}

// tokens returns how many tokens were read and written.
func tokens(u agents.Usage) string { return amount(u.Input+u.Output, u) }

// timestamp returns a time in UTC, to the minute.
func timestamp(t time.Time) string { return t.Format("2006-01-02 15:04 UTC") }

// orNotStated returns what a model stated, or "not stated".
func orNotStated(text string) string {
	if text == "" {
		return "not stated"
	}
	return text
}

// confidence returns a confidence in percent, or "not stated".
func confidence(sure *float64) string {
	if sure == nil {
		return "not stated"
	}
	return text.Percent(*sure)
}

// modelName returns the provider and model of an agent.
func modelName(p agents.Profile) string { return p.Provider + " / " + p.Model }

// amount returns a number of tokens, after "≈" if it is estimated.
func amount(n int, u agents.Usage) string {
	if u.Estimated {
		return "≈" + text.ExactTokens(n)
	}
	return text.ExactTokens(n)
}

// withWarningSign puts a warning sign before each text.
func withWarningSign(texts []string) []string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = "⚠ " + t
	}
	return out
}

// noticeTexts returns the texts of notices.
func noticeTexts(list []debate.Notice) []string {
	var out []string
	for _, n := range list {
		out = append(out, n.Text)
	}
	return out
}

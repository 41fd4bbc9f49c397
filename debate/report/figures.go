package report

import (
	"fmt"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/text"
)

// stanceLine returns a stance and a confidence, or that they were not stated.
func stanceLine(side debate.Stance, sure *float64) string {
	text := "stance not stated"
	if side != "" {
		text = string(side)
	}
	if sure == nil {
		return text + " · confidence not stated"
	}
	return text + " · " + percent(*sure)
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

// purposeName names the purpose of calls; "" is all of them.
func purposeName(p debate.Purpose) string {
	switch p {
	case debate.ForMember:
		return "members"
	case debate.ForChair:
		return "chair"
	case debate.ForLight:
		return "light model"
	}
	return "in all"
}

// percent returns a share of 0 to 1 in percent.
func percent(share float64) string { return text.Percent(share, " %") }

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
	return percent(*sure)
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

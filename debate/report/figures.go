package report

import (
	"fmt"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/text"
)

// standingOf is a side with a confidence, or that they were not stated.
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

// rounds lists rounds.
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

// purpose names what calls were for.
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

// percent writes a share of 0 to 1.
func percent(share float64) string { return text.Percent(share, " %") }

// tokens writes how many tokens were read and written.
func tokens(u agents.Usage) string { return amount(u.Input+u.Output, u) }

// when writes a moment of the debate.
func timestamp(t time.Time) string { return t.Format("2006-01-02 15:04 UTC") }

// stated writes what a model stated, or that it did not.
func orNotStated(text string) string {
	if text == "" {
		return "not stated"
	}
	return text
}

// confidence writes one in percent, or that it was not stated.
func confidence(sure *float64) string {
	if sure == nil {
		return "not stated"
	}
	return percent(*sure)
}

// model names a speaker's provider and model.
func modelName(p agents.Profile) string { return p.Provider + " / " + p.Model }

// amount writes a number of tokens, with "≈" if it was estimated.
func amount(n int, u agents.Usage) string {
	if u.Estimated {
		return "≈" + text.ExactTokens(n)
	}
	return text.ExactTokens(n)
}

// warned puts the sign of a warning before each text.
func withWarningSign(texts []string) []string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = "⚠ " + t
	}
	return out
}

// texts are what notices say.
func noticeTexts(list []debate.Notice) []string {
	var out []string
	for _, n := range list {
		out = append(out, n.Text)
	}
	return out
}

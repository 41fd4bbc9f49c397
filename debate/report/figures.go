package report

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"roundtable/agents"
	"roundtable/debate"
)

// standingOf is a side with a confidence, or that they were not stated.
func standingOf(side debate.Stance, sure *float64) string {
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
func rounds(list []int) string {
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
func purpose(p debate.Purpose) string {
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

// percent writes 0..1 in percent.
func percent(f float64) string { return fmt.Sprintf("%.0f %%", f*100) }

// tokens says how many were read and written; ≈ where somebody had to estimate.
func tokens(u agents.Usage) string { return amount(u.Input+u.Output, u) }

// dollars writes a cost, or that it is unknown.
func dollars(usd *float64) string {
	if usd == nil {
		return "cost unknown"
	}
	return debate.USD(*usd)
}

// when writes a moment of the debate.
func when(t time.Time) string { return t.Format("2006-01-02 15:04 UTC") }

// upper begins a sentence.
func upper(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

// stated writes what a model stated, or that it did not.
func stated(text string) string {
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
func model(p agents.Profile) string { return p.Provider + " / " + p.Model }

// amount writes a number of tokens; ≈ where somebody had to estimate.
func amount(n int, u agents.Usage) string {
	text := fmt.Sprintf("%d tok", n)
	if n >= 10_000 {
		text = fmt.Sprintf("%.1fk tok", float64(n)/1000)
	}
	if u.Estimated {
		return "≈" + text
	}
	return text
}

// warned puts the sign of a warning before each text.
func warned(texts []string) []string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = "⚠ " + t
	}
	return out
}

// texts are what notices say.
func texts(list []debate.Notice) []string {
	var out []string
	for _, n := range list {
		out = append(out, n.Text)
	}
	return out
}

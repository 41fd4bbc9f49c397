package screen

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"roundtable/agents"
	"roundtable/debate"
)

// Count writes a number of things.
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Grouped writes a number with its thousands apart: 2,850.
func Grouped(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// Tokens writes how many tokens went in and out.
func Tokens(u agents.Usage) string {
	n, mark := u.Input+u.Output, ""
	if u.Estimated {
		mark = "~"
	}
	switch {
	case n < 1000:
		return fmt.Sprintf("%s%d tok", mark, n)
	case n < 99_950:
		return fmt.Sprintf("%s%.1fk tok", mark, float64(n)/1000)
	default:
		return fmt.Sprintf("%s%.0fk tok", mark, float64(n)/1000)
	}
}

// Money writes an amount of USD briefly; nil is unknown.
func Money(usd *float64) string {
	switch {
	case usd == nil:
		return "?"
	case *usd == 0:
		return "free"
	case *usd >= 100:
		return fmt.Sprintf("$%.0f", *usd)
	default:
		return debate.USD(*usd)
	}
}

// Budget writes the cap of a session in USD after what was spent; "" for none.
func Budget(s debate.Session) string {
	if s.Budget.USD > 0 {
		return "of " + Money(&s.Budget.USD)
	}
	return ""
}

// Sentence writes an error as the user reads it: whole sentences.
func Sentence(err error) string {
	text := Capital(strings.TrimSpace(err.Error()))
	if text != "" && !strings.HasSuffix(text, ".") {
		text += "."
	}
	return text
}

// Capital writes a phrase as the beginning of a sentence.
func Capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return strings.ToUpper(string(r)) + s[n:]
}

// And lists names as a sentence does.
func And(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

package prompt

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"roundtable/debate"
	"roundtable/internal/text"
)

// The forms, the fullest first. Whichever it is, a marker says so in the prompt,
// and the statement itself never changes.
const (
	FormCapped    debate.ExcerptForm = "capped"     // cut at the configured length
	FormSummary   debate.ExcerptForm = "summary"    // its reasoning summarised by a model,
	FormKeyPoints debate.ExcerptForm = "key_points" // or reduced to the points that it lists,
	FormBeginning debate.ExcerptForm = "cut"        // or to its beginning
	FormOmitted   debate.ExcerptForm = "left_out"
)

// excerpt is a copy with the text that stands for the reasoning.
type shownExcerpt struct {
	form debate.ExcerptForm
	text string
}

// How far statements are shortened, in hundredths of their characters.
const (
	minShortenedLength = 400 // characters; what has fewer is not shortened
	MinTargetPercent   = 20
	MaxTargetPercent   = 30
	maxExcerptPercent  = 50 // a copy that is longer is none
)

// copyOf makes the copy of a statement in a form that needs no model; ok is
// false where the statement does not give it.
func excerptText(x debate.Response, form debate.ExcerptForm, most int) (raw string, ok bool) {
	body := x.Statement.Body
	switch form {
	case FormCapped:
		raw, ok = text.Head(body, most), RuneCount(body) > most
	case FormKeyPoints:
		raw = listLines(body)
		ok = raw != "" && 100*RuneCount(raw) <= maxExcerptPercent*RuneCount(body)
	case FormBeginning:
		raw, ok = WholeSentences(body, RuneCount(body)*MaxTargetPercent/100), RuneCount(body) >= minShortenedLength
	case FormOmitted:
		ok = true
	default:
	}
	return raw, ok
}

// marked puts the marker of its form to a copy of a text of so many characters.
func withMarker(form debate.ExcerptForm, text string, from int) string {
	switch form {
	case FormCapped:
		return fmt.Sprintf("%s [cut at %d of %d characters]", text, RuneCount(text), from)
	case FormSummary:
		return fmt.Sprintf("[summary of %d characters]\n%s", from, text)
	case FormKeyPoints:
		return fmt.Sprintf("[key points of %d characters]\n%s", from, text)
	case FormBeginning:
		return text + " [shortened]"
	default:
		return ""
	}
}

func RuneCount(s string) int { return utf8.RuneCountInString(s) }

// Sentences returns the whole sentences among the first n characters, or as many
// whole words where not even the first sentence fits.
func WholeSentences(s string, n int) string {
	part := text.Head(s, n)
	end := 0
	for i, r := range part {
		after := i + utf8.RuneLen(r)
		switch {
		case r == '\n', strings.ContainsRune("。！？", r):
			end = after
		case strings.ContainsRune(".!?…", r) && after < len(s) && unicode.IsSpace(rune(s[after])):
			end = after
		}
	}
	if end == 0 {
		end = strings.LastIndexFunc(part, unicode.IsSpace)
	}
	if end <= 0 {
		return part
	}
	return strings.TrimSpace(part[:end])
}

var listLinePattern = regexp.MustCompile(`(?m)^[ \t]*(?:[-*+]|\d+[.)]|#{1,6})[ \t]+\S.*$`)

// points returns the headings and list items of a text; "" where it has fewer than two.
func listLines(s string) string {
	lines := listLinePattern.FindAllString(s, -1)
	if len(lines) < 2 {
		return ""
	}
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.Join(lines, "\n")
}

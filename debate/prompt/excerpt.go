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
	Capped     debate.Detail = "capped"     // cut at the configured length
	Summarised debate.Detail = "summary"    // its reasoning summarised by a model,
	KeyPoints  debate.Detail = "key_points" // or reduced to the points that it lists,
	CutShort   debate.Detail = "cut"        // or to its beginning
	LeftOut    debate.Detail = "left_out"
)

// excerpt is a copy with the text that stands for the reasoning.
type excerpt struct {
	form debate.Detail
	text string
}

// How far statements are shortened, in hundredths of their characters.
const (
	shortest    = 400 // characters; what has fewer is not shortened
	TargetLeast = 20
	TargetMost  = 30
	mostOfText  = 50 // a copy that is longer is none
)

// copyOf makes the copy of a statement in a form that needs no model; ok is
// false where the statement does not give it.
func copyOf(x debate.Response, form debate.Detail, most int) (raw string, ok bool) {
	body := x.Statement.Body
	switch form {
	case Capped:
		raw, ok = text.Head(body, most), Size(body) > most
	case KeyPoints:
		raw = points(body)
		ok = raw != "" && 100*Size(raw) <= mostOfText*Size(body)
	case CutShort:
		raw, ok = Sentences(body, Size(body)*TargetMost/100), Size(body) >= shortest
	case LeftOut:
		ok = true
	default:
	}
	return raw, ok
}

// marked puts the marker of its form to a copy of a text of so many characters.
func marked(form debate.Detail, text string, from int) string {
	switch form {
	case Capped:
		return fmt.Sprintf("%s [cut at %d of %d characters]", text, Size(text), from)
	case Summarised:
		return fmt.Sprintf("[summary of %d characters]\n%s", from, text)
	case KeyPoints:
		return fmt.Sprintf("[key points of %d characters]\n%s", from, text)
	case CutShort:
		return text + " [shortened]"
	default:
		return ""
	}
}

func Size(s string) int { return utf8.RuneCountInString(s) }

// Sentences returns the whole sentences among the first n characters, or as many
// whole words where not even the first sentence fits.
func Sentences(s string, n int) string {
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

var listed = regexp.MustCompile(`(?m)^[ \t]*(?:[-*+]|\d+[.)]|#{1,6})[ \t]+\S.*$`)

// points returns the headings and list items of a text; "" where it has fewer than two.
func points(s string) string {
	lines := listed.FindAllString(s, -1)
	if len(lines) < 2 {
		return ""
	}
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.Join(lines, "\n")
}

package debate

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Form says how a statement is handed on when not as it stands.
type Form string

// The forms, the fullest first. Whichever it is, a marker says so in the prompt,
// and the statement itself never changes.
const (
	Capped     Form = "capped"     // cut at the configured length
	Summarised Form = "summary"    // its reasoning summarised by a model,
	KeyPoints  Form = "key_points" // or reduced to the points that it lists,
	CutShort   Form = "cut"        // or to its beginning
	LeftOut    Form = "left_out"
)

// Copy says in which form a statement was handed on. Sizes are characters of
// its reasoning.
type Copy struct {
	Response string `json:"response"`
	Form     Form   `json:"form"`
	Digest   string `json:"digest,omitempty"` // key of the stored summary
	From     int    `json:"from"`
	To       int    `json:"to"`
}

// handed is a copy with the text that stands for the reasoning.
type handed struct {
	form Form
	text string
}

// How far statements are shortened, in hundredths of their characters.
const (
	shortest    = 400 // characters; what has fewer is not shortened
	targetLeast = 20
	targetMost  = 30
	mostOfText  = 50 // a copy that is longer is none
)

// copyOf makes the copy of a statement in a form that needs no model; ok is
// false where the statement does not give it.
func copyOf(x Response, form Form, most int) (text string, ok bool) {
	body := x.Statement.Body
	switch form {
	case Capped:
		text, ok = head(body, most), size(body) > most
	case KeyPoints:
		text = points(body)
		ok = text != "" && 100*size(text) <= mostOfText*size(body)
	case CutShort:
		text, ok = sentences(body, size(body)*targetMost/100), size(body) >= shortest
	case LeftOut:
		ok = true
	default:
	}
	return text, ok
}

// marked puts the marker of its form to a copy of a text of so many characters.
func marked(form Form, text string, from int) string {
	switch form {
	case Capped:
		return fmt.Sprintf("%s [cut at %d of %d characters]", text, size(text), from)
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

func size(s string) int { return utf8.RuneCountInString(s) }

// head returns the first n characters.
func head(s string, n int) string {
	for i := range s {
		if n == 0 {
			return strings.TrimRightFunc(s[:i], unicode.IsSpace)
		}
		n--
	}
	return s
}

// sentences returns the whole sentences among the first n characters, or as many
// whole words where not even the first sentence fits.
func sentences(s string, n int) string {
	part := head(s, n)
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

// cites lists what a statement names as its grounds, each once: answers of the
// user first, then its own citations.
func (x Response) cites() []string {
	s := x.Statement
	out := slices.Clone(s.ContextUsed)
	out = append(out, CitedIn(s.Position+" "+s.Body)...)
	out = append(out, s.Citations...)
	seen := map[string]bool{}
	return slices.DeleteFunc(out, func(id string) bool {
		again := seen[id]
		seen[id] = true
		return again
	})
}

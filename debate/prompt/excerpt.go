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

// Bounds of excerpts.
const (
	minShortenedLength = 400 // characters; shorter statements are not shortened
	minTargetPercent   = 20
	maxTargetPercent   = 30
	maxExcerptPercent  = 50 // a longer excerpt is not worth using
)

// shownExcerpt is the text that replaces a statement's reasoning in a prompt.
type shownExcerpt struct {
	form debate.ExcerptForm
	text string
}

// WithExcerpts returns the snapshot with excerpts in place of statements, as a turn
// sees it after fitting. Summaries are looked up in the session.
func (snap Snapshot) WithExcerpts(s debate.Session, excerpts []debate.Excerpt) Snapshot {
	return snap.withExcerpts(excerpts, summariesByKey(s))
}

func (snap Snapshot) withExcerpts(excerpts []debate.Excerpt, summaries map[string]debate.StatementSummary) Snapshot {
	snap.excerpts = nil
	if len(excerpts) == 0 {
		return snap
	}
	byResponse := make(map[string]debate.Excerpt, len(excerpts))
	for _, e := range excerpts {
		byResponse[e.Response] = e
	}
	snap.excerpts = make(map[string]shownExcerpt, len(excerpts))
	for _, x := range snap.Earlier {
		e, ok := byResponse[x.ID()]
		if !ok {
			continue
		}
		raw := summaries[e.SummaryKey].Text
		if e.Form != debate.FormSummary {
			raw, _ = excerptText(x, e.Form, snap.Fit.MaxRunes)
		}
		snap.excerpts[e.Response] = shownExcerpt{e.Form, withMarker(e.Form, raw, e.OriginalLength)}
	}
	return snap
}

// newExcerpt returns the excerpt of a statement in a form that needs no model, nil if
// the statement has none.
func newExcerpt(x debate.Response, form debate.ExcerptForm, maxRunes int) *debate.Excerpt {
	raw, ok := excerptText(x, form, maxRunes)
	if !ok {
		return nil
	}
	return &debate.Excerpt{Response: x.ID(), Form: form, OriginalLength: runeCount(x.Statement.Body), Length: runeCount(raw)}
}

// excerptText returns the text of an excerpt in a form that needs no model; ok is
// false if the statement has none.
func excerptText(x debate.Response, form debate.ExcerptForm, maxRunes int) (raw string, ok bool) {
	body := x.Statement.Body
	switch form {
	case debate.FormCapped:
		raw, ok = text.Head(body, maxRunes), runeCount(body) > maxRunes
	case debate.FormKeyPoints:
		raw = listLines(body)
		ok = raw != "" && 100*runeCount(raw) <= maxExcerptPercent*runeCount(body)
	case debate.FormBeginning:
		raw, ok = wholeSentences(body, runeCount(body)*maxTargetPercent/100), runeCount(body) >= minShortenedLength
	case debate.FormOmitted:
		ok = true
	default:
	}
	return raw, ok
}

// withMarker adds to an excerpt what tells readers that it is one.
func withMarker(form debate.ExcerptForm, raw string, originalLength int) string {
	switch form {
	case debate.FormCapped:
		return fmt.Sprintf("%s [cut at %d of %d characters]", raw, runeCount(raw), originalLength)
	case debate.FormSummary:
		return fmt.Sprintf("[summary of %d characters]\n%s", originalLength, raw)
	case debate.FormKeyPoints:
		return fmt.Sprintf("[key points of %d characters]\n%s", originalLength, raw)
	case debate.FormBeginning:
		return raw + " [shortened]"
	default:
		return ""
	}
}

// ExcerptNotice returns the notice that a statement is passed on as an excerpt in
// the current round.
func ExcerptNotice(s debate.Session, e debate.Excerpt) debate.Notice {
	n := debate.Notice{Code: string(e.Form), Round: s.Current().Number}
	name, round := "", 0
	for _, r := range s.History {
		for _, x := range r.Responses {
			if x.ID() == e.Response {
				p, _ := s.Seat(x.Turn.Agent)
				n.Agent, name, round = p.ID, p.Name, r.Number
			}
		}
	}
	sizes := fmt.Sprintf("%d of %d characters", e.Length, e.OriginalLength)
	switch e.Form {
	case debate.FormCapped:
		n.Text = fmt.Sprintf("%s's statement from round %d is passed on up to the configured length, %s.", name, round, sizes)
	case debate.FormSummary:
		n.Text = fmt.Sprintf("%s's statement from round %d is passed on as a summary, %s.", name, round, sizes)
		if 100*e.Length > maxTargetPercent*e.OriginalLength || 100*e.Length < minTargetPercent*e.OriginalLength {
			n.Text += fmt.Sprintf(" The target was %d to %d percent.", minTargetPercent, maxTargetPercent)
		}
	case debate.FormKeyPoints:
		n.Text = fmt.Sprintf("%s's statement from round %d is passed on as its key points, %s.", name, round, sizes)
	case debate.FormBeginning:
		n.Text = fmt.Sprintf("%s's statement from round %d is passed on as its beginning, %s.", name, round, sizes)
	case debate.FormOmitted:
		n.Text = fmt.Sprintf("%s's statement from round %d no longer fits and is left out, %d characters.", name, round, e.OriginalLength)
	}
	return n
}

func runeCount(s string) int { return utf8.RuneCountInString(s) }

// wholeSentences returns the whole sentences among the first n characters, or the
// whole words if not even the first sentence fits.
func wholeSentences(s string, n int) string {
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

// listLines returns the headings and list items of a text; "" if there are fewer
// than two.
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

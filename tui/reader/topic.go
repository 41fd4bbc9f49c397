package reader

import (
	"fmt"
	"strings"

	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// Topic is all of the question, however the debate is called, with the options that it was
// asked with.
type Topic struct {
	*Reader
	session debate.Session
}

var _ screen.OfSession = (*Topic)(nil)

// NewTopic returns the screen.
func NewTopic(th *theme.Theme) *Topic {
	t := &Topic{}
	t.Reader = New(th, Config{
		Name: "Topic", What: "topic", Rows: t.rows, More: screen.Shared("evidence", "debates"),
	})
	return t
}

// SetSession sets the session whose question is shown.
func (t *Topic) SetSession(s debate.Session) {
	t.session = s
	t.Changed()
}

// Title leaves the top line to the session.
func (t *Topic) Title(screen.Frame) (left, right []theme.Part) { return nil, nil }

func (t *Topic) rows() []Row {
	topic := text.Sanitize(t.session.Topic)
	return []Row{{
		ID: "topic", Title: []theme.Part{{Text: "Topic", Style: t.th.Text}}, Lines: t.lines,
		Words: func() string { return topic },
		Copy:  func() screen.Copy { return screen.Copy{Text: topic, What: "the topic"} },
	}}
}

const widest = 100

func (t *Topic) lines(_ *theme.Theme, width int) []Line {
	s := t.session
	var out []Line
	put := func(label, content string) {
		for l := range strings.SplitSeq(strings.TrimRight(content, "\n"), "\n") {
			out = append(out, Wrapped(fmt.Sprintf("%-13s", label), l, min(width, widest))...)
			label = ""
		}
	}
	if s.Title != "" {
		put("Title", text.Line(s.Title))
		out = append(out, Line{})
	}
	put("Topic", text.Sanitize(s.Topic))
	if by := s.Author.Note(); by != "" {
		put("", text.Line(by))
	}
	out = append(out, Line{})
	if kind := s.Question.Description(); kind != "" {
		put("Answers", kind)
	}
	put("Mode", text.Line(s.Mode.Name+": "+s.Mode.Summary))
	for _, l := range []struct {
		label string
		items []string
	}{{"Options", s.Mode.Options}, {"Perspectives", s.Mode.Perspectives}} {
		if len(l.items) > 0 {
			put(l.label, text.Line(strings.Join(l.items, "; ")))
		}
	}
	return out
}

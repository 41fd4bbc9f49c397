// Package topicview is the screen of the question: all of it, however the debate is
// called, with the options and the evidence that it was asked with.
//
// It imports debate and internal/text, screen for what it is to the shell, and theme and
// textview to draw. It must not know other screens, stores or engines.
package topicview

import (
	"fmt"
	"strings"

	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// Screen shows the question of a session.
type Screen struct {
	*screen.Page
	session  debate.Session
	commands []screen.Command
}

var (
	_ screen.OfSession = (*Screen)(nil)
	_ screen.Scroller  = (*Screen)(nil)
)

// New returns the screen.
func New(th *theme.Theme) *Screen {
	sc := &Screen{}
	sc.Page = screen.NewPage(th, sc.draw)
	sc.commands = append(append(sc.Page.Commands(), sc.Finder.Commands()...), screen.Command{Shared: screen.Evidence}, screen.Command{
		Binding: screen.Bind("copy", "y", "copy the topic"), Title: "Copy the topic", Group: screen.Always,
		Hint: screen.Say("y copy"), Rank: 4, Run: screen.Do(func() screen.Outcome {
			return screen.Outcome{screen.Copy{Text: text.Sanitize(sc.session.Topic), What: "the topic"}}
		}),
	}, screen.Command{Shared: screen.Sessions})
	return sc
}

// Name returns "Topic".
func (sc *Screen) Name() string { return "Topic" }

// SetSession sets the session whose question is shown.
func (sc *Screen) SetSession(s debate.Session) {
	sc.session = s
	sc.Page.Changed()
}

// Apply does nothing: a question does not change.
func (sc *Screen) Apply(debate.Event) {}

// Commands lists the keys of the screen.
func (sc *Screen) Commands() []screen.Command { return sc.commands }

// Title leaves the top line to the session.
func (sc *Screen) Title(screen.Frame) (left, right []theme.Part) { return nil, nil }

// labels is the width of the labels, and widest that of the text.
const (
	labels = 13
	widest = 100
)

func (sc *Screen) draw() []string {
	s, th := sc.session, sc.Theme
	out := []string{""}
	put := func(label, content string) {
		out = append(out, entry(th, label, content, sc.Width)...)
	}
	if s.Title != "" {
		put("Title", text.Line(s.Title))
		out = append(out, "")
	}
	put("Topic", text.Sanitize(s.Topic))
	if by := s.Author.Note(); by != "" {
		put("", text.Line(by))
	}
	out = append(out, "")
	if kind := s.Question.Description(); kind != "" { // not known of sessions of earlier versions
		put("Answers", kind)
	}
	put("Mode", text.Line(s.Mode.Name+": "+s.Mode.Summary))
	for _, l := range []struct {
		list  debate.List
		label string
	}{{debate.OptionsList, "Options"}, {debate.PerspectivesList, "Perspectives"}} {
		if items := s.Mode.List(l.list); len(items) > 0 {
			put(l.label, text.Line(strings.Join(items, "; ")))
		}
	}
	if s.Workspace.Dir != "" {
		put("Workspace", text.Line(s.Workspace.Dir))
	}
	for i, e := range s.Evidence {
		label := "Evidence"
		if i > 0 {
			label = ""
		}
		put(label, fmt.Sprintf("%s %s, %s", e.ID, text.Line(e.Name), text.Bytes(int64(e.Size))))
	}
	if len(s.Evidence) == 0 {
		put("Evidence", "none")
	}
	return out
}

// entry draws a label and a text beside it, in as many lines as it needs.
func entry(th *theme.Theme, label, content string, width int) []string {
	room := max(min(width-labels-4, widest), 8)
	var out []string
	for l := range strings.SplitSeq(strings.TrimRight(content, "\n"), "\n") {
		for _, row := range theme.Wrap(l, room) {
			out = append(out, th.Columns(theme.Column{Text: "   " + label, Width: labels + 3, Style: th.Muted})+
				th.Text.Render(strings.TrimLeft(row, " ")))
			label = ""
		}
	}
	return out
}

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
	"roundtable/tui/textview"
	"roundtable/tui/theme"
)

// Screen shows the question of a session.
type Screen struct {
	screen.NoInput
	textview.Text
	th       *theme.Theme
	w, h     int
	session  debate.Session
	commands []screen.Command
}

var (
	_ screen.OfSession = (*Screen)(nil)
	_ screen.Scroller  = (*Screen)(nil)
)

// New returns the screen.
func New(th *theme.Theme) *Screen {
	sc := &Screen{th: th}
	bind, move := screen.Bind, screen.Moves
	sc.commands = []screen.Command{
		{
			Binding: bind("down", "j k d u g G", "scroll"), Group: screen.Moving, Run: move(sc.Scroll, 1),
			Hint: func() string {
				if len(sc.lines()) > sc.h {
					return "j k scroll"
				}
				return ""
			}, Rank: 2,
		},
		{Binding: bind("up", "", ""), Group: screen.Moving, Run: move(sc.Scroll, -1)},
		{Binding: bind("page-down", "", ""), Group: screen.Moving, Run: move(sc.HalfPage, 1)},
		{Binding: bind("page-up", "", ""), Group: screen.Moving, Run: move(sc.HalfPage, -1)},
		{Binding: bind("read-on", "", ""), Group: screen.Moving, Run: move(sc.HalfPage, 1)},
		{Binding: bind("half-down", "", ""), Group: screen.Moving, Run: move(sc.HalfPage, 1)},
		{Binding: bind("half-up", "", ""), Group: screen.Moving, Run: move(sc.HalfPage, -1)},
		{Binding: bind("top", "", ""), Group: screen.Moving, Run: move(sc.ToEnd, -1)},
		{Binding: bind("bottom", "", ""), Group: screen.Moving, Run: move(sc.ToEnd, 1)},
		{Shared: screen.Evidence},
		{
			Binding: bind("copy", "y", "copy the topic"), Title: "Copy the topic", Group: screen.Always,
			Hint: screen.Say("y copy"), Rank: 4, Run: screen.Do(func() screen.Outcome {
				return screen.Outcome{screen.Copy{Text: text.Sanitize(sc.session.Topic), What: "the topic"}}
			}),
		},
		{Shared: screen.Sessions},
	}
	return sc
}

// Name returns "Topic".
func (sc *Screen) Name() string { return "Topic" }

// SetTheme changes colours and symbols.
func (sc *Screen) SetTheme(th *theme.Theme) { sc.th = th }

// SetSize sets the room between the top line and the notice row.
func (sc *Screen) SetSize(w, h int) { sc.w, sc.h = w, h }

// SetSession sets the session whose question is shown.
func (sc *Screen) SetSession(s debate.Session) {
	if s.ID != sc.session.ID {
		sc.ToEnd(-1)
	}
	sc.session = s
}

// Apply does nothing: a question does not change.
func (sc *Screen) Apply(debate.Event) {}

// Commands lists the keys of the screen.
func (sc *Screen) Commands() []screen.Command { return sc.commands }

// Back leaves for the screen below.
func (sc *Screen) Back() screen.Outcome { return screen.Outcome{screen.Close{}} }

// BackHint says so.
func (sc *Screen) BackHint() string { return "esc back" }

// Title leaves the top line to the session.
func (sc *Screen) Title(screen.Frame) (left, right []theme.Part) { return nil, nil }

// View draws the question and what was asked with it.
func (sc *Screen) View(screen.Frame) string {
	rows := sc.Text.View(sc.th, sc.lines(), sc.w, sc.h)
	if below := sc.Below(); below > 0 && sc.h > 1 {
		rows[sc.h-1] = sc.th.Fit(sc.th.Muted.Render(fmt.Sprintf("   %d more below", below+1)), sc.w)
	}
	return strings.Join(rows, "\n")
}

// labels is the width of the labels, and widest that of the text.
const (
	labels = 13
	widest = 100
)

func (sc *Screen) lines() []string {
	s, th := sc.session, sc.th
	out := []string{""}
	put := func(label, content string) {
		out = append(out, entry(th, label, content, sc.w)...)
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
	}{{debate.OptionsList, "Options"}, {debate.CriteriaList, "Criteria"}, {debate.PerspectivesList, "Perspectives"}} {
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

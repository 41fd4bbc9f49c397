package tui_test

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/tui"
	"roundtable/tui/home"
	"roundtable/tui/theme"
)

// withAll adds a topic, an answer and evidence that a search can find, far below what a screen shows.
func withAll(s debate.Session) debate.Session {
	far := strings.Repeat("And so on and so forth. ", 120)
	s.Topic = "Should billing move? " + far + "A topical matter."
	s.History[0].Responses[1].Passages = []debate.Passage{{Text: far + "A stately argument.\n\n" + far}}
	s.History[0].Responses[1].Statement.Body = s.History[0].Responses[1].Passages[0].Text
	asked := request("C7", "cy", 1, ledger.Required, "How many?", "It matters.")
	asked.Asks[0].Call, asked.State = "r1.s0.cy.a1.t9", ledger.Released
	asked.Answers = []ledger.Answer{{Revision: 1, Outcome: ledger.Answered, Content: far + "An answerable figure.", Author: ledger.Author{Kind: ledger.Person}}}
	s.Requests = append(s.Requests, asked)
	x := &s.History[0].Responses[2]
	x.Passages = append([]debate.Passage{{Tools: []debate.ToolRecord{{
		ID: "r1.s0.cy.a1.t9", Name: "request_context", Args: "{}", State: debate.ToolDone, Began: at(time.Hour),
	}}}}, x.Passages...)
	e := debate.NewEvidence("notes.md", debate.EvidenceFile, strings.Repeat("a line\n", 300)+"An evident fact.\n", "")
	e.ID = "F1"
	s.Evidence = []debate.Evidence{e}
	return s
}

// A hit of the list opens the screen that holds it, with the words marked and in view and nothing
// over them; the keys that go on do so there, and esc ends the search.
func TestHome_opensWhatHoldsTheHit(t *testing.T) {
	finished := func() debate.Session {
		s := withAll(concluded())
		s.Verdict.Text += strings.Repeat("\n\nAnd so on.", 60) + "\n\nA verdant end."
		s.FollowUps = []debate.FollowUp{{Question: "Why?", Response: stated("brook", 4, "", 0.5, "A following thought.")}}
		return s
	}
	open := func() debate.Session { return withAll(gate()) }
	for _, c := range []struct {
		name    string
		session func() debate.Session
		at      home.Match
		holds   string
		width   int
	}{
		{"topic", open, home.Match{Place: debate.InTopic, Text: "topical"}, "", 80},
		{"statement, open", open, home.Match{Place: debate.InStatement, Agent: "brook", Round: 1, Text: "stately"}, "▸2 Brook", 80},
		{"answer, open", open, home.Match{Place: debate.InAnswer, ID: "C7", Text: "answerable"}, "▸3 Cy", 80},
		{"evidence, open", open, home.Match{Place: debate.InEvidence, ID: "F1", Text: "evident"}, "[F1] notes.md", 80},
		{"verdict", finished, home.Match{Place: debate.InVerdict, Text: "verdant"}, "written by seat Brook", 80},
		{"caution", finished, home.Match{Place: debate.InVerdict, Text: "not read"}, "Missing and weak", 80},
		{"caution beside the report", finished, home.Match{Place: debate.InVerdict, Text: "not read"}, "Missing and weak", 120},
		{"follow-up", finished, home.Match{Place: debate.InFollowUp, Text: "following"}, "", 80},
	} {
		t.Run(c.name, func(t *testing.T) {
			finds := func(d *tui.Deps, s *scripted) {
				onList(d, s)
				d.Theme, s.hits = theme.Options{Profile: colorprofile.ASCII}, []home.Hit{{Session: billing, Matches: []home.Match{c.at}}}
			}
			bubbleWith(t, [2]int{c.width, 24}, c.session, finds, func(r *harness, _ *scripted) {
				r.press("/", "able")
				r.wait(time.Second)
				r.press("down", "enter")
				marked := "«" + c.at.Text + "»"
				r.sees(marked, c.holds, "1 of 1")
				r.misses("Context for round")
				r.press("n", "N")
				r.sees(marked, "1 of 1")
				r.press("esc")
				r.misses(marked)
			})
		})
	}
}

// The key that searches works on every screen with a text, and those that go on do while a search
// is on.
func TestSearch_worksOnEveryText(t *testing.T) {
	for name, c := range map[string]struct {
		keys  []string
		words string
	}{
		"verdict":   {nil, "writer"},
		"positions": {[]string{"D"}, "Round"},
		"topic":     {[]string{"Q"}, "forth"},
		"receipt":   {[]string{"p"}, "forth"},
		"evidence":  {[]string{"Q", "esc", "ctrl+p", "E", "v", "i", "d", "enter", "enter"}, "line"},
		"debate":    {[]string{"esc"}, "forth"},
	} {
		t.Run(name, func(t *testing.T) {
			session := func() debate.Session { return withAll(concluded()) }
			bubbleWith(t, small, session, func(d *tui.Deps, s *scripted) {
				d.Theme, d.Receipts = theme.Options{Profile: colorprofile.ASCII}, sent{s.sessions[billing]}
			}, func(r *harness, _ *scripted) {
				r.press(c.keys...)
				r.press("/", c.words, "enter")
				r.sees("«"+c.words+"»", "1 of")
				r.press("n")
				r.sees("«"+c.words+"»", "2 of")
				r.press("N")
				r.sees("1 of")
				r.press("esc")
				r.misses("«" + c.words + "»")
			})
		})
	}
}

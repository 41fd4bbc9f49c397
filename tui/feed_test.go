package tui_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/tui"
	"roundtable/tui/theme"
)

// told writes events short enough to compare.
func told(evs []debate.Event) []string {
	var out []string
	for _, ev := range evs {
		switch ev := ev.(type) {
		case debate.Text:
			out = append(out, fmt.Sprintf("%s %d %q", ev.Turn.Agent, ev.Passage, ev.Text))
		case debate.ToolStarted:
			out = append(out, string(ev.Turn.Agent)+" tool")
		case debate.Noticed:
			out = append(out, "notice")
		default:
			out = append(out, fmt.Sprintf("%T", ev))
		}
	}
	return out
}

func TestFeed_joinsTextWithoutChangingAnyoneOrder(t *testing.T) {
	text := func(id agents.ID, passage int, s string) debate.Event {
		return debate.Text{Turn: turn(id, 1), Passage: passage, Text: s}
	}
	tool := debate.ToolStarted{Turn: turn("ada", 1)}
	tests := []struct {
		name string
		in   []debate.Event
		want []string
	}{
		{"seats in turns", []debate.Event{text("ada", 0, "a"), text("cy", 0, "x"), text("ada", 0, "b"), text("cy", 0, "y")}, []string{`ada 0 "ab"`, `cy 0 "xy"`}},
		{"a tool of its own parts", []debate.Event{text("ada", 0, "a"), tool, text("ada", 1, "b"), text("ada", 1, "c")}, []string{`ada 0 "a"`, "ada tool", `ada 1 "bc"`}},
		{"a tool of another does not", []debate.Event{text("cy", 0, "x"), tool, text("cy", 0, "y")}, []string{`cy 0 "xy"`, "ada tool"}},
		{"another passage parts", []debate.Event{text("ada", 0, "a"), text("ada", 1, "b")}, []string{`ada 0 "a"`, `ada 1 "b"`}},
		{"what concerns all parts", []debate.Event{text("ada", 0, "a"), debate.Noticed{}, text("ada", 0, "b")}, []string{`ada 0 "a"`, "notice", `ada 0 "b"`}},
		{
			"reasoning stays apart",
			[]debate.Event{text("ada", 0, "a"), debate.Text{Turn: turn("ada", 1), Reasoning: true, Text: "r"}, text("ada", 0, "b")},
			[]string{`ada 0 "a"`, `ada 0 "r"`, `ada 0 "b"`},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, told(tui.Joined(tt.in...))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// BenchmarkStream is one frame of eight seats that write 200 tokens a second
// each: 64 tokens are joined, applied and drawn. 40 ms are one frame.
func BenchmarkStream(b *testing.B) {
	m, _ := eightWrite(b)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		m.Update(tui.Gathered(m, words(&n)...))
		if v := m.View(); v.Content == "" {
			b.Fatal("nothing is drawn")
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/40e6*100, "%core")
}

// What the debates in the background write is not drawn: a frame more would cost as much as
// those that are seen.
func TestBackground_textIsNotDrawn(t *testing.T) {
	m := allWrite(t, "aaaaaaaaaa", "bbbbbbbbbb")
	n := 0
	draws := func(id string) bool {
		m.View()
		return testing.AllocsPerRun(1, func() {
			m.Update(tui.GatheredOf(m, id))
			m.View()
		}) > 100
	}
	m.Update(tui.GatheredOf(m, "aaaaaaaaaa", words(&n)...))
	if before := m.View().Content; !strings.Contains(before, "Topic of bbbbbbbbbb") || strings.Contains(before, "WAL") {
		t.Error(before)
	}
	if draws("aaaaaaaaaa") || !draws("bbbbbbbbbb") {
		t.Errorf("the background is drawn: %v; what is shown: %v", draws("aaaaaaaaaa"), draws("bbbbbbbbbb"))
	}
}

// allWrite returns a model of 200x60 cells in which sessions of eight seats run; the last is
// shown.
func allWrite(t testing.TB, ids ...string) *tui.Model {
	deps := storing(several(8, ids...)...).deps()
	deps.Theme = theme.Options{Dark: true, Profile: colorprofile.TrueColor}
	m := tui.New(t.Context(), deps)
	drive(m, m.Init())
	m.Update(tea.WindowSizeMsg{Width: 200, Height: 60})
	press := func(key string) tea.Cmd {
		_, cmd := m.Update(keyOf(key))
		return cmd
	}
	for i, id := range ids {
		if i > 0 {
			drive(m, press("q"))
		}
		press("g")
		for range i + 1 {
			press("j")
		}
		drive(m, press("enter"))
		press("space")
		s := several(8, id)[0]
		s.History = append(s.History, debate.Round{Number: 2, Manifest: started(s, 2)})
		began := []debate.Event{debate.RoundStarted{Session: s, Round: 2, At: time.Now()}}
		for _, p := range s.Seats {
			began = append(began, debate.TurnStarted{Turn: turn(p.ID, 2), Profile: p, At: time.Now()})
		}
		m.Update(tui.GatheredOf(m, id, began...))
	}
	return m
}

// words returns 64 words of eight seats.
func words(n *int) (events []debate.Event) {
	words, seats := strings.SplitAfter("WAL lets readers go on while it commits, and a backup becomes a file copy. ", " "), held(8, 1, 4).Seats
	for range 64 {
		word := words[*n%len(words)]
		if *n%400 == 399 {
			word = "\n\n"
		}
		events = append(events, debate.Text{Turn: turn(seats[*n%8].ID, 2), Text: word})
		*n++
	}
	return events
}

// eightWrite returns a model of 200x60 cells that shows eight seats in round 2 of a
// session, which it also returns.
func eightWrite(b *testing.B) (*tui.Model, debate.Session) {
	deps := storing(held(8, 1, 4)).deps()
	deps.Start.Session, deps.Fixed = billing, true
	deps.Theme = theme.Options{Dark: true, Profile: colorprofile.TrueColor}
	m := tui.New(b.Context(), deps)
	drive(m, m.Init())
	m.Update(tea.WindowSizeMsg{Width: 200, Height: 60})
	m.Update(keyOf("space"))
	writing(m, 8)
	return m, held(8, 1, 4)
}

// drive runs commands that end at once, and what they lead to.
func drive(m *tui.Model, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	came := make(chan tea.Msg, 1)
	go func() { came <- cmd() }()
	var msg tea.Msg
	select {
	case msg = <-came:
	case <-time.After(100 * time.Millisecond): // it waits for time to pass
	}
	switch msg := msg.(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			drive(m, c)
		}
	default:
		_, next := m.Update(msg)
		drive(m, next)
	}
}

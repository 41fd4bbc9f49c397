package tui_test

import (
	"fmt"
	"strings"
	"testing"

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
	m, s := eightWrite(b)
	words := strings.SplitAfter(strings.Repeat("WAL lets readers go on while it commits, and a backup becomes a file copy. ", 4), " ")
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		var events []debate.Event
		for range 64 {
			word := words[n%len(words)]
			if n%400 == 399 {
				word = "\n\n"
			}
			events = append(events, debate.Text{Turn: turn(s.Seats[n%8].ID, 2), Text: word})
			n++
		}
		m.Update(tui.Gathered(m, events...))
		if v := m.View(); v.Content == "" {
			b.Fatal("nothing is drawn")
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/40e6*100, "%core")
}

// BenchmarkCalls is the frame in which eight seats call 16 tools each and get all results,
// of 64 KB.
func BenchmarkCalls(b *testing.B) {
	m, s := eightWrite(b)
	content := strings.Repeat("a line of a log with some words more\n", 64<<10/37)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		var called, ended []debate.Event
		for range 128 {
			t := turn(s.Seats[n%8].ID, 2)
			call := debate.ToolRecord{ID: t.ToolCall(n + 1), Name: "read_file", Args: `{"path":"log.txt"}`, State: debate.ToolPending}
			called = append(called, debate.ToolsCalled{Turn: t, Tools: []debate.ToolRecord{call}})
			call.State = debate.ToolRunning
			called = append(called, debate.ToolStarted{Turn: t, Tool: call})
			call.State, call.Result = debate.ToolDone, agents.ToolResult{Status: agents.ToolOK, Text: content, Summary: "64 KB"}
			ended = append(ended, debate.ToolEnded{Turn: t, Tool: call})
			n++
		}
		m.Update(tui.Gathered(m, append(called, ended...)...))
		if v := m.View(); v.Content == "" {
			b.Fatal("nothing is drawn")
		}
	}
}

// eightWrite returns a model of 200x60 cells that shows eight seats in round 2 of a
// session, which it also returns.
func eightWrite(b *testing.B) (*tui.Model, debate.Session) {
	script := storing(held(8, 1, 4))
	deps := script.deps()
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
	switch msg := cmd().(type) {
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

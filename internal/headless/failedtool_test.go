package headless_test

import (
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/headless"
)

// Equal failures of one turn in a row are one line with a count, whatever other seats
// do meanwhile.
func TestTextReporter_countsEqualFailuresOfATool(t *testing.T) {
	var out strings.Builder
	first, _, _ := scenario()
	r := headless.NewTextReporter(&out, false)
	r.Begin(first, false)
	out.Reset()
	ended := func(seat agents.ID, name string, status agents.ToolStatus, summary string) {
		r.Event(debate.ToolEnded{
			Turn: agents.Turn{Agent: seat, Round: 1},
			Tool: debate.ToolRecord{Name: name, Result: agents.ToolResult{Status: status, Summary: summary}},
		})
	}
	for range 300 {
		ended("ada", agents.RequestContextName, agents.ToolError, "too many questions: 3 are allowed")
		ended("brook", "search", agents.ToolOK, "found")
	}
	ended("brook", agents.RequestContextName, agents.ToolOK, "C1 required") // that has a line of its own
	ended("brook", agents.RequestContextName, agents.ToolOK, "C2 required, "+agents.WrittenAsText)
	ended("ada", "search", agents.ToolError, "no such glob")
	ended("brook", agents.RequestContextName, agents.ToolError, "too many questions: 3 are allowed")
	for _, seat := range []agents.ID{"ada", "brook"} {
		r.Event(debate.TurnEnded{Response: debate.Response{Turn: agents.Turn{Agent: seat, Round: 1}, State: debate.TurnCancelled}})
	}
	for line, want := range map[string]int{
		" tool request_context error, 300 times: too many questions: 3 are allowed\n": 1,
		" tool search error: no such glob\n":                                          1,
		" tool request_context error: too many questions: 3 are allowed\n":            1,
		" tool search: found\n":                                                       300,
		" tool request_context: C1 required":                                          0,
		" tool request_context: C2 required, written as text\n":                       1,
	} {
		if got := strings.Count(out.String(), line); got != want {
			t.Errorf("%q is written %d times, want %d", line, got, want)
		}
	}
}

// A seat that joins a request eleven times says so once.
func TestTextReporter_writesEqualJoinsOnce(t *testing.T) {
	var out strings.Builder
	first, _, _ := scenario()
	r := headless.NewTextReporter(&out, false)
	r.Begin(first, false)
	out.Reset()
	q := peakRequest(ledger.Pending)
	join := func(of agents.Turn, n int) {
		q.Asks = append(q.Asks, ledger.Ask{Turn: of, Call: of.ToolCall(n)})
		r.Event(debate.ContextRequested{Turn: of, Request: q, Ask: q.Asks[len(q.Asks)-1], Joined: true})
	}
	for n := range 11 {
		join(turn("ada", 1, 1), n+1)
		join(turn("brook", 1, 1), n+1)
	}
	join(turn("ada", 1, 2), 1)
	if got := strings.Count(out.String(), "1 Ada tool request_context: joins C1.\n"); got != 2 {
		t.Errorf("Ada's joins are written %d times in two attempts", got)
	}
	if got := strings.Count(out.String(), "2 Brook tool request_context: joins C1.\n"); got != 1 {
		t.Errorf("Brook's joins are written %d times", got)
	}
}

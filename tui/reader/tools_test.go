package reader_test

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/tui/reader"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

func turn(id agents.ID, round int) agents.Turn {
	return agents.Turn{Session: "s", Round: round, Attempt: 1, Agent: id}
}

func ended(id string, who agents.ID, round int, name string) debate.ToolEnded {
	return debate.ToolEnded{Turn: turn(who, round), Tool: debate.ToolRecord{
		ID: id, Name: name, Args: `{"path":"ledger.go"}`, State: debate.ToolDone, Began: noon.Add(time.Duration(round) * time.Minute), Took: time.Second,
		Result: agents.ToolResult{Status: agents.ToolOK, Text: "result of " + id},
	}}
}

// toolLog is the log of a debate that runs, and what carries its events.
type toolLog struct {
	*reader.Tools
	debate *control.Controller
}

func newLog() toolLog {
	seats := []agents.Profile{{ID: "ada", Name: "Ada"}, {ID: "brook", Name: "Brook"}}
	c := control.New(debate.Session{ID: "s", Topic: "Tabs?", Seats: seats}, control.Options{})
	log := toolLog{reader.NewTools(theme.New(theme.Options{Dark: true}), c.Seat), c}
	log.SetSession(c.Session())
	log.SetSize(100, 30)
	log.Empty() // asks for the seats
	for _, ev := range []debate.Event{
		debate.TurnStarted{Turn: turn("ada", 1)},
		ended("t1", "ada", 1, "search"),
		debate.TurnStarted{Turn: turn("brook", 1)},
		ended("t2", "brook", 1, "read_file"),
		debate.TurnStarted{Turn: turn("ada", 2)},
		ended("t3", "ada", 2, "list_files"),
		debate.TurnStarted{Turn: turn("brook", 2)},
	} {
		log.apply(ev)
	}
	return log
}

func (l toolLog) apply(ev debate.Event) {
	l.Apply(ev)
	l.debate.Apply(ev)
}

func drawn(log toolLog) string { return ansi.Strip(log.View(screen.Frame{Now: noon})) }

func TestTools_opensTheNewestCallAndFollows(t *testing.T) {
	log := newLog()
	if !strings.Contains(drawn(log), "result of t3") {
		t.Errorf("the newest call is not open:\n%s", drawn(log))
	}
	log.apply(ended("t4", "brook", 2, "search"))
	if !strings.Contains(drawn(log), "result of t4") {
		t.Errorf("the log does not follow:\n%s", drawn(log))
	}
}

// Each call is live in the log: called, started, waiting for the user, ended.
func TestTools_followACall(t *testing.T) {
	log := newLog()
	tool := debate.ToolRecord{ID: "t4", Name: "run_command", Args: `{"argv":["make"]}`, State: debate.ToolPending}
	who := turn("brook", 2)
	for _, step := range []struct {
		do   func()
		want string
	}{
		{func() { log.apply(debate.ToolsCalled{Turn: who, Tools: []debate.ToolRecord{tool}}) }, "pending"},
		{func() {
			tool.State, tool.Began = debate.ToolRunning, noon.Add(-time.Minute)
			log.apply(debate.ToolStarted{Turn: who, Tool: tool})
		}, "60 s"},
		{func() { log.apply(debate.ApprovalAsked{Turn: who, CallID: "t4"}) }, "waits: A"},
		{func() { log.apply(debate.ApprovalDecided{Turn: who, CallID: "t4"}) }, "60 s"},
		{func() {
			tool.State, tool.Result.Status = debate.ToolDone, agents.ToolDenied
			log.apply(debate.ToolEnded{Turn: who, Tool: tool})
		}, "denied"},
	} {
		step.do()
		row := ""
		for l := range strings.SplitSeq(drawn(log), "\n") {
			if strings.Contains(l, "run_command") && !strings.Contains(l, "╭") {
				row = strings.TrimSpace(l)
			}
		}
		if !strings.Contains(row, "2 Brook") || !strings.Contains(row, " make ") || !strings.HasSuffix(row, " "+step.want) {
			t.Errorf("want a call of Brook that ends with %q, got %q", step.want, row)
		}
	}
}

package toollog_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
	"roundtable/tui/toollog"
)

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

func turn(id agents.ID, round int) agents.Turn {
	return agents.Turn{Session: "s", Round: round, Attempt: 1, Agent: id}
}

func ended(id string, who agents.ID, round int, name string) debate.ToolEnded {
	return debate.ToolEnded{Turn: turn(who, round), Tool: debate.ToolRecord{
		ID: id, Name: name, Args: `{"path":"ledger.go"}`, State: debate.ToolDone, Began: noon, Took: time.Second,
		Result: agents.ToolResult{Status: agents.ToolOK, Text: "result of " + id},
	}}
}

// newLog returns a log of three calls of two seats in two rounds.
func newLog(noPager string) *toollog.Screen {
	log := toollog.New(theme.New(theme.Options{Dark: true}), func() string { return noPager })
	log.SetSession(debate.Session{ID: "s", Topic: "Tabs?", Seats: []agents.Profile{{ID: "ada", Name: "Ada"}, {ID: "brook", Name: "Brook"}}})
	log.SetSize(100, 30)
	log.Apply(ended("t1", "ada", 1, "search"))
	log.Apply(ended("t2", "brook", 1, "read_file"))
	log.Apply(ended("t3", "ada", 2, "list_files"))
	return log
}

func drawn(log *toollog.Screen) string { return ansi.Strip(log.View(screen.Frame{Now: noon})) }

// press runs the command of a key.
func press(t testing.TB, s screen.Screen, key string) screen.Outcome {
	t.Helper()
	for _, c := range s.Commands() {
		for _, k := range c.Keys() {
			if k == key {
				return c.Run(key)
			}
		}
	}
	t.Fatalf("no command has the key %q", key)
	return nil
}

func TestScreen_isExactlyItsSize(t *testing.T) {
	log := newLog("")
	for _, size := range [][2]int{{40, 7}, {80, 21}, {200, 57}} {
		log.SetSize(size[0], size[1])
		rows := strings.Split(log.View(screen.Frame{Now: noon}), "\n")
		if len(rows) != size[1] {
			t.Errorf("%v: %d rows", size, len(rows))
		}
		for i, r := range rows {
			if w := ansi.StringWidth(r); w != size[0] {
				t.Errorf("%v: row %d has %d cells", size, i, w)
			}
		}
	}
}

func TestScreen_opensTheNewestCallAndFollows(t *testing.T) {
	log := newLog("")
	if !strings.Contains(drawn(log), "result of t3") {
		t.Errorf("the newest call is not open:\n%s", drawn(log))
	}
	log.Apply(ended("t4", "brook", 2, "search"))
	if !strings.Contains(drawn(log), "result of t4") {
		t.Errorf("the log does not follow:\n%s", drawn(log))
	}
}

func TestScreen_asksForTheCallsPane(t *testing.T) {
	log := newLog("")
	press(t, log, "k")
	if diff := cmp.Diff(screen.Outcome{toollog.ShowCall{Seat: 2, Tool: "read_file"}}, press(t, log, "enter")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(screen.Outcome{screen.Copy{Text: "result of t2", What: "the result"}}, press(t, log, "y")); diff != "" {
		t.Error(diff)
	}
}

// BenchmarkScreen_aThousandLargeCalls draws a frame of 1,000 calls with 64 KB each.
func BenchmarkScreen_aThousandLargeCalls(b *testing.B) {
	log := newLog("")
	for i := range 1000 {
		ev := ended(fmt.Sprintf("x%d", i), "ada", 1, "read_file")
		ev.Tool.Result.Text = strings.Repeat(fmt.Sprintf("line %d\n", i), 8<<10)
		log.Apply(ev)
	}
	b.ReportAllocs()
	for b.Loop() {
		press(b, log, "k")
		log.View(screen.Frame{Now: noon})
	}
}

// Each call is live in the log: called, started, waiting for the user, ended.
func TestScreen_filtersByToolAndStatusWhileCallsGoOn(t *testing.T) {
	log := newLog("")
	called := func(id, name string) debate.ToolRecord {
		return debate.ToolRecord{ID: id, Name: name, Args: `{"argv":["make"]}`, State: debate.ToolPending}
	}
	command, later := called("t4", "run_command"), called("t5", "search")
	log.Apply(debate.ToolsCalled{Turn: turn("brook", 2), Tools: []debate.ToolRecord{command, later}})
	command.State, command.Began = debate.ToolRunning, noon.Add(-time.Minute)
	log.Apply(debate.ToolStarted{Turn: turn("brook", 2), Tool: command})
	log.Apply(debate.ApprovalAsked{Turn: turn("brook", 2), CallID: "t4"})
	rows := func() (names []string) {
		for _, row := range strings.Split(drawn(log), "\n")[2:15] {
			for _, name := range []string{"search", "read_file", "list_files", "run_command"} {
				if strings.Contains(row, " "+name+" ") {
					_, end, _ := strings.Cut(row, name)
					names = append(names, name+" "+strings.Join(strings.Fields(strings.Replace(end, "make", "", 1)), " "))
				}
			}
		}
		return names
	}
	for _, step := range []struct {
		do   func()
		want []string
	}{
		{func() { press(t, log, "w") }, []string{"search pending"}},
		{func() { press(t, log, "w") }, []string{"run_command waits: A"}},
		{func() {
			log.Apply(debate.ApprovalDecided{Turn: turn("brook", 2), CallID: "t4", At: noon.Add(-5 * time.Second)})
			press(t, log, "w")
		}, []string{"run_command 5 s"}},
		{func() {
			command.State, command.Result.Status = debate.ToolDone, agents.ToolDenied
			log.Apply(debate.ToolEnded{Turn: turn("brook", 2), Tool: command})
			press(t, log, "w")
			press(t, log, "w")
		}, []string{"run_command denied"}},
		{func() { log.Back() }, []string{
			"search ledger.go 1 s", "read_file ledger.go 1 s", "list_files ledger.go 1 s", "run_command denied", "search pending",
		}},
		{func() { press(t, log, "n"); press(t, log, "n"); press(t, log, "n"); press(t, log, "n") }, []string{
			"search ledger.go 1 s", "search pending",
		}},
		{func() {
			press(t, log, "tab")
			if _, right := log.Title(screen.Frame{}); right[0].Text != "1 of 5 calls " {
				t.Errorf("the title counts %q", right[0].Text)
			}
			if head, _, _ := strings.Cut(drawn(log), "\n"); !strings.Contains(head, "tab seat Ada   [ ] round   n tool search   w status   ") {
				t.Errorf("the filter is %q", head)
			}
		}, []string{"search ledger.go 1 s"}},
	} {
		step.do()
		if diff := cmp.Diff(step.want, rows()); diff != "" {
			t.Fatalf("-want +got:\n%s\n%s", diff, drawn(log))
		}
	}
}

// Esc clears the filter first and leaves only then.
func TestBack_clearsTheFilterBeforeItCloses(t *testing.T) {
	log := newLog("")
	press(t, log, "/")
	if !log.Typing() {
		t.Fatal("the filter is not typed")
	}
	log.HandleKey(tea.KeyPressMsg{Code: 'r', Text: "r"})
	log.Paste("ead")
	log.HandleKey(tea.KeyPressMsg{Code: tea.KeyEnter})
	if s := drawn(log); strings.Contains(s, "list_files") || !strings.Contains(s, "read_file") {
		t.Errorf("the filter does not hold:\n%s", s)
	}
	if out := log.Back(); out != nil {
		t.Errorf("the filter was to be cleared, got %v", out)
	}
	if !strings.Contains(drawn(log), "list_files") {
		t.Errorf("the filter still holds:\n%s", drawn(log))
	}
	if diff := cmp.Diff(screen.Outcome{screen.Close{}}, log.Back()); diff != "" {
		t.Error(diff)
	}
}

func TestCommands_sayWhyThePagerCannotBeOpened(t *testing.T) {
	for _, reason := range []string{"", "No pager is set."} {
		for _, c := range newLog(reason).Commands() {
			if c.Title != "Open the call in $PAGER" {
				continue
			}
			if got := c.Why(); got != reason {
				t.Errorf("got %q, want %q", got, reason)
			}
			if hidden := c.Hint() == ""; hidden != (reason != "") {
				t.Errorf("hint %q with the reason %q", c.Hint(), reason)
			}
		}
	}
}

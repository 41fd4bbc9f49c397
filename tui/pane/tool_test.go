package pane_test

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
)

// A command that waited for the user has run since the user allowed it.
func TestView_theTimeOfACommandHasNoWaitInIt(t *testing.T) {
	one := turn(ada, 1)
	running := call(one, 1, "run_command", `{"argv":["make"]}`, "", 1)
	running.State, running.Began = debate.ToolRunning, noon.Add(-time.Minute)
	p := newPane(1, ada, 60, 20)
	apply(p, started(one), debate.ToolStarted{Turn: one, Tool: running},
		debate.ApprovalAsked{Turn: one, CallID: running.ID, At: noon.Add(-time.Minute)},
		debate.ApprovalDecided{Turn: one, CallID: running.ID, At: noon.Add(-3 * time.Second)})
	if view := ansi.Strip(p.View(noon, 0)); !strings.Contains(view, "run_command make   ") || !strings.Contains(view, " 3 s ") {
		t.Errorf("the command has run for 3 s:\n%s", view)
	}
}

// A command says how long it may run.
func TestView_showsTheLimitOfARunningCommand(t *testing.T) {
	one := turn(ada, 1)
	running := call(one, 1, "run_command", `{"argv":["make"]}`, "", 1)
	running.State, running.Began = debate.ToolRunning, noon.Add(-42*time.Second)
	p := newPane(1, ada, 60, 20)
	apply(p, started(one), debate.ToolStarted{Turn: one, Tool: running, Limit: 10 * time.Minute})
	if view := ansi.Strip(p.View(noon, 0)); !strings.Contains(view, "running 0:42 of 10:00") {
		t.Errorf("got:\n%s", view)
	}
}

// In a narrow pane a row still says which command waits.
func TestView_namesTheCommandThatWaits(t *testing.T) {
	one := turn(ada, 1)
	running := call(one, 1, "run_command", `{"argv":["git","log","--oneline"]}`, "", 1)
	running.State = debate.ToolRunning
	p := newPane(1, ada, 40, 20)
	apply(p, started(one), debate.ToolStarted{Turn: one, Tool: running}, debate.ApprovalAsked{Turn: one, CallID: running.ID})
	if view := ansi.Strip(p.View(noon, 0)); !strings.Contains(view, "run_command git") || !strings.Contains(view, " waits: A ") {
		t.Errorf("got:\n%s", view)
	}
}

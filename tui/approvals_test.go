package tui_test

import (
	"strings"
	"testing"
	"time"

	"roundtable/debate"
)

// asksToRun is an event of a command that waits.
func asksToRun(id string, argv ...string) debate.ApprovalAsked {
	return debate.ApprovalAsked{
		Turn: turn("cy", 2), CallID: id, Argv: argv, Dir: "/clones/cy", Mode: debate.WorkspaceClone, Hash: "h" + id, At: time.Now(),
	}
}

// A command that waits is told, never opens by itself, and is decided by ctrl+s alone.
func TestApprovals_areOpenedByTheUserAndSent(t *testing.T) {
	bubble(t, interrupted, func(r *harness, script *scripted) {
		r.press("space")
		run := script.current()
		r.hears(asksToRun("t1", "go", "test", "./my pkg"))
		r.sees("Cy asks to run: go test './my pkg'", "A: approve or deny")
		r.misses("Commands to approve")
		r.press("j")
		r.sees("A approve (1)")
		r.press("A")
		r.sees("Commands to approve", "1 waiting", "/clones/cy", "ctrl+s deny", "asks to run:")
		r.misses("A: approve", "tab next command")
		r.press("ctrl+s")
		if got := run.wasAsked(); strings.Contains(got, "decide") {
			t.Fatalf("decided at once: %s", got)
		}
		r.wait(time.Second)
		r.press("down", "enter", "y", "esc")
		r.misses("Commands to approve")
		r.press("A")
		r.wait(time.Second)
		r.sees("ctrl+s run")
		r.press("ctrl+s")
		if got, want := run.wasAsked(), `decide t1 once ""`; !strings.Contains(got, want) {
			t.Fatalf("the run was asked %q, want %q", got, want)
		}
		r.sees("sent")
		r.hears(debate.ApprovalDecided{Turn: turn("cy", 2), CallID: "t1", Approval: debate.Approval{Choice: debate.ApprovalOnce}})
		r.sees("allowed once")
		r.press("esc")
		r.misses("A approve", "asks to run:")
		r.press("A")
		r.sees("No command is waiting.")
		r.press("y")
		r.sees("Not typed anywhere: nothing here takes text.")
	})
}

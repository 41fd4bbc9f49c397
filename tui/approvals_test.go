package tui_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

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
		run.events <- asksToRun("t1", "go", "test", "./my pkg")
		r.wait(time.Second)
		r.sees("Cy asks to run: go test './my pkg'", "A: approve or deny")
		r.misses("Commands to approve")
		r.press("j")
		r.sees("A approve (1)")
		r.press("A")
		r.sees("Commands to approve", "1 waiting", "/clones/cy", "ctrl+s deny", "asks to run:")
		r.misses("A: approve")
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
		run.events <- debate.ApprovalDecided{Turn: turn("cy", 2), CallID: "t1", Approval: debate.Approval{Choice: debate.ApprovalOnce}}
		r.wait(time.Second)
		r.sees("allowed once")
		r.press("esc")
		r.misses("A approve", "asks to run:")
		r.press("A")
		r.sees("No command is waiting.")
	})
}

// While A is text, the notice does not say that it opens the commands.
func TestApprovals_theirKeyIsNotNamedWhereItIsText(t *testing.T) {
	bubble(t, used, func(r *harness, script *scripted) {
		r.press("space", "t")
		script.current().events <- asksToRun("t1", "go", "test")
		r.wait(time.Second)
		r.sees("asks to run: go test", "A: approve or deny")
		r.press("/")
		r.sees("asks to run: go test")
		r.misses("A: approve or deny")
		r.press("esc")
		r.sees("A: approve or deny")
	})
}

// The bell rings for a command that waits while the user looks elsewhere.
func TestApprovals_ring(t *testing.T) {
	for name, away := range map[string]bool{"looking on": false, "away": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				script := storing(interrupted())
				deps := script.deps()
				deps.Start.Session, deps.Notify = billing, true
				r := start(t, 80, 24, deps)
				defer r.stop()
				r.press("space")
				if away {
					r.prog.Send(tea.BlurMsg{})
				}
				script.current().events <- asksToRun("t1", "go", "test")
				r.wait(time.Second)
				if rings := strings.Contains(r.wrote.String(), "a command needs your approval"); rings != away {
					t.Errorf("rang: %t", rings)
				}
				script.current().end(interrupted(), context.Canceled)
			})
		})
	}
}

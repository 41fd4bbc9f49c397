package tui_test

import (
	"strings"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/debate"
)

// What the light model does takes up to a minute, in which no seat does anything:
// the screen says what is waited for, and lets it be stopped.
func TestAide_isShownAsOtherWaitsAreAndCanBeStopped(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *harness, script *scripted) {
		r.press("space")
		run := script.current()
		light := agents.Profile{ID: "lum", Name: "Lum", Model: "phi-4"}
		s := run.speaking(held(3, 1, 4))
		r.wait(100 * time.Millisecond)
		if top, _, _ := strings.Cut(r.screen(), "\n"); strings.Contains(top, "Lum") {
			t.Errorf("the top line is %s", top)
		}
		for _, p := range s.Seats {
			run.events <- debate.TurnEnded{Response: stated(p.ID, 2, "yes", 0.6, "So."), At: time.Now()}
		}
		run.events <- debate.Assisting{Task: debate.TaskCompare, Profile: light, Round: 2, Limit: time.Minute, At: time.Now()}
		r.wait(100 * time.Millisecond)
		r.sees(" Lum is comparing findings \n", "Lum is comparing findings (up to 60 s). space: pause now")
		before, _, _ := strings.Cut(r.screen(), "\n")
		r.wait(130 * time.Millisecond)
		if after, _, _ := strings.Cut(r.screen(), "\n"); after == before {
			t.Errorf("the spinner stands still: %s", after)
		}
		r.press("space", "space")
		r.asks("Pause now? Lum is comparing findings. All answers are saved; this is repeated on resume. space now")
		r.press("enter")
		if !isClosed(run.stopped) {
			t.Error("the run was not stopped")
		}
	})
}

// The MCP servers start before the first seat does, which may take seconds.
func TestAssisting_saysThatTheRoundWaitsForServers(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *harness, script *scripted) {
		r.press("space")
		run := script.current()
		run.events <- debate.Assisting{Task: debate.TaskTools, Round: 2, At: time.Now()}
		r.wait(100 * time.Millisecond)
		r.sees(" Waiting for the MCP servers \n")
		run.speaking(held(3, 1, 4))
		r.wait(100 * time.Millisecond)
		if strings.Contains(r.screen(), "MCP") {
			t.Errorf("it still says so:\n%s", r.screen())
		}
	})
}

func isClosed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

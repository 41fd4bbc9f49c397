package pane_test

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/tui/pane"
)

// A silence is shown with its length, and as a warning once it is longer than it may be;
// a sign of life ends it, and who answers all at once is not warned of.
func TestPane_showsASilence(t *testing.T) {
	t.Parallel()
	turn := agents.Turn{Session: "s", Round: 1, Attempt: 1, Agent: "ada"}
	for name, c := range map[string]struct {
		events []debate.Event
		after  time.Duration
		alive  time.Duration // when a sign of life comes; 0 for none
		label  string
		body   string
		warned bool
	}{
		"before the first token": {nil, 27 * time.Second, 0, "waiting 27 s", "Waiting for a first token 27 s. x: cancel", false},
		"for too long":           {nil, 3 * time.Minute, 0, "waiting 3 min", "Waiting for a first token 3 min. x: cancel", true},
		"with signs of life":     {nil, 3 * time.Minute, 2 * time.Minute, "waiting 3 min", "Waiting for a first token 3 min.", false},
		"not sent, for the budget": {
			[]debate.Event{debate.TurnQueued{Turn: turn, Budget: true}},
			3 * time.Minute, 0, "waiting 3 min", "Waiting for other calls to free budget 3 min.", false,
		},
		"sent once there is budget": {
			[]debate.Event{debate.TurnQueued{Turn: turn, Budget: true}, debate.TurnQueued{Turn: turn}},
			27 * time.Second, 0, "waiting 27 s", "Waiting for a first token 27 s. x: cancel", false,
		},
		"a program that is not ready": {
			[]debate.Event{debate.TurnQueued{Turn: turn, Starting: "opencode"}},
			3 * time.Minute, 0, "starting opencode 3 min", "Starting opencode 3 min. x: cancel", false,
		},
		"asked once its program is ready": {
			[]debate.Event{debate.TurnQueued{Turn: turn, Starting: "opencode"}, debate.TurnQueued{Turn: turn}},
			27 * time.Second, 0, "waiting 27 s", "Waiting for a first token 27 s. x: cancel", false,
		},
		"all at once": {
			[]debate.Event{debate.TurnAlive{Turn: turn, Whole: true}},
			3 * time.Minute, 0, "answers all at once", "Answers all at once 3 min. x: cancel", false,
		},
		"between pieces":         {[]debate.Event{debate.Text{Turn: turn, Text: "So"}}, 31 * time.Second, 0, "silent 31 s", "Silent 31 s. x: cancel", true},
		"alive between pieces":   {[]debate.Event{debate.Text{Turn: turn, Text: "So"}}, 31 * time.Second, 20 * time.Second, "writing", "So", false},
		"a pause between pieces": {[]debate.Event{debate.Text{Turn: turn, Text: "So"}}, 29 * time.Second, 0, "writing", "So", false},
	} {
		p := newPane(1, agents.Profile{ID: "ada", Name: "Ada"}, 60, 12)
		apply(p, debate.RoundStarted{Round: 1}, debate.TurnStarted{Turn: turn, At: noon})
		apply(p, c.events...)
		p.View(noon, 0)
		if c.alive > 0 {
			p.now = noon.Add(c.alive)
			apply(p, debate.TurnAlive{Turn: turn})
		}
		now := noon.Add(c.after)
		view := ansi.Strip(p.View(now, 0))
		if state := p.State(); pane.Label(state, now) != c.label || state.Silence(now) > 0 != c.warned {
			t.Errorf("%s: %q, warned: %v", name, pane.Label(state, now), state.Silence(now) > 0)
		}
		if !strings.Contains(view, c.body) {
			t.Errorf("%s: %q is not in\n%s", name, c.body, view)
		}
	}
	p := newPane(1, agents.Profile{ID: "ada", Name: "Ada"}, 60, 12)
	p.Seat().SetSilence(control.Silence{})
	apply(p, debate.RoundStarted{Round: 1}, debate.TurnStarted{Turn: turn, At: noon})
	p.View(noon, 0)
	if p.State().Silence(noon.Add(time.Hour)) > 0 {
		t.Error("a silence without a limit is warned of")
	}
}

// A statement that is a side without words is shown as its side.
func TestPane_showsASideWithoutWords(t *testing.T) {
	t.Parallel()
	turn := agents.Turn{Session: "s", Round: 1, Attempt: 1, Agent: "ada"}
	p := newPane(1, agents.Profile{ID: "ada", Name: "Ada"}, 60, 12)
	apply(p, debate.RoundStarted{Round: 1}, debate.TurnStarted{Turn: turn, At: noon}, debate.TurnEnded{Response: debate.Response{
		Turn: turn, State: debate.TurnDone, Passages: []debate.Passage{{Text: "```json\n{\"vote\": \"Zig\"}\n```"}},
		Statement: debate.Statement{Vote: "Zig"}, Ended: noon,
	}})
	if got := body(t, p, 60, 12); !strings.Contains(got, "Position  Zig") || strings.Contains(got, "vote") {
		t.Errorf("the pane shows\n%s", got)
	}
}

package tui_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/internal/replay"
	"roundtable/tui"
)

// replayPlayer plays a recording. A replay calls nothing but Start.
type replayPlayer struct{ *replay.Player }

func (p replayPlayer) Start(ctx context.Context, s debate.Session) control.Run {
	return p.Player.Start(ctx, s)
}

func (replayPlayer) GoOn(context.Context, debate.Session) control.Run { panic("go on") }

func (replayPlayer) Retry(context.Context, debate.Session, agents.ID) control.Run { panic("retry") }

func (replayPlayer) Conclude(context.Context, debate.Session) control.Run { panic("conclude") }

func (replayPlayer) Ask(context.Context, debate.Session, agents.ID, string) control.Run {
	panic("ask")
}

func (replayPlayer) Affords(debate.Session) error { panic("affords") }

func (replayPlayer) Models(debate.Session) []agents.Profile { panic("models") }

// replaySessions has the session that is replayed. Whatever else is called is nil, and
// ends the test.
type replaySessions struct {
	otherSessions
	player *replay.Player
}

// otherSessions is what replaySessions lacks.
type otherSessions interface{ tui.Sessions }

func (s replaySessions) Open(context.Context, string) (debate.Session, error) {
	return s.player.Before(1), nil
}

func (replaySessions) Close(string) error { return nil }

func (replaySessions) Sessions(context.Context) ([]debate.SessionSummary, error) { return nil, nil }

// replaying opens the replay of a session. It has no writer, and a provider nowhere.
func replaying(t *testing.T, s debate.Session) *harness {
	p := replay.NewPlayer(replay.New(s), 1, time.Now)
	return start(t, 120, 30, tui.Deps{
		Replay: p, Player: replayPlayer{p}, Sessions: replaySessions{player: p}, Start: tui.Start{Session: s.ID},
		Export: func(context.Context, debate.Session, bool, tui.Format) (string, error) {
			return "", errors.New("exported")
		},
	})
}

// TestReplay_playsToTheVerdict plays a whole debate again, which takes its time.
func TestReplay_playsToTheVerdict(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := replaying(t, concluded())
		r.wait(time.Second)
		r.sees(" Replay ", "replay 1x", "nothing is asked or saved", "round 1/", "writing", "space pause", "< > speed")
		r.press("space")
		r.wait(20 * time.Second)
		r.sees("replay paused, 1x", "round 1/", "writing")
		r.press("space", ">", ">", ">")
		r.sees("replay 5x")
		r.press("<")
		r.sees("replay 3x")
		r.wait(20 * time.Second)
		r.sees("completed", "Verdict", "replay ended")
		r.press("esc", "[")
		r.wait(1300 * time.Millisecond)
		r.sees("round 4/4", "writing")
		r.press("[")
		r.wait(1300 * time.Millisecond)
		r.sees("round 3/4", "writing")
		r.press("]", "]")
		r.wait(100 * time.Millisecond)
		r.sees("round 4/4", "✓3")
		r.press("q")
		r.ended()
	})
}

// TestReplay_refusesWhatWouldChangeTheDebate presses each key that steers or writes.
func TestReplay_refusesWhatWouldChangeTheDebate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := replaying(t, concluded())
		r.wait(time.Second)
		for _, key := range []string{"i", "f", "+", "x", "r", "P", "S", "E", "c", "e", "s"} {
			r.press(key)
			r.sees("This is a replay: nothing is asked or saved. q ends it.", "round 1/")
			r.press("esc")
			r.misses("This is a replay:")
		}
		r.press("ctrl+c")
		r.ended()
	})
}

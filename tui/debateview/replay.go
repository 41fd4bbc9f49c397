package debateview

import (
	"fmt"
	"slices"

	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// Replay steers how a stored session is played again. Its parts are the rounds and at
// last the verdict; they count from 1.
type Replay interface {
	Pace() (speed int, paused bool)
	TogglePause()
	Faster()
	Slower()
	Parts() int
	// PartAfter returns the part that follows a state of the session; 0 if none does.
	PartAfter(s debate.Session) int
	// Before returns the session as it was before a part.
	Before(part int) debate.Session
}

// Rewind shows the session as it once was, and plays on from there.
type Rewind struct{ Session debate.Session }

// playOn plays the next part of a replay. After the last one it shows how the session was
// left.
func (d *Debate) playOn() screen.Outcome {
	next := d.config.Replay.PartAfter(d.Session())
	switch {
	case next > 0 && next != d.part: // a part that was stopped does not begin again by itself
		d.part = next
		return d.carryOut(control.Continue, control.Values{})
	case d.Session().Verdict != nil:
		return screen.Outcome{VerdictReady{}}
	}
	d.Arrange()
	return screen.Tell(screen.Info, "The recording ends here. [ plays the round again, q quits.")
}

// jumpPart plays an earlier or a later part of a replay from its beginning.
func (d *Debate) jumpPart(n int) screen.Outcome {
	last := d.config.Replay.Parts()
	to := d.part + n
	switch {
	case to > last && !d.Running():
		return screen.Tell(screen.Info, "The recording ends here.")
	case to > last:
		return screen.Tell(screen.Info, "This is the last part of the recording.")
	}
	return screen.Outcome{Rewind{d.config.Replay.Before(max(to, 1))}}
}

// replayKeys lists what the user can do while a session is played again. Keys that steer
// a debate keep their places, so that the shell says why they do nothing.
func (d *Debate) replayKeys() []screen.Command {
	bind, r := screen.Bind, d.config.Replay
	does := func(f func()) func(string) screen.Outcome {
		return screen.Do(func() screen.Outcome {
			f()
			return nil
		})
	}
	by := func(n int) func(string) screen.Outcome {
		return screen.Do(func() screen.Outcome { return d.jumpPart(n) })
	}
	own := []screen.Command{
		{
			Binding: bind("replay-pause", "space", "pause, play on"), Title: "Pause the replay, or play on", Group: screen.Moving,
			Hint: d.replayPauseHint, Rank: 1, Run: does(r.TogglePause),
		},
		{
			Binding: bind("replay-faster", "< >", "slower, faster"), Title: "Play faster", Group: screen.Moving,
			Hint: screen.Say("< > speed"), Rank: 3, Run: does(r.Faster),
		},
		{Binding: bind("replay-slower", "", ""), Title: "Play slower", Group: screen.Moving, Run: does(r.Slower)},
		{
			Binding: bind("replay-later", "[ ]", "earlier, later round"), Title: "Jump to the next round", Group: screen.Moving,
			Hint: screen.Say("[ ] round"), Rank: 4, Run: by(1),
		},
		{Binding: bind("replay-earlier", "", ""), Title: "Jump to the round before", Group: screen.Moving, Run: by(-1)},
	}
	var taken []string
	for _, c := range own {
		taken = append(taken, c.Keys()...)
	}
	return append(own, slices.DeleteFunc(d.keys(), func(c screen.Command) bool {
		return slices.ContainsFunc(c.Keys(), func(key string) bool { return slices.Contains(taken, key) })
	})...)
}

func (v *sessionView) replayPauseHint() string {
	if _, paused := v.replay.Pace(); paused {
		return "space play on"
	}
	return "space pause"
}

// replayStatus says that this is no debate under way, and how fast it is played.
func (sc *Screen) replayStatus() []theme.Part {
	th := sc.th
	speed, paused := sc.replay.Pace()
	state := fmt.Sprintf(" replay %dx", speed)
	switch {
	case !sc.Running():
		state = " " + th.Symbols.Done + " replay ended"
	case paused:
		state = fmt.Sprintf(" %s replay paused, %dx", th.Symbols.Paused, speed)
	}
	parts := []theme.Part{
		{Text: state, Style: th.Warning, Cut: StatusCut, Whole: true},
		{Text: " " + th.Symbols.Sep + " nothing is asked or saved", Style: th.Warning, Cut: StatusCut - 1, Whole: true},
	}
	if sc.Session().Demo() {
		parts = append(parts, theme.Part{Text: "   demo: scripted answers, no model", Style: th.Muted, Cut: 16, Whole: true})
	}
	return parts
}

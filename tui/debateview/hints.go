package debateview

import (
	"fmt"
	"strings"

	"roundtable/debate"
	"roundtable/tui/pane"
	"roundtable/tui/screen"
)

// The functions in this file word the hints of the bottom line; "" shows none.

// seatsHint gives way to the rounds where one seat is looked at and room is short.
func (sc *Screen) seatsHint() string {
	if sc.view.zoom && sc.w < screen.Wide {
		return ""
	}
	return "tab seat"
}

func (sc *Screen) jumpHint() string {
	if n := len(sc.panes); n > 4 {
		return fmt.Sprintf("1-%d jump", n)
	}
	return ""
}

func (sc *Screen) zoomHint() string {
	if sc.view.zoom {
		return "z all seats"
	}
	return "z zoom"
}

func (sc *Screen) roundHint() string {
	if sc.view.zoom {
		return "[ ] round"
	}
	return ""
}

// seatHint shows the key that helps a seat in trouble.
func (sc *Screen) seatHint() string {
	for _, p := range sc.panes {
		switch p.State().Kind {
		case pane.Failed, pane.Cancelled, pane.Retrying, pane.Paused:
			return "x cancel or retry"
		case pane.Idle, pane.Queued, pane.Waiting, pane.Writing, pane.Tool, pane.Deciding, pane.Done, pane.Interrupted:
		}
	}
	return ""
}

func (v *sessionView) pauseHint() string {
	switch {
	case v.isPaused():
		return "space " + spaceVerb(v)
	case v.paused:
		return "space keep going"
	case !v.Running():
		return ""
	default:
		return "space pause"
	}
}

// spaceVerb says in the words of the banner what space does while the debate is paused.
func spaceVerb(v *sessionView) string {
	switch s := v.session; s.Status() {
	case debate.Interrupted:
		if v.openRound().CanGoOn() {
			return "go on"
		}
		verb, _ := resumption(v, v.interruption(s.Current()))
		return strings.TrimSuffix(verb, " with")
	case debate.Ready:
		if s.Next() == 0 {
			return "write the verdict"
		}
		return "start"
	case debate.Drafted:
		return "start"
	case debate.NeedsContext, debate.Complete, debate.Stopped:
	}
	return "resume"
}

// isPaused reports whether nothing goes on before the user says so.
func (v *sessionView) isPaused() bool { return v.paused && !v.Running() }

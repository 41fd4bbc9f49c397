package pane

import (
	"fmt"
	"strings"
	"time"

	"charm.land/lipgloss/v2"

	"roundtable/debate/control"
	"roundtable/internal/text"
	"roundtable/tui/theme"
)

// Symbol returns the symbol of a state. Spin is the frame of the spinner.
func Symbol(s control.SeatState, th *theme.Theme, spin int) string {
	symbol, _ := look(s.Kind, th, spin)
	return symbol
}

// Style returns the style of a state.
func Style(s control.SeatState, th *theme.Theme, now time.Time) lipgloss.Style {
	if s.Silence(now) > 0 {
		return th.Warning
	}
	_, style := look(s.Kind, th, 0)
	return style
}

func look(k control.SeatKind, th *theme.Theme, spin int) (string, lipgloss.Style) {
	y := th.Symbols
	switch k {
	case control.SeatWaiting, control.SeatWriting, control.SeatTool:
		return busy(th, spin), th.Text
	case control.SeatDeciding:
		return y.Waits, th.Warning
	case control.SeatRetrying:
		return y.Retry, th.Warning
	case control.SeatPaused:
		return y.Paused, th.Warning
	case control.SeatDone:
		return y.Done, th.Success
	case control.SeatFailed:
		return y.Failed, th.Danger
	case control.SeatCancelled:
		return y.Missing, th.Muted
	case control.SeatInterrupted:
		return y.Interrupted, th.Muted
	case control.SeatQueued, control.SeatIdle:
	}
	return y.Queued, th.Muted
}

func busy(th *theme.Theme, spin int) string {
	return th.Symbols.Busy[uint(spin)%uint(len(th.Symbols.Busy))]
}

// Part returns the symbol and the label of a state as a part of a line.
func Part(s control.SeatState, th *theme.Theme, now time.Time, spin int) theme.Part {
	return theme.Part{Text: Symbol(s, th, spin) + " " + Label(s, now), Style: Style(s, th, now)}
}

// Label returns a state in words, such as "retry 2 of 3 in 4 s". Times are shown in the
// location of now.
func Label(s control.SeatState, now time.Time) string {
	switch s.Kind {
	case control.SeatIdle:
		return "not started"
	case control.SeatQueued:
		return "queued"
	case control.SeatWaiting:
		return waitingLabel(s, now)
	case control.SeatWriting:
		if d := s.Silence(now); d > 0 {
			return "silent " + text.Age(d)
		}
		return "writing"
	case control.SeatTool:
		return "tool"
	case control.SeatDeciding:
		return "asks to run"
	case control.SeatRetrying:
		if s.Loads {
			return "the server loads the model"
		}
		words := fmt.Sprintf("retry %d of %d", s.Retry, s.MaxRetries)
		if left := s.Until.Sub(now); left > 0 {
			words += " in " + text.Countdown(left)
		}
		return words
	case control.SeatPaused:
		return "paused until " + text.TimeOfDay(now, s.Until)
	case control.SeatDone:
		if len(s.Requests) > 0 {
			return "asked " + strings.Join(s.Requests, ", ")
		}
		return "done"
	case control.SeatFailed:
		return "failed"
	case control.SeatCancelled:
		return "cancelled"
	case control.SeatInterrupted:
		return "interrupted"
	}
	return ""
}

func waitingLabel(s control.SeatState, now time.Time) string {
	words := "waiting"
	switch {
	case s.Whole:
		return "answers all at once"
	case s.Starting != "":
		words = "starting " + s.Starting
	}
	if !s.Since.IsZero() {
		words += " " + text.Age(now.Sub(s.Since))
	}
	return words
}

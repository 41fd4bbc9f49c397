package pane

import (
	"fmt"
	"strings"
	"time"

	"charm.land/lipgloss/v2"

	"roundtable/internal/text"
	"roundtable/tui/theme"
)

// Kind is a kind of [State].
type Kind uint8

// The kinds of states. A question of an agent holds up the next round only, a command
// that it asks to run its own turn.
const (
	Idle     Kind = iota // no round has begun yet
	Queued               // the seat's turn has not begun
	Waiting              // the model has not begun to answer
	Writing              // text is streaming
	Tool                 // a tool is running
	Deciding             // a command waits until the user decides on it
	Retrying
	Paused // the provider asked for a longer wait
	Done
	Failed
	Cancelled
	Interrupted // the program or the round was stopped
)

// State is what a seat is doing, as shown in its title, its chip and the top line.
type State struct {
	Kind         Kind
	OpenRequests []string // ids of the required requests it waits for, if Kind is Done
	Retry        int      // number of the next retry, from 1
	MaxRetries   int
	Until        time.Time // when the retry is due or the pause ends
	Since        time.Time // when the model was asked; zero if unknown
	Heard        time.Time // when the server last gave a sign of life; zero if unknown
	Limit        time.Duration
	Whole        bool // the answer comes all at once: silence means nothing
	Budget       bool // the model is not asked until other calls release budget
}

// Silence returns for how long the model has been silent, if that is longer than it may
// be, or 0.
func (s State) Silence(now time.Time) time.Duration {
	if s.Heard.IsZero() || s.Limit <= 0 || s.Whole || s.Budget {
		return 0
	}
	if d := now.Sub(s.Heard); d >= s.Limit {
		return d
	}
	return 0
}

// Busy reports whether the seat is at work and its spinner turns.
func (s State) Busy() bool { return s.Kind == Waiting || s.Kind == Writing || s.Kind == Tool }

// Ended reports whether the seat's turn has ended, successfully or not.
func (s State) Ended() bool { return s.Kind >= Done }

// Symbol returns the symbol of the state. Spin is the frame of the spinner.
func (s State) Symbol(th *theme.Theme, spin int) string {
	y := th.Symbols
	switch s.Kind {
	case Waiting, Writing, Tool:
		return y.Busy[uint(spin)%uint(len(y.Busy))]
	case Deciding:
		return y.Waits
	case Retrying:
		return y.Retry
	case Paused:
		return y.Paused
	case Done:
		return y.Done
	case Failed:
		return y.Failed
	case Cancelled:
		return y.Missing
	case Interrupted:
		return y.Interrupted
	case Queued, Idle:
	}
	return y.Queued
}

// Label returns the state in words, such as "retry 2 of 3 in 4 s". Times are shown in
// the location of now.
func (s State) Label(th *theme.Theme, now time.Time) string {
	switch s.Kind {
	case Idle:
		return "not started"
	case Queued:
		return "queued"
	case Waiting:
		if s.Whole {
			return "answers all at once"
		}
		words := "waiting"
		if !s.Since.IsZero() {
			words += " " + text.Age(now.Sub(s.Since))
		}
		return words
	case Writing:
		if d := s.Silence(now); d > 0 {
			return "silent " + text.Age(d)
		}
		return "writing"
	case Tool:
		return "tool"
	case Deciding:
		return "asks to run"
	case Retrying:
		words := fmt.Sprintf("retry %d of %d", s.Retry, s.MaxRetries)
		if left := s.Until.Sub(now); left > 0 {
			words += " in " + text.Countdown(left)
		}
		return words
	case Paused:
		return "paused until " + text.TimeOfDay(now, s.Until)
	case Done:
		if len(s.OpenRequests) > 0 {
			return "done " + th.Symbols.Sep + " asked " + strings.Join(s.OpenRequests, ", ")
		}
		return "done"
	case Failed:
		return "failed"
	case Cancelled:
		return "cancelled"
	case Interrupted:
		return "interrupted"
	}
	return ""
}

// Style returns the style of the state.
func (s State) Style(th *theme.Theme, now time.Time) lipgloss.Style {
	if s.Silence(now) > 0 {
		return th.Warning
	}
	switch s.Kind {
	case Waiting, Writing, Tool:
		return th.Text
	case Deciding, Retrying, Paused:
		return th.Warning
	case Done:
		return th.Success
	case Failed:
		return th.Danger
	case Idle, Queued, Cancelled, Interrupted:
	}
	return th.Muted
}

// Part returns the symbol and the label as a part of a line.
func (s State) Part(th *theme.Theme, now time.Time, spin int) theme.Part {
	return theme.Part{Text: s.Symbol(th, spin) + " " + s.Label(th, now), Style: s.Style(th, now)}
}

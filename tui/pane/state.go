package pane

import (
	"fmt"
	"strings"
	"time"

	"charm.land/lipgloss/v2"

	"roundtable/tui/theme"
)


// Kind sorts the states of a seat.
type Kind uint8

// The kinds. No agent ever waits for the user: the debate does.
const (
	Idle    Kind = iota // no round has begun
	Queued              // its turn has not begun
	Waiting             // its model was asked and has not begun to answer
	Writing             // text is coming
	Tool                // a tool runs for it
	Retrying
	Paused // its provider asked for a longer wait
	Done
	Failed
	Cancelled
	Interrupted // the program or the round stopped meanwhile
)

// State is what a seat is doing: for its title, its chip and the top line.
type State struct {
	Kind  Kind
	Asked []string  // ids of the open required requests it waits for, once done
	Try   int       // the retry to come, from 1
	Of    int       // how many there are at most
	Until time.Time // when the retry comes, or the pause ends
	Since time.Time // when the model was asked; zero: unknown
}

// Works reports whether the seat's spinner turns.
func (s State) Works() bool { return s.Kind == Waiting || s.Kind == Writing || s.Kind == Tool }

// Over reports whether the seat's turn has ended, however it did.
func (s State) Over() bool { return s.Kind >= Done }

// Symbol returns the state's sign; spin turns that of a seat that works.
func (s State) Symbol(th *theme.Theme, spin int) string {
	y := th.Symbols
	switch s.Kind {
	case Waiting, Writing, Tool:
		return y.Busy[uint(spin)%uint(len(y.Busy))]
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

// Words says the state, such as "retry 2 of 3 in 4 s". Times are in the location of now.
func (s State) Words(th *theme.Theme, now time.Time) string {
	switch s.Kind {
	case Idle:
		return "not begun"
	case Queued:
		return "queued"
	case Waiting:
		words := "waiting"
		if !s.Since.IsZero() {
			words += " " + age(now.Sub(s.Since))
		}
		return words
	case Writing:
		return "writing"
	case Tool:
		return "tool"
	case Retrying:
		words := fmt.Sprintf("retry %d of %d", s.Try, s.Of)
		if left := s.Until.Sub(now); left > 0 {
			words += " in " + seconds(left)
		}
		return words
	case Paused:
		return "paused until " + s.Until.In(now.Location()).Format("15:04")
	case Done:
		if len(s.Asked) > 0 {
			return "done " + th.Symbols.Sep + " asked " + strings.Join(s.Asked, ", ")
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

// Style returns the colour of the state.
func (s State) Style(th *theme.Theme) lipgloss.Style {
	switch s.Kind {
	case Waiting, Writing, Tool:
		return th.Text
	case Retrying, Paused:
		return th.Warning
	case Done:
		return th.Success
	case Failed:
		return th.Danger
	case Idle, Queued, Cancelled, Interrupted:
	}
	return th.Muted
}

// Part returns symbol and words for a line.
func (s State) Part(th *theme.Theme, now time.Time, spin int) theme.Part {
	return theme.Part{Text: s.Symbol(th, spin) + " " + s.Words(th, now), Style: s.Style(th)}
}

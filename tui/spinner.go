package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/tui/screen"
)

// spinEvery is how long a frame of the spinner lasts.
const spinEvery = 125 * time.Millisecond

// spinMsg turns the spinner.
type spinMsg struct{}

// spinner turns while a seat works, and updates countdowns while one waits for
// its provider. Otherwise nothing is drawn.
type spinner struct {
	ctx     context.Context
	now     func() time.Time
	step    int
	ticking bool      // a tick is on its way
	due     bool      // the next events turn it
	fed     time.Time // when events came last
}

// start returns a command for the next tick; nil if one is on its way or nothing
// changes by time alone.
func (s *spinner) start(every time.Duration) tea.Cmd {
	if s.ticking || every == 0 {
		return nil
	}
	s.ticking = true
	return screen.After(s.ctx, every, spinMsg{})
}

// tick shows the next frame. If events are coming it leaves that to them, since a
// screen drawn for the spinner alone costs as much as any other.
func (s *spinner) tick(every time.Duration) tea.Cmd {
	s.ticking = false
	if every == 0 {
		return nil
	}
	if !s.due && s.now().Sub(s.fed) < 2*frame {
		s.due = true
	} else {
		s.due = false
		s.step++
	}
	return s.start(every)
}

// feed notes that events are being shown.
func (s *spinner) feed() {
	s.fed = s.now()
	if s.due {
		s.due = false
		s.step++
	}
}

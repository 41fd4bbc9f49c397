package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/tui/screen"
)

// spinEvery is how long a frame of the spinner lasts.
const spinEvery = 125 * time.Millisecond

// spinMsg turns the spinner, unless a later tick was asked for meanwhile.
type spinMsg struct{ n int }

// spinner turns while a seat works, and draws again what changes by time alone:
// countdowns, and ages. Otherwise nothing is drawn.
type spinner struct {
	ctx   context.Context
	now   func() time.Time
	step  int
	n     int           // of the tick on its way
	every time.Duration // after which it comes; 0: none is on its way
	due   bool          // the next events turn it
	fed   time.Time     // when events came last
}

// start returns a command for the next tick; nil if one is on its way that comes as
// soon, or nothing changes by time alone.
func (s *spinner) start(every time.Duration) tea.Cmd {
	if every == 0 || s.every != 0 && s.every <= every {
		return nil
	}
	s.n++
	s.every = every
	return screen.After(s.ctx, every, spinMsg{s.n})
}

// tick shows the next frame. If events are coming it leaves that to them, since a
// screen drawn for the spinner alone costs as much as any other.
func (s *spinner) tick(msg spinMsg, every time.Duration) tea.Cmd {
	if msg.n != s.n {
		return nil
	}
	s.every = 0
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

package pane

import (
	"strings"
	"time"

	"roundtable/agents"
)

// counter estimates the tokens of a text that arrives in pieces.
type tokenCounter struct {
	sum  int    // tokens of what cannot change any more
	pending string // the end of the text, of which the last word may go on
}

// longRest is how many bytes the rest has before it is counted for good.
const maxPending = 256

// count takes the next piece.
func (c *tokenCounter) add(piece string) {
	c.pending += piece
	if len(c.pending) < maxPending {
		return
	}
	cut := strings.LastIndexAny(c.pending, " \n")
	if cut <= 0 { // no word is that long
		cut = len(c.pending)
	}
	c.sum += agents.Tokens(c.pending[:cut])
	c.pending = c.pending[cut:]
}

// counted returns the tokens so far.
func (c *tokenCounter) count() int { return c.sum + agents.Tokens(c.pending) }

// window is how far back the speed looks.
const speedWindow = 2 * time.Second

// meter counts the text of the attempt under way. It reads no clock: samples are
// taken when the pane is drawn.
type meter struct {
	tokenCounter
	samples []sample
}

type sample struct {
	at     time.Time
	tokens int
}

// sample notes how far the text has come.
func (m *meter) takeSample(now time.Time) {
	tokens := m.count()
	if n := len(m.samples); n > 0 && m.samples[n-1].tokens == tokens {
		return
	}
	m.samples = append(m.samples, sample{now, tokens})
	drop := 0
	for drop < len(m.samples)-2 && now.Sub(m.samples[drop].at) > speedWindow {
		drop++
	}
	m.samples = append(m.samples[:0], m.samples[drop:]...)
}

// speed returns tokens a second, 0 where there is nothing to tell.
func (m *meter) speed(now time.Time) int {
	n := len(m.samples)
	if n < 2 || now.Sub(m.samples[n-1].at) > speedWindow {
		return 0
	}
	first, last := m.samples[0], m.samples[n-1]
	took := last.at.Sub(first.at)
	if took < speedWindow/4 {
		return 0
	}
	return int(float64(last.tokens-first.tokens)/took.Seconds() + 0.5)
}

// span is how long something took that only the screen has seen begin and end.
type stopwatch struct {
	running     bool
	unreliable   bool // it was out of sight meanwhile
	started, stopped time.Time
}

// tick tells a span the time. Away says that nobody has looked since the last time.
func (s *stopwatch) observe(now time.Time, away bool) {
	switch {
	case s.started.IsZero():
		s.started, s.unreliable = now, !s.running
	case s.stopped.IsZero():
		s.unreliable = s.unreliable || away
	}
	if !s.running && s.stopped.IsZero() {
		s.stopped = now
	}
}

// lasted returns how long it took so far, 0 where that is not known.
func (s *stopwatch) elapsed(now time.Time) time.Duration {
	switch {
	case s.unreliable || s.started.IsZero():
		return 0
	case s.stopped.IsZero():
		return now.Sub(s.started)
	}
	return s.stopped.Sub(s.started)
}

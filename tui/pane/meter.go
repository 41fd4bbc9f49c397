package pane

import (
	"strings"
	"time"

	"roundtable/agents"
)

// tokenCounter estimates the tokens of a text that arrives in pieces.
type tokenCounter struct {
	sum     int    // tokens of the text before pending
	pending string // the end of the text; its last word may be incomplete
}

// maxPending is how many bytes are kept before their tokens are added to the sum.
const maxPending = 256

// add adds the next piece of text.
func (c *tokenCounter) add(piece string) {
	c.pending += piece
	if len(c.pending) < maxPending {
		return
	}
	cut := strings.LastIndexAny(c.pending, " \n")
	if cut <= 0 { // no word boundary
		cut = len(c.pending)
	}
	c.sum += agents.Tokens(c.pending[:cut])
	c.pending = c.pending[cut:]
}

// count returns the estimate for the text so far.
func (c *tokenCounter) count() int { return c.sum + agents.Tokens(c.pending) }

// speedWindow is the time over which the speed is measured.
const speedWindow = 2 * time.Second

// meter measures the text of the running attempt. It reads no clock: samples are taken
// when the pane is drawn.
type meter struct {
	tokenCounter
	samples []sample
}

// sample is the number of tokens at a time.
type sample struct {
	at     time.Time
	tokens int
}

// takeSample records how many tokens have arrived.
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

// speed returns the tokens per second, or 0 if that is not known.
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

// stopwatch measures how long something took that only drawing observes.
type stopwatch struct {
	running          bool
	unreliable       bool // it was not drawn for too long
	started, stopped time.Time
}

// observe passes the time to the stopwatch. Gap says that it was not drawn for too
// long.
func (s *stopwatch) observe(now time.Time, gap bool) {
	switch {
	case s.started.IsZero():
		s.started, s.unreliable = now, !s.running
	case s.stopped.IsZero():
		s.unreliable = s.unreliable || gap
	}
	if !s.running && s.stopped.IsZero() {
		s.stopped = now
	}
}

// elapsed returns the time that has passed, or 0 if that is not known.
func (s *stopwatch) elapsed(now time.Time) time.Duration {
	switch {
	case s.unreliable || s.started.IsZero():
		return 0
	case s.stopped.IsZero():
		return now.Sub(s.started)
	}
	return s.stopped.Sub(s.started)
}

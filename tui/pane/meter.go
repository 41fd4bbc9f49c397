package pane

import (
	"strings"
	"time"

	"roundtable/agents"
)


// counter estimates the tokens of a text that arrives in pieces.
type counter struct {
	sum  int    // tokens of what cannot change any more
	rest string // the end of the text, of which the last word may go on
}

// longRest is how many bytes the rest has before it is counted for good.
const longRest = 256

// count takes the next piece.
func (c *counter) count(piece string) {
	c.rest += piece
	if len(c.rest) < longRest {
		return
	}
	cut := strings.LastIndexAny(c.rest, " \n")
	if cut <= 0 { // no word is that long
		cut = len(c.rest)
	}
	c.sum += agents.Tokens(c.rest[:cut])
	c.rest = c.rest[cut:]
}

// counted returns the tokens so far.
func (c *counter) counted() int { return c.sum + agents.Tokens(c.rest) }

// window is how far back the speed looks.
const window = 2 * time.Second

// meter counts the text of the attempt under way. It reads no clock: samples are
// taken when the pane is drawn.
type meter struct {
	counter
	samples []sample
}

type sample struct {
	at     time.Time
	tokens int
}

// sample notes how far the text has come.
func (m *meter) sample(now time.Time) {
	tokens := m.counted()
	if n := len(m.samples); n > 0 && m.samples[n-1].tokens == tokens {
		return
	}
	m.samples = append(m.samples, sample{now, tokens})
	drop := 0
	for drop < len(m.samples)-2 && now.Sub(m.samples[drop].at) > window {
		drop++
	}
	m.samples = append(m.samples[:0], m.samples[drop:]...)
}

// speed returns tokens a second, 0 where there is nothing to tell.
func (m *meter) speed(now time.Time) int {
	n := len(m.samples)
	if n < 2 || now.Sub(m.samples[n-1].at) > window {
		return 0
	}
	first, last := m.samples[0], m.samples[n-1]
	took := last.at.Sub(first.at)
	if took < window/4 {
		return 0
	}
	return int(float64(last.tokens-first.tokens)/took.Seconds() + 0.5)
}

// span is how long something took that only the screen has seen begin and end.
type span struct {
	open     bool
	unsure   bool // it was out of sight meanwhile
	from, to time.Time
}

// tick tells a span the time. Away says that nobody has looked since the last time.
func (s *span) tick(now time.Time, away bool) {
	switch {
	case s.from.IsZero():
		s.from, s.unsure = now, !s.open
	case s.to.IsZero():
		s.unsure = s.unsure || away
	}
	if !s.open && s.to.IsZero() {
		s.to = now
	}
}

// lasted returns how long it took so far, 0 where that is not known.
func (s *span) lasted(now time.Time) time.Duration {
	switch {
	case s.unsure || s.from.IsZero():
		return 0
	case s.to.IsZero():
		return now.Sub(s.from)
	}
	return s.to.Sub(s.from)
}

package openai

import (
	"context"
	"errors"
	"io"
	"time"
)

const (
	finishGrace = time.Second            // for the usage that comes after the finish
	errorGrace  = 5 * time.Second        // for the body of an error
	drainGrace  = 100 * time.Millisecond // for the end of a response that is complete
)

var (
	errSilence        = errors.New("no data within the time limit")
	errTotal          = errors.New("not done within the total time limit")
	errConnectTimeout = errors.New("no connection within the time limit")
)

// phase is what a completion waits for.
type phase int

const (
	phaseFirst  phase = iota // the first payload
	phaseIdle                // the next payload
	phaseFinish              // usage, [DONE] or the end, after the finish reason
	phaseError               // the body of an error
)

// guard ends a completion that waits too long. Its clock runs only while we
// wait for the server, so that a slow reader of ours is nobody's silence.
// Only the goroutine that plays the completion uses it.
type guard struct {
	limits Timeouts
	cancel context.CancelCauseFunc
	phase  phase
	left   time.Duration
	since  time.Time
	timer  *time.Timer
	total  *time.Timer
}

func newGuard(t Timeouts, cancel context.CancelCauseFunc) *guard {
	g := &guard{limits: t, cancel: cancel, left: time.Duration(t.FirstPayload)}
	g.timer = time.AfterFunc(time.Hour, func() { cancel(errSilence) })
	g.timer.Stop()
	g.total = time.AfterFunc(time.Duration(t.Total), func() { cancel(errTotal) })
	return g
}

// begin starts the clock, pause stops it.
func (g *guard) begin() {
	g.since = time.Now()
	g.timer.Reset(g.left)
}

func (g *guard) pause() {
	g.timer.Stop()
	g.left -= time.Since(g.since)
}

// payload says that data came: the wait for the next begins.
func (g *guard) payload() {
	if g.phase <= phaseIdle {
		g.phase, g.left = phaseIdle, time.Duration(g.limits.Idle)
	}
}

// enter goes over to a phase that no payload prolongs. A server that never
// lets us wait cannot prolong it beyond twice its time either.
func (g *guard) enter(p phase, d time.Duration) {
	if g.phase != p {
		g.phase, g.left = p, min(d, g.left)
		g.total.Reset(2 * d)
	}
}

// close ends the guard and everything that its completion holds.
func (g *guard) close() {
	g.timer.Stop()
	g.total.Stop()
	g.cancel(nil)
}

// limit returns how long the present phase may last, and its key.
func (g *guard) limit() (time.Duration, string) {
	if g.phase == phaseFirst {
		return time.Duration(g.limits.FirstPayload), "first_payload"
	}
	return time.Duration(g.limits.Idle), "idle"
}

// guarded is a body whose reads are timed.
type guarded struct {
	io.Reader
	guard *guard
}

func (r guarded) Read(p []byte) (int, error) {
	r.guard.begin()
	defer r.guard.pause()
	return r.Reader.Read(p)
}

package openai

import (
	"context"
	"errors"
	"io"
	"time"
)

const (
	finishGrace = time.Second     // for the usage after the finish reason
	errorGrace  = 5 * time.Second // for the body of an error response
)

var (
	errSilence        = errors.New("no data within the time limit")
	errTotal          = errors.New("not done within the total time limit")
	errConnectTimeout = errors.New("no connection within the time limit")
)

// phase is what an exchange waits for.
type phase int

const (
	phaseFirst  phase = iota // the first data
	phaseIdle                // the next data
	phaseFinish              // usage, [DONE] or the end, after the finish reason
	phaseError               // the body of an error
)

// watchdog cancels an exchange that waits too long for the server. Its clock runs
// only while something is read from the server, so that a slow consumer of the
// answer does not count as silence. It is not safe for concurrent use.
type watchdog struct {
	limits    Timeouts
	cancel    context.CancelCauseFunc
	phase     phase
	remaining time.Duration
	started   time.Time
	timer     *time.Timer
	total     *time.Timer
}

func newWatchdog(t Timeouts, cancel context.CancelCauseFunc) *watchdog {
	w := &watchdog{limits: t, cancel: cancel, remaining: time.Duration(t.FirstPayload)}
	w.timer = time.AfterFunc(time.Hour, func() { cancel(errSilence) })
	w.timer.Stop()
	w.total = time.AfterFunc(time.Duration(t.Total), func() { cancel(errTotal) })
	return w
}

// start starts the clock.
func (w *watchdog) start() {
	w.started = time.Now()
	w.timer.Reset(w.remaining)
}

// stop stops the clock.
func (w *watchdog) stop() {
	w.timer.Stop()
	w.remaining -= time.Since(w.started)
}

// dataReceived begins the wait for the next data.
func (w *watchdog) dataReceived() {
	if w.phase <= phaseIdle {
		w.phase, w.remaining = phaseIdle, time.Duration(w.limits.Idle)
	}
}

// setPhase begins a phase that data does not prolong. Not even a server that
// sends without pause can prolong it beyond twice its time.
func (w *watchdog) setPhase(p phase, d time.Duration) {
	if w.phase != p {
		w.phase, w.remaining = p, min(d, w.remaining)
		w.total.Reset(2 * d)
	}
}

// close stops the watchdog and cancels its exchange.
func (w *watchdog) close() {
	w.timer.Stop()
	w.total.Stop()
	w.cancel(nil)
}

// limit returns how long the current phase may last, and the key that sets it.
func (w *watchdog) limit() (time.Duration, string) {
	if w.phase == phaseFirst {
		return time.Duration(w.limits.FirstPayload), "first_payload"
	}
	return time.Duration(w.limits.Idle), "idle"
}

// timedReader reads a body while the clock of a watchdog runs.
type timedReader struct {
	io.Reader
	watchdog *watchdog
}

// Read implements io.Reader.
func (r timedReader) Read(p []byte) (int, error) {
	r.watchdog.start()
	defer r.watchdog.stop()
	return r.Reader.Read(p)
}

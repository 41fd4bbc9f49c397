package acp

import (
	"sync"
	"time"
)

// watchdog tells when an agent has been silent for too long. Its clock stands while the
// agent waits for us.
type watchdog struct {
	after func(time.Duration, func()) func() bool
	fired chan struct{} // closed when the time is up

	mu     sync.Mutex
	limit  time.Duration
	stop   func() bool
	pauses int
	period int // of waiting, to know a timer that was stopped too late
	done   bool
}

func newWatchdog(after func(time.Duration, func()) func() bool) *watchdog {
	return &watchdog{after: after, fired: make(chan struct{}), pauses: 1}
}

// heard begins the wait for the next sign of life.
func (w *watchdog) heard(limit time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.limit = limit
	w.restart()
}

// pause stops the clock until resume is called.
func (w *watchdog) pause() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pauses++
	w.restart()
}

func (w *watchdog) resume() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pauses--
	w.restart()
}

// restart starts the clock anew, unless it stands. The lock is held.
func (w *watchdog) restart() {
	if w.stop != nil {
		w.stop()
		w.stop = nil
	}
	w.period++
	if w.pauses > 0 || w.done {
		return
	}
	period := w.period
	w.stop = w.after(w.limit, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if period == w.period && !w.done {
			w.done = true
			close(w.fired)
		}
	})
}

// end stops the clock for good.
func (w *watchdog) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done = true
	w.restart()
}

package openai

import (
	"context"
	"sync"
	"time"
)

const (
	// After a cooldown all requests would start at once and be refused again. For
	// spacingPeriod, starts are between once and twice startSpacing apart.
	startSpacing  = 60 * time.Millisecond
	spacingPeriod = 10 * time.Second
)

// limiter limits how many completions of one provider run at once, and starts
// none during a cooldown that the provider asked for. Its times have a monotonic
// clock reading, so that setting the clock does not move them.
type limiter struct {
	slots chan struct{}
	rand  func() float64

	mu          sync.Mutex
	cooldownEnd time.Time
	cause       string        // what the provider said to the request that began the cooldown
	nextStart   time.Time     // the earliest start after a cooldown
	changed     chan struct{} // closed and replaced when cooldownEnd changes
}

func newLimiter(slots int, rand func() float64) *limiter {
	return &limiter{slots: make(chan struct{}, slots), rand: rand, changed: make(chan struct{})}
}

// startCooldown makes requests wait until the given time, unless they wait for
// longer already.
func (l *limiter) startCooldown(until time.Time, cause string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if until.After(l.cooldownEnd) {
		l.cooldownEnd, l.cause = until, cause
		l.broadcast()
	}
}

// endCooldown lets all requests that wait for the end of the cooldown start.
func (l *limiter) endCooldown() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := time.Now(); l.cooldownEnd.After(now) {
		l.cooldownEnd = now
	}
	l.broadcast()
}

// broadcast wakes all requests that wait. The caller holds the mutex.
func (l *limiter) broadcast() {
	close(l.changed)
	l.changed = make(chan struct{})
}

// cooldown returns the end of the cooldown, which is zero if there is none, and a
// channel that is closed when it changes.
func (l *limiter) cooldown() (until time.Time, changed <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.cooldownEnd.After(time.Now()) {
		return time.Time{}, l.changed
	}
	return l.cooldownEnd, l.changed
}

// cooldownCause returns why there is a cooldown.
func (l *limiter) cooldownCause() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.cause
}

// acquire waits for the end of the cooldown and for a slot, which the caller must
// release. Before it waits it calls announce with the end of the cooldown, or with
// a zero time if it waits for a slot. It gives up if announce returns false.
func (l *limiter) acquire(ctx context.Context, announce func(until time.Time) bool) error {
	for {
		until, changed := l.cooldown()
		if until.IsZero() {
			ok, err := l.acquireSlot(ctx, announce)
			if ok || err != nil {
				return err
			}
			continue
		}
		if !announce(until) {
			return errStopped
		}
		if err := sleep(ctx, time.Until(until), changed); err != nil {
			return err
		}
	}
}

// acquireSlot waits for a slot, and then for its turn to start. It releases the
// slot and returns false if a cooldown has begun meanwhile.
func (l *limiter) acquireSlot(ctx context.Context, announce func(time.Time) bool) (bool, error) {
	select {
	case l.slots <- struct{}{}:
	default:
		if !announce(time.Time{}) {
			return false, errStopped
		}
		select {
		case l.slots <- struct{}{}:
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
	err := sleep(ctx, l.startDelay(), nil)
	until, _ := l.cooldown()
	if err == nil && until.IsZero() {
		return true, nil
	}
	l.release()
	return false, err
}

// startDelay reserves the next start and returns how long to wait for it.
func (l *limiter) startDelay() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	if l.cooldownEnd.IsZero() || now.Sub(l.cooldownEnd) > spacingPeriod {
		return 0
	}
	start := now
	if l.nextStart.After(now) {
		start = l.nextStart
	}
	l.nextStart = start.Add(startSpacing + time.Duration(l.rand()*float64(startSpacing)))
	return start.Sub(now)
}

// release frees a slot.
func (l *limiter) release() { <-l.slots }

// sleep waits until d has passed, wake is closed or ctx is done.
func sleep(ctx context.Context, d time.Duration, wake <-chan struct{}) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-wake:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

package openai

import (
	"context"
	"sync"
	"time"
)

// limiter limits how many completions of one provider run at once, and starts none
// of a model during a cooldown that the provider asked for. Times have
// a monotonic clock reading, so that setting the clock does not move them.
type limiter struct {
	slots chan struct{}

	mu      sync.Mutex
	models  map[string]cooldown
	changed chan struct{} // closed and replaced when a cooldown changes
}

type cooldown struct {
	end   time.Time
	cause string // what the provider said to the request that began it
}

// startCooldown makes requests to a model wait until the given time, unless they
// wait for longer already.
func (l *limiter) startCooldown(model string, until time.Time, cause string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if until.After(l.models[model].end) {
		l.models[model] = cooldown{until, cause}
	}
	l.broadcast()
}

func (l *limiter) endCooldowns() {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	for model, c := range l.models {
		if c.end.After(now) {
			c.end = now
		}
		l.models[model] = c
	}
	l.broadcast()
}

func (l *limiter) broadcast() {
	close(l.changed)
	l.changed = make(chan struct{})
}

// cooldown returns the cooldown of a model, which has ended if its end is zero, and a
// channel that is closed when a cooldown changes.
func (l *limiter) cooldown(model string) (cooldown, <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.models[model]
	if !c.end.After(time.Now()) {
		return cooldown{}, l.changed
	}
	return c, l.changed
}

// acquire waits for the end of a model's cooldown and for a slot, which the caller
// must release. Before it waits it calls announce with the cooldown, which is zero
// if it waits for a slot. It gives up if announce returns false.
func (l *limiter) acquire(ctx context.Context, model string, announce func(cooldown) bool) error {
	for {
		if c, changed := l.cooldown(model); !c.end.IsZero() {
			if !announce(c) {
				return errStopped
			}
			if err := sleep(ctx, time.Until(c.end), changed); err != nil {
				return err
			}
			continue
		}
		select {
		case l.slots <- struct{}{}:
		default:
			if !announce(cooldown{}) {
				return errStopped
			}
			select {
			case l.slots <- struct{}{}:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		if c, _ := l.cooldown(model); c.end.IsZero() { // none began meanwhile
			return nil
		}
		l.release()
	}
}

func (l *limiter) release() { <-l.slots }

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

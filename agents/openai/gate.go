package openai

import (
	"context"
	"sync"
	"time"
)

const (
	// After a cooldown everybody would start in the same instant and be refused
	// again: for a while starts keep this distance, and up to as much again.
	startDistance = 60 * time.Millisecond
	startWindow   = 10 * time.Second
)

// gate lets completions of one provider start: so many at a time, and none
// while the provider asks to wait. Its times are of the monotonic clock, so
// that a clock that is set does not move them.
type gate struct {
	places chan struct{}
	rand   func() float64

	mu    sync.Mutex
	until time.Time     // the cooldown's end
	why   string        // what the provider said to whoever ran into it
	next  time.Time     // the earliest start after a cooldown
	wake  chan struct{} // closed and replaced when the cooldown changes
}

func newGate(places int, rand func() float64) *gate {
	return &gate{places: make(chan struct{}, places), rand: rand, wake: make(chan struct{})}
}

// close makes everybody wait until a time, or longer if they do already, and keeps
// for them why.
func (g *gate) close(until time.Time, why string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if until.After(g.until) {
		g.until, g.why = until, why
		g.change()
	}
}

// open ends the cooldown.
func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if now := time.Now(); g.until.After(now) {
		g.until = now
	}
	g.change()
}

// change wakes whoever waits; the mutex is held.
func (g *gate) change() {
	close(g.wake)
	g.wake = make(chan struct{})
}

// state returns the cooldown's end, if it is to come, and what to wait on for
// it to change.
func (g *gate) state() (until time.Time, changed <-chan struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.until.After(time.Now()) {
		return time.Time{}, g.wake
	}
	return g.until, g.wake
}

// reason returns why there is a cooldown.
func (g *gate) reason() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.why
}

// enter waits for a place and for the cooldown's end. Before it waits it says
// so: with the cooldown's end, or with no time where it waits for a place. If
// say returns false it gives up. Who enters must leave.
func (g *gate) enter(ctx context.Context, say func(until time.Time) bool) error {
	for {
		until, changed := g.state()
		if until.IsZero() {
			ok, err := g.take(ctx, say)
			if ok || err != nil {
				return err
			}
			continue
		}
		if !say(until) {
			return errStopped
		}
		if err := sleep(ctx, time.Until(until), changed); err != nil {
			return err
		}
	}
}

// take waits for a place, and in it for the distance to the last start. It
// gives the place back if a cooldown has begun meanwhile.
func (g *gate) take(ctx context.Context, say func(time.Time) bool) (bool, error) {
	select {
	case g.places <- struct{}{}:
	default:
		if !say(time.Time{}) {
			return false, errStopped
		}
		select {
		case g.places <- struct{}{}:
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
	err := sleep(ctx, g.distance(), nil)
	until, _ := g.state()
	if err == nil && until.IsZero() {
		return true, nil
	}
	g.leave()
	return false, err
}

// distance reserves the next start and returns how long it is until then.
func (g *gate) distance() time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := time.Now()
	if g.until.IsZero() || now.Sub(g.until) > startWindow {
		return 0
	}
	start := now
	if g.next.After(now) {
		start = g.next
	}
	g.next = start.Add(startDistance + time.Duration(g.rand()*float64(startDistance)))
	return start.Sub(now)
}

// leave gives a place back.
func (g *gate) leave() { <-g.places }

// sleep waits for a while, until wake is closed, or until ctx ends.
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

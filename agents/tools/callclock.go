package tools

import (
	"context"
	"sync"
	"time"

	"roundtable/agents"
)

// callClock ends the context of a call after Timeout. It can be paused.
type callClock struct {
	cancel context.CancelCauseFunc

	mu      sync.Mutex
	timer   *time.Timer
	left    time.Duration
	resumed time.Time
	paused  time.Time
	waited  time.Duration // in pauses
	pauses  int           // in effect
}

// startClock returns the context of a call and its clock, which runs.
func startClock(ctx context.Context) (context.Context, *callClock) {
	ctx, cancel := context.WithCancelCause(ctx)
	c := &callClock{cancel: cancel, left: Timeout, resumed: time.Now()}
	c.timer = time.AfterFunc(Timeout, func() { cancel(errTimeout) })
	return ctx, c
}

func (c *callClock) stop() {
	c.timer.Stop()
	c.cancel(nil)
}

// pause stops the clock until resume is called.
func (c *callClock) pause() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pauses++; c.pauses > 1 {
		return
	}
	c.paused = time.Now()
	if c.timer.Stop() {
		c.left -= c.paused.Sub(c.resumed)
	}
}

func (c *callClock) resume() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pauses--; c.pauses == 0 {
		c.resumed = time.Now()
		c.waited += c.resumed.Sub(c.paused)
		c.timer.Reset(max(c.left, 0))
	}
}

// pausingApprover stops the clock of a call while the user decides.
type pausingApprover struct {
	Approver
	clock *callClock
}

// Approve implements Approver.
func (p pausingApprover) Approve(ctx context.Context, turn agents.Turn, call string, c Command, in WorkspaceInfo) (Approval, error) {
	p.clock.pause()
	defer p.clock.resume()
	return p.Approver.Approve(ctx, turn, call, c, in)
}

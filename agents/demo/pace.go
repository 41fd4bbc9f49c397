package demo

import (
	"context"
	"sync"
	"time"
)

// Readable is a pace at which a person can follow several seats: they speak for 12 to 20
// seconds until the panel's questions stand in the form.
const Readable = 170 * time.Millisecond

// pacer waits between two words, until somebody is in a hurry.
type pacer struct {
	pace time.Duration

	mu      sync.Mutex
	skipped chan struct{} // closed when the current stage is skipped
	stage   string        // the newest that was begun
}

// begin returns what ends the waits of a completion early. Whoever answers the results of
// its tools is still in the stage that it began.
func (p *pacer) begin(stage string, goesOn bool) <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.skipped == nil || stage != p.stage || !goesOn && isClosed(p.skipped) {
		p.skipped, p.stage = make(chan struct{}), stage
	}
	return p.skipped
}

// skip ends all waits of the current stage.
func (p *pacer) skip() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.skipped != nil && !isClosed(p.skipped) {
		close(p.skipped)
	}
}

// wait waits for the pace. It returns false if ctx is done.
func (p *pacer) wait(ctx context.Context, skipped <-chan struct{}) bool {
	if p == nil || p.pace <= 0 || isClosed(skipped) {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(p.pace)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-skipped:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

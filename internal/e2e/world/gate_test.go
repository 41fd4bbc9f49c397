//go:build cgo && linux

package world_test

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
)

// errKilled is what everything returns in a process that was killed. Nobody is left to see it.
var errKilled = errors.New("this process was killed")

// gate holds up what goes on in a process until the driver lets one of it go on, so that
// only one thing happens at a time and the driver decides which.
type gate struct {
	mu      sync.Mutex
	killed  bool
	waiting []*call
}

// call is something that waits at the gate. Its name is unique among those that wait.
type call struct {
	name string
	open chan struct{}
}

// pass waits until the call may go on. It fails if the process was killed, or the context
// ended first.
func (g *gate) pass(ctx context.Context, name string) error {
	c := &call{name, make(chan struct{})}
	g.mu.Lock()
	if g.killed {
		g.mu.Unlock()
		return errKilled
	}
	g.waiting = append(g.waiting, c)
	slices.SortStableFunc(g.waiting, func(a, b *call) int { return cmp.Compare(a.name, b.name) })
	g.mu.Unlock()
	select {
	case <-c.open:
		if g.dead() {
			return errKilled
		}
		return nil
	case <-ctx.Done():
		g.remove(c)
		return ctx.Err()
	}
}

func (g *gate) remove(c *call) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if i := slices.Index(g.waiting, c); i >= 0 {
		g.waiting = slices.Delete(g.waiting, i, i+1)
	}
}

// calls returns what waits, in an order that depends on the names alone.
func (g *gate) calls() []*call {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.waiting)
}

// let lets a call go on.
func (g *gate) let(c *call) {
	g.remove(c)
	close(c.open)
}

// kill fails everything that waits, and all that comes.
func (g *gate) kill() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.killed = true
	for _, c := range g.waiting {
		close(c.open)
	}
	g.waiting = nil
}

func (g *gate) dead() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.killed
}

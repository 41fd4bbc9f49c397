package engine

import (
	"runtime"
	"time"
)

// places bounds how many turns use a processor for long at the same time, such as for a
// request of a megabyte. One processor is left for the interface. The zero value bounds
// nothing.
type places chan struct{}

func newPlaces() places {
	return make(places, max(1, min(runtime.NumCPU(), runtime.GOMAXPROCS(0))-1))
}

// maxPlaceWait is how long a turn waits for a place. Then it works without one: what
// holds a place may itself wait, for instance for a file on a network.
const maxPlaceWait = time.Second

// take waits for a place and returns what gives it back.
func (p places) take() (release func()) {
	if p == nil {
		return func() {}
	}
	timer := time.NewTimer(maxPlaceWait)
	defer timer.Stop()
	select {
	case p <- struct{}{}:
		return func() { <-p }
	case <-timer.C:
		return func() {}
	}
}

//go:build crashpoints

package store

import (
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// CrashVariable names where the process kills itself: "ask:after", or
// "ask:after:3" for the third time there. The points are what the methods pass
// to write, such as turn, call, journal, tool-start, ask, answer, draft, turn-end.
const CrashVariable = "ROUNDTABLE_CRASH"

type plan struct {
	place string
	left  atomic.Int64 // times to come here until it is time
}

// crashPlan is read from the environment once.
var crashPlan = sync.OnceValue(func() *plan {
	point, rest, _ := strings.Cut(os.Getenv(CrashVariable), ":")
	side, times, _ := strings.Cut(rest, ":")
	p := &plan{place: point + ":" + side}
	n, err := strconv.ParseInt(times, 10, 64)
	if err != nil || n < 1 {
		n = 1
	}
	p.left.Store(n)
	return p
})

// crashAt ends the process as kill -9 does, when this is the place.
func crashAt(point, side string) {
	p := crashPlan()
	if p.place != point+":"+side || p.left.Add(-1) != 0 {
		return
	}
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Kill()
	}
	if err != nil {
		panic(err)
	}
	select {} // until the signal arrives
}

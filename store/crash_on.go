//go:build crashpoints

package store

import (
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// CrashVariable is the environment variable that says where the process kills
// itself: "ask:after", or "ask:after:3" for the third time. The points are the names
// that the methods pass to write, such as turn, call, journal, ask, answer, draft.
const CrashVariable = "ROUNDTABLE_CRASH"

type plan struct {
	place string
	left  atomic.Int64 // visits left
}

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

// crashAt kills the process, as kill -9 does, if CrashVariable names this place.
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

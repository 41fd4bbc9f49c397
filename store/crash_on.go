//go:build crashpoints

package store

import (
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// CrashVariable is the environment variable that says where the process kills
// itself: "ask:after", or "ask:after:3" for the third time. The points are the names
// that the methods pass to write, such as turn, call, journal, ask, answer, draft.
const CrashVariable = "ROUNDTABLE_CRASH"

// SlowVariable is the environment variable that says how long each commit takes.
const SlowVariable = "ROUNDTABLE_SLOW"

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

var slowCommit = sync.OnceValue(func() time.Duration {
	d, err := time.ParseDuration(os.Getenv(SlowVariable))
	if err != nil {
		return 0
	}
	return d
})

// crashAt kills the process, as kill -9 does, if CrashVariable names this place. Before
// a commit it waits as SlowVariable says.
func crashAt(point, side string) {
	if side == "before" {
		time.Sleep(slowCommit())
	}
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

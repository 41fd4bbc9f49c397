//go:build unix

package store_test

import (
	"syscall"
	"time"
)

// processorTime returns how long this process has worked.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

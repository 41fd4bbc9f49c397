//go:build unix

package text

import "syscall"

// openWithoutWaiting is the flag to open a FIFO without waiting for a writer.
const openWithoutWaiting = syscall.O_NONBLOCK

//go:build unix

package evidence

import "syscall"

// openWithoutWaiting opens a FIFO without waiting for a writer.
const openWithoutWaiting = syscall.O_NONBLOCK

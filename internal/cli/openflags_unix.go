//go:build unix

package cli

import "syscall"

// ownFileOnly are the flags to open a file that is no symbolic link, without waiting
// for a reader of a FIFO.
const ownFileOnly = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

//go:build unix

package workspace

import (
	"io/fs"
	"syscall"
)

// nonblock lets the open of a FIFO return at once.
const nonblock = syscall.O_NONBLOCK

func linkCount(info fs.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Nlink)
	}
	return 1
}

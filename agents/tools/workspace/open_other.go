//go:build !unix

package workspace

import "io/fs"

// nonblock is 0: this system opens no FIFO as a file.
const nonblock = 0

// linkCount returns 1: this system does not tell with the other facts of a file.
func linkCount(fs.FileInfo) uint64 { return 1 }

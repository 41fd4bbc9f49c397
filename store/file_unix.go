//go:build unix

package store

import (
	"io/fs"

	"golang.org/x/sys/unix"
)

// writable reports whether this process may write to path. The mode counts too,
// since root may write to a file that its owner made read-only.
func writable(path string, info fs.FileInfo) bool {
	return info.Mode()&0o200 != 0 && unix.Access(path, unix.W_OK) == nil
}

func openToOthers(info fs.FileInfo) bool { return info.Mode().Perm()&0o077 != 0 }

// holderOffset is the position of the holder in a lock file.
const holderOffset = 0

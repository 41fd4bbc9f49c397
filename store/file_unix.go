//go:build unix

package store

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// writable reports whether this process may write to path. The mode counts too,
// since root may write to a file that its owner made read-only.
func writable(path string, info fs.FileInfo) bool {
	return info.Mode()&0o200 != 0 && unix.Access(path, unix.W_OK) == nil
}

func readable(path string) bool { return unix.Access(path, unix.R_OK) == nil }

// isOwner reports whether this process may change the mode of a file.
func isOwner(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && (int(st.Uid) == os.Geteuid() || os.Geteuid() == 0)
}

func openToOthers(info fs.FileInfo) bool { return info.Mode().Perm()&0o077 != 0 }

// holderOffset is the position of the holder in a lock file.
const holderOffset = 0

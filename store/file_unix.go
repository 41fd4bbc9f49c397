//go:build unix

package store

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// noFollow makes opening a symbolic link an error.
const noFollow = unix.O_NOFOLLOW

// writable reports whether this process may write to a path, and its owner wants
// it written to: root may write anywhere.
func writable(path string, info fs.FileInfo) bool {
	return info.Mode()&0o200 != 0 && unix.Access(path, unix.W_OK) == nil
}

// readable reports whether this process may read a path.
func readable(path string) bool { return unix.Access(path, unix.R_OK) == nil }

// mine reports whether this process may change the mode of a file.
func mine(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && (int(st.Uid) == os.Geteuid() || os.Geteuid() == 0)
}

// loosened returns the bits of a mode that let others in.
func loosened(info fs.FileInfo) fs.FileMode { return info.Mode().Perm() & 0o077 }

// pidOffset is where the pid stands in the file of a lock.
const pidOffset = 0

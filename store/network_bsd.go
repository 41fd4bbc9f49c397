//go:build darwin || freebsd

package store

import "golang.org/x/sys/unix"

// onNetwork reports whether a folder is on another machine.
func onNetwork(dir string) bool {
	var st unix.Statfs_t
	return unix.Statfs(dir, &st) == nil && uint64(st.Flags)&unix.MNT_LOCAL == 0
}

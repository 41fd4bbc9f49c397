//go:build darwin || freebsd

package store

import "golang.org/x/sys/unix"

// isNetworkFolder reports whether a folder is on a network file system.
func isNetworkFolder(dir string) bool {
	var st unix.Statfs_t
	return unix.Statfs(dir, &st) == nil && uint64(st.Flags)&unix.MNT_LOCAL == 0
}

//go:build darwin || freebsd

package store

import "golang.org/x/sys/unix"

// isNetworkFolder reports whether a folder is on a network file system.
func isNetworkFolder(dir string) bool {
	var st unix.Statfs_t
	return unix.Statfs(dir, &st) == nil && uint64(st.Flags)&unix.MNT_LOCAL == 0
}

// freeSpace returns how many bytes this user may still write to a folder, if the system
// says so.
func freeSpace(dir string) (bytes int64, known bool) {
	var st unix.Statfs_t
	if unix.Statfs(dir, &st) != nil {
		return 0, false
	}
	return int64(st.Bavail) * int64(st.Bsize), true
}

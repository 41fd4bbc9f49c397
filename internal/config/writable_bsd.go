//go:build darwin || freebsd

package config

import (
	"slices"

	"golang.org/x/sys/unix"
)

// hasModes reports whether the file system of a path stores owners and permissions.
func hasModes(path string) bool {
	var st unix.Statfs_t
	if unix.Statfs(path, &st) != nil {
		return true
	}
	without := []string{"msdos", "msdosfs", "exfat", "ntfs", "smbfs", "fusefs", "macfuse"}
	return !slices.Contains(without, unix.ByteSliceToString(st.Fstypename[:]))
}

// mountOwner returns nothing: only containers of Linux have mounts of users outside.
func mountOwner(string) (uid int, ok bool) { return 0, false }

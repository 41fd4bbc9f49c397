package config

import (
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// hasModes reports whether the file system of a path stores owners and permissions. FUSE
// counts as one that does not, since the disks of Windows are often mounted by it.
func hasModes(path string) bool {
	var st unix.Statfs_t
	if unix.Statfs(path, &st) != nil {
		return true
	}
	switch uint32(st.Type) {
	case unix.V9FS_MAGIC, unix.MSDOS_SUPER_MAGIC, unix.EXFAT_SUPER_MAGIC, unix.FUSE_SUPER_MAGIC, unix.SMB_SUPER_MAGIC,
		unix.SMB2_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC, 0x5346544e, 0x7366746e, 0x53464846: // both of NTFS, drvfs
		return false
	}
	return true
}

// mountOwner returns the owner of the mount that a path is on, if this is a container:
// what is mounted there belongs to a user outside. A mount is another device than the folder
// that it is in.
func mountOwner(path string) (uid int, ok bool) {
	if !inContainer() {
		return 0, false
	}
	path, err := filepath.Abs(path)
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	var at, above unix.Stat_t
	if err != nil || unix.Stat(path, &at) != nil {
		return 0, false
	}
	for ; path != "/"; at = above {
		if path = filepath.Dir(path); unix.Stat(path, &above) != nil || above.Dev != at.Dev {
			break
		}
	}
	return int(at.Uid), true
}

// inContainer reports whether the program runs in a container: one of Docker, Podman or
// Kubernetes, or any whose users are mapped.
func inContainer() bool {
	for _, path := range []string{"/.dockerenv", "/run/.containerenv", "/var/run/secrets/kubernetes.io"} {
		if _, err := os.Lstat(path); err == nil {
			return true
		}
	}
	users, err := os.ReadFile("/proc/self/uid_map")
	return err == nil && strings.Join(strings.Fields(string(users)), " ") != "0 0 4294967295"
}

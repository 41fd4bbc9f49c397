package config

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"

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
// what is mounted there belongs to a user outside.
func mountOwner(path string) (uid int, ok bool) {
	if !inContainer() {
		return 0, false
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return 0, false
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return 0, false
	}
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return 0, false
	}
	info, err := os.Stat(mountPoint(string(mounts), path))
	if err != nil {
		return 0, false
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(st.Uid), true
}

// mountPoint returns where the file system of an absolute path is mounted.
func mountPoint(mountinfo, path string) string {
	unescape := strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)
	longest := "/"
	for line := range strings.Lines(mountinfo) {
		fields := strings.Fields(line)
		if len(fields) < 5 {
			continue
		}
		at := unescape.Replace(fields[4])
		if (path == at || strings.HasPrefix(path, at+"/")) && len(at) > len(longest) {
			longest = at
		}
	}
	return longest
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

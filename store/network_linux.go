package store

import "golang.org/x/sys/unix"

// isNetworkFolder reports whether a folder is on a file system that may lack the
// shared memory that a write-ahead log needs. FUSE counts, since it can be either.
func isNetworkFolder(dir string) bool {
	var st unix.Statfs_t
	if unix.Statfs(dir, &st) != nil {
		return false
	}
	switch uint32(st.Type) {
	case unix.NFS_SUPER_MAGIC, unix.SMB_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC, 0xff534d42, // CIFS
		unix.AFS_SUPER_MAGIC, unix.AFS_FS_MAGIC, unix.CODA_SUPER_MAGIC, unix.V9FS_MAGIC, unix.FUSE_SUPER_MAGIC,
		0x00c36400, 0x0bd00bd0, 0x47504653, 0x786f4256: // Ceph, Lustre, GPFS, VirtualBox
		return true
	}
	return false
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

package store

import (
	"io/fs"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// writable reports whether path is a folder or a file that is not marked read-only.
func writable(_ string, info fs.FileInfo) bool { return info.IsDir() || info.Mode()&0o200 != 0 }

// The mode of a file says nothing about access, which it inherits from its folder.
func readable(string) bool          { return true }
func isOwner(fs.FileInfo) bool      { return true }
func openToOthers(fs.FileInfo) bool { return false }

// fileNumber returns 0: what os.Lstat returns has no number here.
func fileNumber(fs.FileInfo) uint64 { return 0 }

// holderOffset is the position of the holder in a lock file. The first byte is
// the one that is locked, which other processes cannot read.
const holderOffset = 1

// isNetworkFolder reports whether a folder is on a network drive.
func isNetworkFolder(dir string) bool {
	root, err := windows.UTF16PtrFromString(filepath.VolumeName(dir) + `\`)
	return err == nil && windows.GetDriveType(root) == windows.DRIVE_REMOTE
}

// freeSpace returns how many bytes this user may still write to a folder, if the system
// says so.
func freeSpace(dir string) (bytes int64, known bool) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, false
	}
	var free uint64
	err = windows.GetDiskFreeSpaceEx(name, &free, nil, nil)
	return int64(free), err == nil
}

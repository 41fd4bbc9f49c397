package store

import (
	"path/filepath"

	"golang.org/x/sys/windows"
)

// isNetworkFolder reports whether a folder is on a network drive.
func isNetworkFolder(dir string) bool {
	root, err := windows.UTF16PtrFromString(filepath.VolumeName(dir) + `\`)
	return err == nil && windows.GetDriveType(root) == windows.DRIVE_REMOTE
}

// freeRoom returns how many bytes this user may still write to a folder, if the system
// says so.
func freeRoom(dir string) (bytes int64, known bool) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, false
	}
	var free uint64
	err = windows.GetDiskFreeSpaceEx(name, &free, nil, nil)
	return int64(free), err == nil
}

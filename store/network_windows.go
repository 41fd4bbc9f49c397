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

//go:build !linux && !darwin && !freebsd && !windows

package store

// isNetworkFolder returns false: this system has no way to tell.
func isNetworkFolder(string) bool { return false }

// freeSpace returns false: this system has no way to tell.
func freeSpace(string) (bytes int64, known bool) { return 0, false }

//go:build !linux && !darwin && !freebsd && !windows

package store

// isNetworkFolder cannot tell here.
func isNetworkFolder(string) bool { return false }

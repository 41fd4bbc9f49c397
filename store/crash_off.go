//go:build !crashpoints

package store

// crashAt does nothing in a build that is not for crash tests.
func crashAt(string, string) {}

//go:build !linux && !darwin && !freebsd

package config

// WritableByOthers returns nothing: there are no permission bits to check.
func WritableByOthers(string) (notices []string, err error) { return nil, nil }

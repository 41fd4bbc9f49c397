//go:build unix

package cli

import (
	"syscall"
)

// disableCoreDumps disables core dumps, which would contain keys. It ignores a system
// that refuses.
func disableCoreDumps() { _ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{}) }

//go:build unix

package cli

import (
	"syscall"
)

// noCore forbids core dumps: keys are in the memory of the process. Where the
// system refuses there is nothing else to be done.
func disableCoreDumps() { _ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{}) }

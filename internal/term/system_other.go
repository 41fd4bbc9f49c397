//go:build !unix

package term

// Suspender returns nil on systems that cannot suspend a process.
func Suspender() func() error { return nil }

// ownFileOnly is empty: this system has no such flags.
const ownFileOnly = 0

// DisableCoreDumps does nothing on systems without core dumps.
func DisableCoreDumps() {}

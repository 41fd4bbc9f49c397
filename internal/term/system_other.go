//go:build !unix

package term

// Suspender returns nil on systems that cannot suspend a process.
func Suspender() func() error { return nil }

// DisableCoreDumps does nothing on systems without core dumps.
func DisableCoreDumps() {}

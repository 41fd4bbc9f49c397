//go:build !unix

package cli

// disableCoreDumps does nothing on systems without core dumps.
func disableCoreDumps() {}

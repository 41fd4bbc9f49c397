//go:build !unix

package cli

// noCore does nothing where there are no core dumps to forbid.
func disableCoreDumps() {}

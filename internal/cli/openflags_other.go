//go:build !unix

package cli

// ownFileOnly is empty: this system has no such flags.
const ownFileOnly = 0

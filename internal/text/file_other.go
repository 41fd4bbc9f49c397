//go:build !unix

package text

// openWithoutWaiting is empty: this system has no such flag.
const openWithoutWaiting = 0

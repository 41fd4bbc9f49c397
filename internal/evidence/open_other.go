//go:build !unix

package evidence

// openWithoutWaiting is empty: this system has no such flag.
const openWithoutWaiting = 0

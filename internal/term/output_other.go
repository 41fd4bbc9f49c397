//go:build !linux && !darwin && !freebsd && !netbsd && !openbsd && !dragonfly

package term

import "os"

// dropOutput does nothing on systems that cannot discard output.
func dropOutput(*os.File) error { return nil }

// DropInput does nothing on these systems.
func DropInput(*os.File) {}

// Typed reports whether more was typed or pasted at a terminal than was read.
func Typed(*os.File) bool { return false }

//go:build unix && !linux

package workspace

import "syscall"

// dieWithParent does nothing: only Linux ends a command with its parent.
func dieWithParent(*syscall.SysProcAttr) {}

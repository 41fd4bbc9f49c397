//go:build unix && !linux

package mcp

import (
	"os/exec"
	"syscall"
)

// ownGroup has a program start in a session of its own: it cannot reach the terminal, and
// its children are in a process group that ends as a whole. If Roundtable is killed they
// see the end of their input.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

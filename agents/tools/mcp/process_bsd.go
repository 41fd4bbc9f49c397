//go:build unix && !linux

package mcp

import (
	"os/exec"
	"syscall"
)

// ownGroup has a program start in a group of processes of its own. If Roundtable is
// killed it sees the end of its input.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

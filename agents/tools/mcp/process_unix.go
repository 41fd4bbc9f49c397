//go:build unix

package mcp

import (
	"os/exec"
	"syscall"
)

// terminateGroup asks a program and its children to end.
func terminateGroup(cmd *exec.Cmd) { signalGroup(cmd, syscall.SIGTERM) }

// killGroup ends a program and its children. Most often none is left.
func killGroup(cmd *exec.Cmd) { signalGroup(cmd, syscall.SIGKILL) }

func signalGroup(cmd *exec.Cmd, signal syscall.Signal) {
	_ = syscall.Kill(-cmd.Process.Pid, signal) // the group may be gone already
}

//go:build unix

package process

import (
	"os"
	"os/exec"
	"syscall"
)

// HasGroups reports whether this system has process groups. Without them a program may
// leave children behind.
const HasGroups = true

// TerminateGroup asks a program and its children to end.
func TerminateGroup(cmd *exec.Cmd) { signalGroup(cmd, syscall.SIGTERM) }

// KillGroup ends a program and its children. Most often none is left.
func KillGroup(cmd *exec.Cmd) { signalGroup(cmd, syscall.SIGKILL) }

func signalGroup(cmd *exec.Cmd, signal syscall.Signal) {
	_ = syscall.Kill(-cmd.Process.Pid, signal) // the group may be gone already
}

// ExitCode returns how a program ended, as a shell does.
func ExitCode(state *os.ProcessState) int {
	if s, ok := state.Sys().(syscall.WaitStatus); ok && s.Signaled() {
		return 128 + int(s.Signal())
	}
	return state.ExitCode()
}

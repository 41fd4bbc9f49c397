//go:build unix

package workspace

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// canRunCommands returns nil: this system has process groups.
func canRunCommands() error { return nil }

// detach has a command start in a session of its own: it has no terminal, and its
// children are in a process group that ends as a whole.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	dieWithParent(cmd.SysProcAttr)
}

// askGroup asks a command and its children to end.
func askGroup(cmd *exec.Cmd) {
	syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) //nolint:errcheck // it may have ended by itself
}

// killGroup ends a command with all its children.
func killGroup(cmd *exec.Cmd) error {
	err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}

// exitCode returns how a command ended, as a shell does.
func exitCode(state *os.ProcessState) int {
	if s, ok := state.Sys().(syscall.WaitStatus); ok && s.Signaled() {
		return 128 + int(s.Signal())
	}
	return state.ExitCode()
}

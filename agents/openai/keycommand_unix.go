//go:build unix

package openai

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// detach has a command start in a session of its own: it cannot reach the terminal,
// and its children are in a process group that ends as a whole.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return killGroup(cmd) }
}

func killGroup(cmd *exec.Cmd) error {
	err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}

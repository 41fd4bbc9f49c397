package process

import (
	"os/exec"
	"syscall"
)

// OwnGroup has a program start in a session of its own: it cannot reach the terminal, and
// its children are in a process group that ends as a whole. The system kills the program
// with the thread that started it, see runtime.LockOSThread; its children see the end of
// their input.
func OwnGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
}

//go:build unix && !linux

package process

import (
	"os/exec"
	"syscall"
)

// OwnGroup has a program start in a session of its own: it cannot reach the terminal, and
// its children are in a process group that ends as a whole. If Roundtable is killed they
// see the end of their input.
func OwnGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

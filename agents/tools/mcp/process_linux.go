package mcp

import (
	"os/exec"
	"syscall"
)

// ownGroup has a program start in a group of processes of its own. The system kills it
// if Roundtable is killed; its children see the end of their input.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

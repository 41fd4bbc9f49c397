package workspace

import "syscall"

// dieWithParent has a command end when the thread that started it ends, so that it does
// not outlive a process that is killed.
func dieWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }

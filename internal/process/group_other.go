//go:build !unix

package process

import (
	"os"
	"os/exec"
)

// HasGroups reports whether this system has process groups. Without them a program may
// leave children behind.
const HasGroups = false

// OwnGroup does nothing.
func OwnGroup(*exec.Cmd) {}

// TerminateGroup ends a program. This system has no gentler way.
func TerminateGroup(cmd *exec.Cmd) { KillGroup(cmd) }

// KillGroup ends a program. Its children see the end of their input.
func KillGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() } // it may be gone already

// ExitCode returns how a program ended.
func ExitCode(state *os.ProcessState) int { return state.ExitCode() }

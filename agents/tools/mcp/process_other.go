//go:build !unix

package mcp

import "os/exec"

// ownGroup does nothing: this system has no process groups.
func ownGroup(*exec.Cmd) {}

// terminateGroup ends a program. This system has no gentler way.
func terminateGroup(cmd *exec.Cmd) { killGroup(cmd) }

// killGroup ends a program. Its children see the end of their input.
func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() } // it may be gone already

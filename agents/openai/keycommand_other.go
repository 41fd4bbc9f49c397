//go:build !unix

package openai

import "os/exec"

// detach does nothing: this system has no process groups.
func detach(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) error { return cmd.Process.Kill() }

//go:build !unix

package workspace

import (
	"errors"
	"os"
	"os/exec"
)

// canRunCommands returns an error: without process groups, a command may leave others
// behind.
func canRunCommands() error {
	return errors.New("commands cannot run on this system, which has no process groups")
}

// detach does nothing.
func detach(*exec.Cmd) {}

// askGroup ends a command.
func askGroup(cmd *exec.Cmd) { killGroup(cmd) } //nolint:errcheck // it may have ended by itself

// killGroup ends a command.
func killGroup(cmd *exec.Cmd) error { return cmd.Process.Kill() }

// exitCode returns how a command ended.
func exitCode(state *os.ProcessState) int { return state.ExitCode() }

//go:build unix

package term

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// Suspender returns what stops the process group and returns when it continues. That is
// refused if there is no shell that could continue it.
func Suspender() func() error { return suspend }

func suspend() error {
	if !underShell() {
		return errors.New("no shell to return to")
	}
	goesOn := make(chan os.Signal, 1)
	signal.Notify(goesOn, syscall.SIGCONT)
	defer signal.Stop(goesOn)
	if err := syscall.Kill(0, syscall.SIGSTOP); err != nil {
		return fmt.Errorf("suspend: %w", err)
	}
	<-goesOn
	return nil
}

// underShell reports whether the parent process belongs to the same session and can
// continue this one. The first process of a terminal has no such parent.
func underShell() bool {
	theirs, err := unix.Getsid(os.Getppid())
	ours, ourErr := unix.Getsid(0)
	return err == nil && ourErr == nil && theirs == ours
}

// DisableCoreDumps disables core dumps, which would contain keys. It ignores a system
// that refuses.
func DisableCoreDumps() { _ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{}) }

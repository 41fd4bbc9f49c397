//go:build darwin || freebsd || netbsd || openbsd || dragonfly

package cli

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// written is the direction of what is to be forgotten, as FWRITE of <sys/file.h>.
const written = 2

// dropOutput forgets what was written to a terminal and not yet read.
func dropOutput(f *os.File) error {
	if err := unix.IoctlSetPointerInt(int(f.Fd()), unix.TIOCFLUSH, written); err != nil {
		return fmt.Errorf("drop the output: %w", err)
	}
	return nil
}

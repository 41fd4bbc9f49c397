//go:build darwin || freebsd || netbsd || openbsd || dragonfly

package term

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// written selects output, like FWRITE of <sys/file.h>.
const written = 2

// dropOutput discards output that the terminal has not read yet.
func dropOutput(f *os.File) error {
	if err := unix.IoctlSetPointerInt(int(f.Fd()), unix.TIOCFLUSH, written); err != nil {
		return fmt.Errorf("drop the output: %w", err)
	}
	return nil
}

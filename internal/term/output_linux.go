package term

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// dropOutput discards output that the terminal has not read yet. Stopping and starting
// the output wakes writers, which would keep waiting otherwise.
func dropOutput(f *os.File) error {
	if err := unix.IoctlSetInt(int(f.Fd()), unix.TCFLSH, unix.TCOFLUSH); err != nil {
		return fmt.Errorf("drop the output: %w", err)
	}
	for _, flow := range []int{unix.TCOOFF, unix.TCOON} {
		if err := unix.IoctlSetInt(int(f.Fd()), unix.TCXONC, flow); err != nil {
			return fmt.Errorf("wake writers to the terminal: %w", err)
		}
	}
	return nil
}

// DropInput discards what was typed at a terminal and is not read yet.
func DropInput(f *os.File) {
	_ = unix.IoctlSetInt(int(f.Fd()), unix.TCFLSH, unix.TCIFLUSH) // it is read, then, as if it was typed now
}

// Typed reports whether more was typed or pasted at a terminal than was read.
func Typed(f *os.File) bool {
	n, err := unix.IoctlGetInt(int(f.Fd()), unix.TIOCINQ)
	return err == nil && n > 0
}

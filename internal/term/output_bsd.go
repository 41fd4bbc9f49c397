//go:build darwin || freebsd || netbsd || openbsd || dragonfly

package term

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// What is selected, like FREAD and FWRITE of <sys/file.h>.
const (
	typed   = 1
	written = 2
)

// unread is FIONREAD of <sys/filio.h>: how many bytes can be read.
const unread = 0x4004667f

func dropOutput(f *os.File) error {
	if err := unix.IoctlSetPointerInt(int(f.Fd()), unix.TIOCFLUSH, written); err != nil {
		return fmt.Errorf("drop the output: %w", err)
	}
	return nil
}

// DropInput discards what was typed at a terminal and is not read yet.
func DropInput(f *os.File) {
	_ = unix.IoctlSetPointerInt(int(f.Fd()), unix.TIOCFLUSH, typed) // it is read, then, as if it was typed now
}

// Typed reports whether more was typed or pasted at a terminal than was read.
func Typed(f *os.File) bool {
	n, err := unix.IoctlGetInt(int(f.Fd()), unread)
	return err == nil && n > 0
}

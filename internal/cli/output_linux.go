package cli

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// dropOutput forgets what was written to a terminal and not yet read.
func dropOutput(stdout io.Writer) error {
	f, ok := stdout.(*os.File)
	if !ok {
		return nil
	}
	if err := unix.IoctlSetInt(int(f.Fd()), unix.TCFLSH, unix.TCOFLUSH); err != nil {
		return fmt.Errorf("drop the output: %w", err)
	}
	return nil
}

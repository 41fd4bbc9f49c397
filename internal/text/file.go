package text

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// ReadFile reads a regular file of at most limit bytes. Anything else is refused by its
// name: a folder, and what could block or never end, such as a FIFO or a device.
func ReadFile(name string, limit int64) ([]byte, error) {
	info, err := os.Stat(name)
	if err = checkRegular(name, info, err); err != nil { // opening a device can have effects
		return nil, err
	}
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) // not waiting for the writer of a FIFO
	if err != nil {
		return nil, err
	}
	defer f.Close()      //nolint:errcheck // it was only read
	info, err = f.Stat() // the name may be another file's by now
	if err = checkRegular(name, info, err); err != nil {
		return nil, err
	}
	return ReadAll(name, f, limit)
}

// ReadAll reads to the end of what is called name, which has at most limit bytes.
func ReadAll(name string, r io.Reader, limit int64) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(raw)) > limit {
		err = fmt.Errorf("%s has more than %d bytes", Line(name), limit)
	}
	if err != nil {
		return nil, err
	}
	return raw, nil
}

func checkRegular(name string, info fs.FileInfo, err error) error {
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s is a folder; name the file in it", Line(name))
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file", Line(name))
	}
	return nil
}

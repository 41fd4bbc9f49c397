package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"roundtable/internal/text"
)

// maxLog is the size in bytes from which the next start renames the log.
const maxLog = 4 << 20

// openLog opens the log in a folder. It records events with their sessions and agents,
// never a prompt, an answer or a key; with debug it has the error messages of servers
// too.
func openLog(folder string, debug bool) (*slog.Logger, io.Closer, error) {
	f, err := openLogFile(folder)
	if err != nil {
		return nil, nil, err
	}
	level := slog.LevelInfo
	if debug {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(f, &slog.HandlerOptions{Level: level})).With("pid", os.Getpid()), f, nil
}

// openLogFile opens the file of the log, which must be a regular one.
func openLogFile(folder string) (*os.File, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	path := filepath.Join(folder, "roundtable.log")
	irregular := fmt.Errorf("%s is not a regular file", text.Line(path))
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, irregular
	case info.Size() > maxLog:
		if err := os.Rename(path, path+".1"); err != nil {
			return nil, err
		}
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND|ownFileOnly, 0o600)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(irregular, f.Close())
	}
	return f, nil
}

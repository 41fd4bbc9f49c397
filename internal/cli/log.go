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

// openLog opens the log of the program. It records events with their sessions and
// agents, never a prompt, an answer or a key; with debug it has the error messages of
// servers too. If the log cannot be opened, the program runs without one and says so.
func (a *app) openLog(debug bool) (*slog.Logger, io.Closer) {
	f, err := a.openLogFile()
	if err != nil {
		a.warn(fmt.Sprintf("no log is written: %v", err))
		return slog.New(slog.DiscardHandler), io.NopCloser(nil)
	}
	level := slog.LevelInfo
	if debug {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(f, &slog.HandlerOptions{Level: level})).With("pid", os.Getpid()), f
}

func (a *app) openLogFile() (*os.File, error) {
	folder, err := a.stateDir()
	if err != nil {
		return nil, err
	}
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

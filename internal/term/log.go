package term

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"

	"roundtable/internal/file"
	"roundtable/internal/text"
)

// maxLog is the size from which on a program that starts begins a new log, in bytes. It keeps the
// one before as roundtable.log.1.
const maxLog = 1 << 20

// OpenLog opens the log in a folder. It records events with their sessions and agents,
// never a prompt, an answer or a key. Below level info it has the error messages of
// servers too. Programs that run at the same time write to the same file.
func OpenLog(folder string, level slog.Leveler) (*slog.Logger, io.Closer, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, nil, err
	}
	path := filepath.Join(folder, "roundtable.log")
	info, err := os.Lstat(path)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return nil, nil, fmt.Errorf("%s is not a regular file", text.Line(path))
	case err == nil && info.Size() > maxLog:
		if err := os.Rename(path, path+".1"); err != nil {
			return nil, nil, err
		}
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND|file.NoFollow, 0o600)
	if err != nil {
		return nil, nil, err
	}
	return slog.New(slog.NewTextHandler(f, &slog.HandlerOptions{Level: level})).With("pid", os.Getpid()), f, nil
}

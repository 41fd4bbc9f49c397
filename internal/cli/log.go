package cli

import (
	"io"
	"log/slog"
	"os"
	"path/filepath"
)

// maxLog is the size from which a log is put aside at the next start.
const maxLog = 4 << 20

// openLog opens the log in a folder. It holds what happened to whom, never a
// prompt, an answer or a key; a closer look also has what servers say of errors.
// A log that cannot be opened stops nothing.
func openLog(folder string, closer bool) (*slog.Logger, io.Closer) {
	none := func() (*slog.Logger, io.Closer) {
		return slog.New(slog.DiscardHandler), io.NopCloser(nil)
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return none()
	}
	path := filepath.Join(folder, "roundtable.log")
	if info, err := os.Stat(path); err == nil && info.Size() > maxLog {
		if err := os.Rename(path, path+".1"); err != nil {
			return none()
		}
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return none()
	}
	level := slog.LevelInfo
	if closer {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(f, &slog.HandlerOptions{Level: level})).With("pid", os.Getpid()), f
}

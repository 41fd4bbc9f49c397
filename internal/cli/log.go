package cli

import (
	"io"
	"log/slog"
	"os"
	"path/filepath"
)

// maxLog is the size in bytes from which the next start renames the log.
const maxLog = 4 << 20

// openLog opens the log in a folder. It records events with their sessions and agents,
// never a prompt, an answer or a key; with debug it has the error messages of servers
// too. If the log cannot be opened, nothing is logged.
func openLog(folder string, debug bool) (*slog.Logger, io.Closer) {
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
	if debug {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(f, &slog.HandlerOptions{Level: level})).With("pid", os.Getpid()), f
}

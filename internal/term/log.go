package term

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"roundtable/internal/text"
)

// The log is kept in roundtable.log and the files .1 to .4 beside it, the last of
// which is the oldest.
const (
	maxLog   = 1 << 20 // bytes after which a new file is begun
	logFiles = 5
)

// OpenLog opens the log in a folder. It records events with their sessions and agents,
// never a prompt, an answer or a key. Below level info it has the error messages of
// servers too.
func OpenLog(folder string, level slog.Leveler) (*slog.Logger, io.Closer, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, nil, err
	}
	f := &logFile{path: filepath.Join(folder, "roundtable.log")}
	if err := f.open(); err != nil {
		return nil, nil, err
	}
	return slog.New(slog.NewTextHandler(f, &slog.HandlerOptions{Level: level})).With("pid", os.Getpid()), f, nil
}

// logFile is a file of limited size. Programs that run at the same time write to the
// same file; one that still has an older file open goes on writing to that.
type logFile struct {
	path string
	mu   sync.Mutex
	file *os.File
	size int64
}

// Write appends a record. If the file is full, a new one is begun before.
func (l *logFile) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.size > maxLog {
		_ = l.file.Close() // what it could not write is lost either way
		if err := l.open(); err != nil {
			return 0, err
		}
	}
	n, err := l.file.Write(p)
	l.size += int64(n)
	return n, err
}

// Close closes the file.
func (l *logFile) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.file.Close()
}

// open opens the file, which must be a regular one, or begins a new one if it is full.
func (l *logFile) open() error {
	irregular := fmt.Errorf("%s is not a regular file", text.Line(l.path))
	info, err := os.Lstat(l.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return irregular
	case info.Size() > maxLog:
		if err := l.rotate(); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(l.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND|ownFileOnly, 0o600)
	if err != nil {
		return err
	}
	if info, err = f.Stat(); err != nil || !info.Mode().IsRegular() {
		return errors.Join(irregular, f.Close())
	}
	l.file, l.size = f, info.Size()
	return nil
}

// rotate renames the full files, and drops the oldest.
func (l *logFile) rotate() error {
	numbered := func(n int) string { return fmt.Sprintf("%s.%d", l.path, n) }
	for n := logFiles - 2; n > 0; n-- {
		if err := os.Rename(numbered(n), numbered(n+1)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return os.Rename(l.path, numbered(1))
}

// CaptureLibraryLogs logs what libraries print that know only the standard logger, such as
// net/http. On the terminal their lines would cover the panes.
func CaptureLibraryLogs(l *slog.Logger) {
	log.SetFlags(0)
	log.SetOutput(libraryLog{l})
}

type libraryLog struct{ log *slog.Logger }

// Write logs a line without what it quotes: net/http quotes what a server sent,
// which may be an answer or a key.
func (l libraryLog) Write(line []byte) (int, error) {
	l.log.Warn("a library reported", "message", text.Line(quotation.ReplaceAllString(strings.TrimSpace(string(line)), `"..."`)))
	return len(line), nil
}

var quotation = regexp.MustCompile(`"(?:[^"\\]|\\.)*"?`)

package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// Lock is the exclusive right to change a session. The operating system releases it
// when the process ends.
type Lock struct{ file *flock.Flock }

// How long Lock waits. Held takes a lock for an instant, so that one try is not
// enough.
const (
	lockTimeout = 100 * time.Millisecond
	lockRetry   = 5 * time.Millisecond
)

// Lock locks a session. The error is a *LockedError if another process has locked
// it.
func (s *Store) Lock(ctx context.Context, id string) (*Lock, error) {
	if s.writer == nil {
		return nil, &SaveError{Folder: s.file.dir(), Cause: s.readonly}
	}
	if err := checkID(id); err != nil {
		return nil, err
	}
	if err := makeLocksFolder(s.file.dir()); err != nil {
		return nil, fmt.Errorf("lock session %s: %w", id, err)
	}
	path := filepath.Join(locksPath(s.file.dir()), id)
	l := &Lock{lockFile(path)}
	waiting, cancel := context.WithTimeout(ctx, lockTimeout)
	defer cancel()
	ok, err := l.file.TryLockContext(waiting, lockRetry)
	switch {
	case ok:
		return l, l.writePID(path)
	case ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
		return nil, &LockedError{ID: id, PID: readPID(path)}
	default:
		return nil, fmt.Errorf("lock session %s: %w", id, err)
	}
}

// writePID writes the id of this process into the lock file.
func (l *Lock) writePID(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|noFollow, 0)
	if err != nil {
		return errors.Join(err, l.file.Unlock())
	}
	text := fmt.Appendf(nil, "%d\n", os.Getpid())
	_, err = f.WriteAt(text, pidOffset)
	if err = errors.Join(err, f.Truncate(pidOffset+int64(len(text))), f.Close()); err != nil {
		return errors.Join(err, l.file.Unlock())
	}
	return nil
}

// Unlock releases the lock. The file is kept.
func (l *Lock) Unlock() error { return l.file.Unlock() }

// Held reports whether a process has locked the session, and its id, or 0 if that is
// unknown.
func (s *Store) Held(id string) (pid int, ok bool) {
	if checkID(id) != nil {
		return 0, false
	}
	path := filepath.Join(locksPath(s.file.dir()), id)
	f := flock.New(path, flock.SetFlag(os.O_RDONLY|noFollow))
	free, err := f.TryRLock()
	if err != nil { // without a file nobody has locked it
		return 0, false
	}
	if free {
		return 0, f.Unlock() != nil
	}
	return readPID(path), true
}

func readPID(path string) int {
	f, err := os.OpenFile(path, os.O_RDONLY|noFollow, 0)
	if err != nil {
		return 0
	}
	defer f.Close()
	raw, err := io.ReadAll(io.NewSectionReader(f, pidOffset, 20))
	if err != nil {
		return 0
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(raw)))
	if err != nil {
		return 0
	}
	return pid
}

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

// Lock is the right to change a session. The system takes it back when the
// process ends, however that happens.
type Lock struct{ file *flock.Flock }

// How long a lock is tried for: who only looks whether it is held has it for an instant.
const (
	lockTimeout = 100 * time.Millisecond
	lockRetry   = 5 * time.Millisecond
)

// Lock takes the lock of a session, which one process at a time can have. The
// error is a *LockedError while another one has it.
func (s *Store) Lock(ctx context.Context, id string) (*Lock, error) {
	if s.writer == nil {
		return nil, &SaveError{Folder: s.dir(), Cause: s.readonly}
	}
	if err := checkID(id); err != nil {
		return nil, err
	}
	if err := makeLocksFolder(s.dir()); err != nil {
		return nil, fmt.Errorf("lock session %s: %w", id, err)
	}
	path := filepath.Join(locksPath(s.dir()), id)
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

// sign writes who holds the lock.
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

// Unlock gives the session free. The file stays.
func (l *Lock) Unlock() error { return l.file.Unlock() }

// Held returns the process that has the session open, if any; 0 when it cannot
// be told which.
func (s *Store) Held(id string) (pid int, ok bool) {
	if checkID(id) != nil {
		return 0, false
	}
	path := filepath.Join(locksPath(s.dir()), id)
	f := flock.New(path, flock.SetFlag(os.O_RDONLY|noFollow))
	free, err := f.TryRLock()
	if err != nil { // there is no such file: nobody ever locked it
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

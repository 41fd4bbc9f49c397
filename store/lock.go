package store

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"roundtable/debate"
	"roundtable/internal/file"
	"roundtable/internal/text"
)

// lock is the exclusive right to change a session.
type lock struct {
	file   *flock.Flock
	mu     sync.Mutex // held while holder is changed and written
	holder debate.Holder
}

// How long Lock waits. Held takes a lock for an instant, so that one try is not
// enough.
const (
	lockTimeout = 100 * time.Millisecond
	lockRetry   = 5 * time.Millisecond
)

// Lock locks a session until Unlock, Close or the end of the process. The error wraps
// debate.ErrLocked if it is locked, by this process too.
func (s *Store) Lock(ctx context.Context, id string) error {
	if s.writer == nil {
		return &SaveError{Folder: s.file.dir(), Cause: s.readonly}
	}
	if err := checkID(id); err != nil {
		return err
	}
	path := filepath.Join(locksPath(s.file.dir()), id)
	l := &lock{file: lockFile(path), holder: s.holder}
	ok, err := l.file.TryLock() // once, however slow this machine is
	if !ok && err == nil {
		waiting, cancel := context.WithTimeout(ctx, lockTimeout)
		defer cancel()
		ok, err = l.file.TryLockContext(waiting, lockRetry)
	}
	switch {
	case ok:
		if err := l.setHolder(func(*debate.Holder) {}); err != nil {
			err = errors.Join(err, l.file.Unlock())
			if errors.Is(err, fs.ErrNotExist) { // it was purged this moment
				return sessionNotFound(id)
			}
			return s.cannotLock(err)
		}
		s.locks.Store(id, l)
		return nil
	case ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
		return Locked(id, s.readHolder(path))
	default:
		return s.cannotLock(err)
	}
}

func (s *Store) cannotLock(err error) error {
	return &SaveError{Folder: locksPath(s.file.dir()), Cause: systemReason(err), Err: err}
}

// setHolder changes what is known of who has the lock and writes it.
func (l *lock) setHolder(change func(*debate.Holder)) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	change(&l.holder)
	raw, err := json.Marshal(heldBy{l.holder, l.holder.Runs})
	if err != nil {
		return err
	}
	f, err := os.OpenFile(l.file.Path(), os.O_RDWR|file.NoFollow, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(raw, holderOffset)
	return errors.Join(err, f.Truncate(holderOffset+int64(len(raw))), f.Close())
}

type heldBy struct {
	debate.Holder
	Runs bool `json:"runs"`
}

// SetHolder changes what other processes can read about the holder of a session locked here.
func (s *Store) SetHolder(id string, change func(*debate.Holder)) error {
	if l, ok := s.locks.Load(id); ok {
		return l.(*lock).setHolder(change)
	}
	return nil
}

// Unlock unlocks a session that this process has locked. The file is kept until the session is
// purged.
func (s *Store) Unlock(id string) error {
	if l, ok := s.locks.LoadAndDelete(id); ok {
		return l.(*lock).file.Unlock()
	}
	return nil
}

// HeldHere reports whether this process has locked a session.
func (s *Store) HeldHere(id string) bool {
	_, ok := s.locks.Load(id)
	return ok
}

// Held reports whether a process has locked the session, and which one, as far as that is
// known.
func (s *Store) Held(id string) (by debate.Holder, ok bool) {
	if checkID(id) != nil {
		return by, false
	}
	path := filepath.Join(locksPath(s.file.dir()), id)
	f := flock.New(path, flock.SetFlag(os.O_RDONLY|file.NoFollow))
	free, err := f.TryRLock()
	if err != nil { // there is no file until a session is locked
		return by, false
	}
	if !free {
		return s.readHolder(path), true
	}
	return by, f.Unlock() != nil
}

// readHolder returns who wrote a lock file. The host is left out if it is this one.
func (s *Store) readHolder(path string) (h debate.Holder) {
	f, err := os.OpenFile(path, os.O_RDONLY|file.NoFollow, 0)
	if err != nil {
		return h
	}
	defer f.Close()
	var by heldBy
	if err := json.NewDecoder(io.NewSectionReader(f, holderOffset, maxHolder)).Decode(&by); err != nil {
		return h
	}
	h = debate.Holder{PID: by.PID, Host: text.Line(by.Host), Door: text.Line(by.Door), Runs: by.Runs}
	if h.Host == s.holder.Host {
		h.Host = ""
	}
	return h
}

const maxHolder = 1 << 10

// locksFolder is in the folder of the database. A file in it is removed once its session is: a
// lock on a removed file keeps nobody out.
const locksFolder = "locks"

func locksPath(dir string) string { return filepath.Join(dir, locksFolder) }

func makeLocksFolder(files file.System, dir string) error {
	locks := locksPath(dir)
	if err := files.Mkdir(locks); err != nil {
		return err
	}
	info, err := os.Lstat(locks)
	if err == nil && !info.IsDir() {
		return &fs.PathError{Op: "use", Path: locks, Err: errors.New("not a folder")}
	}
	return errors.Join(err, restrict(locks, 0o700))
}

func lockFile(path string) *flock.Flock {
	return flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR|file.NoFollow), flock.SetPermissions(0o600))
}

// openMarker is a lock shared by all processes that have the database open.
type openMarker struct {
	lock    *flock.Flock
	alone   bool // no other process had the database open
	unclean bool // it was not closed cleanly: SQLite has left its log
}

func markOpen(files file.System, db string) (*openMarker, error) {
	if err := makeLocksFolder(files, filepath.Dir(db)); err != nil {
		return nil, err
	}
	m := &openMarker{lock: lockFile(filepath.Join(locksPath(filepath.Dir(db)), filepath.Base(db)+".open"))}
	var err error
	if m.alone, err = m.lock.TryLock(); err != nil {
		return nil, err
	}
	if m.alone {
		m.unclean = isFilled(db+"-wal") || isFilled(db+"-journal")
		if err := m.lock.Unlock(); err != nil {
			return nil, err
		}
	}
	return m, m.lock.RLock()
}

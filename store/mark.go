package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// locksFolder is beside the database. Its files are never unlinked: a lock on a
// name that is gone would keep nobody out.
const locksFolder = "locks"

func locksOf(dir string) string { return filepath.Join(dir, locksFolder) }

// makeLocks makes the folder of locks, closed to others.
func makeLocks(dir string) error {
	locks := locksOf(dir)
	err := os.Mkdir(locks, 0o700)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := os.Lstat(locks)
	if err == nil && !info.IsDir() {
		return &fs.PathError{Op: "use", Path: locks, Err: errors.New("not a folder")}
	}
	return errors.Join(err, tighten(locks, 0o700))
}

func lockFile(path string) *flock.Flock {
	return flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR|noFollow), flock.SetPermissions(0o600))
}

// openMark says that the database is open: a lock that all who have it open
// share, and a file that the last of them to close it removes. Whoever finds that
// file and no other process finds that the database was not closed.
type openMark struct {
	lock    *flock.Flock
	sign    string
	alone   bool // nobody else had the database open
	unclean bool // and who had it last did not close it; until it is looked at
}

// openMarkFor marks a database as open.
func openMarkFor(db string) (*openMark, error) {
	if err := makeLocks(filepath.Dir(db)); err != nil {
		return nil, err
	}
	base := filepath.Join(locksOf(filepath.Dir(db)), filepath.Base(db))
	m := &openMark{lock: lockFile(base + ".open"), sign: base + ".unclosed"}
	alone, err := m.lock.TryLock()
	if err != nil {
		return nil, err
	}
	if m.alone = alone; alone {
		_, err := os.Lstat(m.sign)
		m.unclean = err == nil || hasLog(db)
		if err := m.lock.Unlock(); err != nil {
			return nil, err
		}
	}
	if err := m.lock.RLock(); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(m.sign, os.O_CREATE|os.O_RDWR|noFollow, 0o600)
	if err != nil {
		return nil, errors.Join(err, m.lock.Unlock())
	}
	return m, f.Close()
}

// close removes the sign when the database was closed cleanly, nobody else has it
// open, and no earlier damage waits to be found.
func (m *openMark) close(clean bool) error {
	if err := m.lock.Unlock(); err != nil || !clean || m.unclean {
		return err
	}
	last, err := m.lock.TryLock()
	if err != nil || !last {
		return err
	}
	return errors.Join(remove(m.sign), m.lock.Unlock())
}

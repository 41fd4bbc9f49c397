package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// locksFolder is beside the database. Its files are never removed: a process
// that locks a file which has no name any more would exclude nobody.
const locksFolder = "locks"

func locksPath(dir string) string { return filepath.Join(dir, locksFolder) }

// makeLocks makes the folder of locks, without access for other users.
func makeLocksFolder(dir string) error {
	locks := locksPath(dir)
	err := os.Mkdir(locks, 0o700)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := os.Lstat(locks)
	if err == nil && !info.IsDir() {
		return &fs.PathError{Op: "use", Path: locks, Err: errors.New("not a folder")}
	}
	return errors.Join(err, restrict(locks, 0o700))
}

func lockFile(path string) *flock.Flock {
	return flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR|noFollow), flock.SetPermissions(0o600))
}

// openFlag records that the database is open: a lock shared by all processes
// that have it open, and a file that the last of them removes when it closes. The
// file without a live lock means that the database was not closed cleanly.
type openFlag struct {
	lock    *flock.Flock
	file    string
	alone   bool // no other process had the database open
	unclean bool // the database was not closed cleanly and has not been checked since
}

// raiseOpenFlag records that this process has the database open.
func raiseOpenFlag(db string) (*openFlag, error) {
	if err := makeLocksFolder(filepath.Dir(db)); err != nil {
		return nil, err
	}
	base := filepath.Join(locksPath(filepath.Dir(db)), filepath.Base(db))
	flag := &openFlag{lock: lockFile(base + ".open"), file: base + ".unclosed"}
	alone, err := flag.lock.TryLock()
	if err != nil {
		return nil, err
	}
	if flag.alone = alone; alone {
		_, err := os.Lstat(flag.file)
		flag.unclean = err == nil || hasLog(db)
		if err := flag.lock.Unlock(); err != nil {
			return nil, err
		}
	}
	if err := flag.lock.RLock(); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(flag.file, os.O_CREATE|os.O_RDWR|noFollow, 0o600)
	if err != nil {
		return nil, errors.Join(err, flag.lock.Unlock())
	}
	return flag, f.Close()
}

// lower releases the lock. If the database was closed cleanly, has no damage and
// no other process has it open, it removes the file too.
func (f *openFlag) lower(clean bool) error {
	if err := f.lock.Unlock(); err != nil || !clean || f.unclean {
		return err
	}
	last, err := f.lock.TryLock()
	if errors.Is(err, fs.ErrNotExist) { // the folder is gone, and the file with it
		return nil
	}
	if err != nil || !last {
		return err
	}
	return errors.Join(removeIfExists(f.file), f.lock.Unlock())
}

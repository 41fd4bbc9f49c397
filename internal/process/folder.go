package process

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
)

// Folder is a folder in the system's temporary folder that only this user may enter. A
// lock beside it is held until it is removed, and the system releases it when this program
// ends, however it ends. A folder whose lock is free is therefore stale.
type Folder struct {
	Dir  string // is empty when it is made
	lock *flock.Flock
}

const lockSuffix = ".lock"

// NewFolder makes a folder whose name begins with a prefix. It removes those of the same
// prefix that programs have left which were killed.
func NewFolder(prefix string) (*Folder, error) {
	removeStale(prefix)
	var err error
	for range 10 { // a lock that is not held yet may look stale to another program
		var f *Folder
		if f, err = newFolder(prefix, (*flock.Flock).TryLock); err == nil {
			return f, nil
		}
	}
	return nil, fmt.Errorf("make a working folder: %w", err)
}

// newFolder makes a folder and its lock, which it removes again if anything fails.
func newFolder(prefix string, tryLock func(*flock.Flock) (bool, error)) (*Folder, error) {
	file, err := os.CreateTemp("", prefix+"*"+lockSuffix)
	if err != nil {
		return nil, err
	}
	f := folderOf(file.Name())
	if err := errors.Join(file.Close(), f.create(tryLock)); err != nil {
		err = errors.Join(err, f.lock.Close())
		_ = os.Remove(file.Name()) // another program may have removed it
		return nil, err
	}
	return f, nil
}

// create makes the folder once its lock is held.
func (f *Folder) create(tryLock func(*flock.Flock) (bool, error)) error {
	if held, err := tryLock(f.lock); err != nil {
		return err
	} else if !held {
		return errors.New("its lock is held")
	}
	if _, err := os.Lstat(f.lock.Path()); err != nil {
		return err
	}
	return os.Mkdir(f.Dir, 0o700)
}

// folderOf returns the folder of a lock.
func folderOf(lock string) *Folder {
	return &Folder{Dir: strings.TrimSuffix(lock, lockSuffix), lock: flock.New(lock, flock.SetFlag(os.O_RDWR))}
}

// Remove removes the folder with all that is in it. What cannot be removed now is removed
// when another folder of its prefix is made.
func (f *Folder) Remove() error {
	if err := os.RemoveAll(f.Dir); err != nil {
		return errors.Join(err, f.lock.Unlock())
	}
	// While it is held: another program that gets a free lock relies on its file.
	err := os.Remove(f.lock.Path())
	if unlocked := f.lock.Unlock(); err == nil || unlocked != nil {
		return unlocked
	}
	return os.Remove(f.lock.Path()) // Windows removes no file that is open
}

// removeStale removes the folders of a prefix whose lock nobody holds.
func removeStale(prefix string) {
	all, err := os.ReadDir(os.TempDir())
	if err != nil {
		return
	}
	for _, e := range all {
		if name := e.Name(); !strings.HasPrefix(name, prefix) || !strings.HasSuffix(name, lockSuffix) || !e.Type().IsRegular() {
			continue
		}
		f := folderOf(filepath.Join(os.TempDir(), e.Name()))
		if held, err := f.lock.TryLock(); err != nil || !held {
			_ = f.lock.Close() // it belongs to somebody else
			continue
		}
		_ = f.Remove() // nothing depends on it
	}
}

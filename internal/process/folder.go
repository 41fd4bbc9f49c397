package process

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// Folder is a folder in the system's temporary folder that only this user may enter. A
// lock beside what is kept in it is held until it is removed, and the system releases it
// when this program ends, however it ends.
type Folder struct {
	Dir  string // is empty when it is made
	base string
	lock *flock.Flock
}

const lockName = "lock"

// NewFolder makes a folder whose name begins with a prefix. It removes those of the same
// prefix that programs have left which were killed.
func NewFolder(prefix string) (*Folder, error) {
	removeStale(prefix)
	base, err := os.MkdirTemp("", prefix)
	if err != nil {
		return nil, fmt.Errorf("make a working folder: %w", err)
	}
	f := &Folder{Dir: filepath.Join(base, "work"), base: base}
	if err := f.fill(); err != nil {
		return nil, errors.Join(fmt.Errorf("make a working folder: %w", err), f.Remove())
	}
	return f, nil
}

// fill makes what is in the folder. The lock gets its name when it is held: one that is
// free is a stale one.
func (f *Folder) fill() error {
	if err := os.Mkdir(f.Dir, 0o700); err != nil {
		return err
	}
	unnamed := filepath.Join(f.base, "lock.new")
	f.lock = flock.New(unnamed, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
	if _, err := f.lock.TryLock(); err != nil {
		return err
	}
	return os.Rename(unnamed, filepath.Join(f.base, lockName))
}

// Remove removes the folder with all that is in it. What cannot be removed now is removed
// when another folder of its prefix is made.
func (f *Folder) Remove() error {
	err := os.RemoveAll(f.Dir)
	if f.lock != nil {
		err = errors.Join(err, f.lock.Unlock())
	}
	if err != nil {
		return err
	}
	return os.RemoveAll(f.base)
}

// removeStale removes the folders of a prefix whose lock nobody holds.
func removeStale(prefix string) {
	all, err := filepath.Glob(filepath.Join(os.TempDir(), prefix+"*", lockName))
	if err != nil {
		return
	}
	for _, path := range all {
		if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
			continue
		}
		base := filepath.Dir(path)
		f := &Folder{Dir: filepath.Join(base, "work"), base: base, lock: flock.New(path, flock.SetFlag(os.O_RDWR))}
		if got, err := f.lock.TryLock(); err != nil || !got {
			_ = f.lock.Close() // it belongs to somebody else
			continue
		}
		_ = f.Remove() // nothing depends on it
	}
}

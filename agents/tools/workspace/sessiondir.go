package workspace

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
)

// sessionDir is the folder of a session below a base folder. A lock beside it, named by
// the session's id, is held for as long as the session uses it, and the system releases
// it when the process ends. A folder whose lock is free is therefore stale.
type sessionDir struct {
	base, id string
	lock     *flock.Flock
}

const lockSuffix = ".lock"

// openSessionDir makes the folder of a session, and removes stale folders of others.
func openSessionDir(base, id string) (*sessionDir, error) {
	if err := os.MkdirAll(base, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of workspaces: %w", err)
	}
	unlock, err := lockBase(base)
	if err != nil {
		return nil, err
	}
	defer unlock()
	removeStale(base)
	s := &sessionDir{base: base, id: id, lock: newLock(filepath.Join(base, id+lockSuffix))}
	switch got, err := s.lock.TryLock(); {
	case err != nil:
		return nil, fmt.Errorf("lock the workspace of the session: %w", err)
	case !got:
		return nil, errors.New("another process uses the workspace of this session")
	}
	if err := os.Mkdir(s.dir(), 0o700); err != nil {
		return nil, errors.Join(fmt.Errorf("make the folder of the session: %w", err), s.lock.Unlock())
	}
	return s, nil
}

func (s *sessionDir) dir() string { return filepath.Join(s.base, s.id) }

// newDir makes an empty folder of the given name, below one for its kind.
func (s *sessionDir) newDir(kind, name string) (string, error) {
	if !isPlainName(name) {
		return "", fmt.Errorf("%q cannot name a folder", name)
	}
	dir := filepath.Join(s.dir(), kind, name)
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return "", fmt.Errorf("make a folder of the session: %w", err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", fmt.Errorf("make a folder of the session: %w", err)
	}
	return dir, nil
}

// remove removes the folder with all that is in it.
func (s *sessionDir) remove() error {
	unlock, err := lockBase(s.base)
	if err != nil {
		return err
	}
	defer unlock()
	err = errors.Join(removeAll(s.dir()), s.lock.Unlock())
	if err == nil {
		err = os.Remove(s.lock.Path())
	}
	return err
}

// lockBase waits until no other process opens or removes a folder below base.
func lockBase(base string) (unlock func(), err error) {
	l := newLock(filepath.Join(base, lockSuffix))
	if err := l.Lock(); err != nil {
		return nil, fmt.Errorf("lock the folder of workspaces: %w", err)
	}
	return func() { l.Unlock() }, nil //nolint:errcheck // the process ends the lock at the latest
}

// removeStale removes the folders of sessions whose process is gone. The caller holds the
// lock of base. What cannot be removed now is tried again by the next session.
func removeStale(base string) {
	entries, err := os.ReadDir(base)
	if err != nil {
		return
	}
	for _, e := range entries {
		id, ok := strings.CutSuffix(e.Name(), lockSuffix)
		if !ok || !isPlainName(id) {
			continue
		}
		s := &sessionDir{base: base, id: id, lock: newLock(filepath.Join(base, e.Name()))}
		if got, err := s.lock.TryLock(); err != nil || !got {
			continue
		}
		err := errors.Join(removeAll(s.dir()), s.lock.Unlock())
		if err == nil {
			os.Remove(s.lock.Path()) //nolint:errcheck // a lock without a folder does no harm
		}
	}
}

func newLock(path string) *flock.Flock {
	return flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
}

// removeAll removes a folder, also where a command took away the right to write in it.
func removeAll(dir string) error {
	err := os.RemoveAll(dir)
	if err == nil {
		return nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	err = errors.Join(makeWritable(root, "."), root.Close())
	return errors.Join(os.RemoveAll(dir), err)
}

// makeWritable gives the user all rights on the folders at and below dir. It follows no
// link.
func makeWritable(root *os.Root, dir string) error {
	if err := root.Chmod(dir, 0o700); err != nil {
		return err
	}
	f, err := root.Open(dir)
	if err != nil {
		return err
	}
	entries, err := f.ReadDir(-1)
	err = errors.Join(err, f.Close())
	for _, e := range entries {
		if e.IsDir() {
			err = errors.Join(err, makeWritable(root, filepath.Join(dir, e.Name())))
		}
	}
	return err
}

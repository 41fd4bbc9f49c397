package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// createTimeout is how long to wait for another process that creates the database.
const createTimeout = 10 * time.Second

// create makes the database in a temporary file and renames it, so that a crash
// leaves no incomplete one. If several processes try, one of them does it.
func (s *Store) create(ctx context.Context, sch schema) error {
	err := s.createLocked(ctx, sch)
	f, known := asFault(err)
	switch {
	case err == nil || errors.Is(err, errNoCgo) || ctx.Err() != nil:
		return err
	case known && f.kind == faultSave:
		return &SaveError{Folder: s.dir(), Cause: f.cause(), Err: err}
	}
	return &OpenError{
		Path: s.path, Cause: "it cannot be made (" + systemReason(err) + ")",
		Remedy: "Check the folder and its rights, or name another file.", Err: err,
	}
}

func (s *Store) createLocked(ctx context.Context, sch schema) error {
	if err := os.MkdirAll(s.dir(), 0o700); err != nil {
		return err
	}
	if err := makeLocksFolder(s.dir()); err != nil {
		return err
	}
	lock := lockFile(filepath.Join(locksPath(s.dir()), filepath.Base(s.path)+".create"))
	waiting, cancel := context.WithTimeout(ctx, createTimeout)
	defer cancel()
	if _, err := lock.TryLockContext(waiting, lockRetry); err != nil {
		return err
	}
	err := s.createFile(ctx, sch)
	return errors.Join(err, lock.Unlock())
}

// createFile creates the database unless it exists by now. It removes what an
// earlier attempt left.
func (s *Store) createFile(ctx context.Context, sch schema) error {
	if _, err := os.Lstat(s.path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	temp := filepath.Join(s.dir(), "."+filepath.Base(s.path)+".new")
	for _, suffix := range []string{"", "-journal", "-wal", "-shm"} {
		if err := removeIfExists(temp + suffix); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_RDWR|noFollow, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Close(), s.createTables(ctx, temp, sch)); err != nil {
		return errors.Join(err, removeIfExists(temp))
	}
	if err := os.Rename(temp, s.path); err != nil {
		return err
	}
	return syncFolder(s.dir())
}

// pageSize is twice the default of SQLite: long texts are read in half the time, and
// small commits cost the same.
const pageSize = 8192

// createTables makes all tables in an empty file.
func (s *Store) createTables(ctx context.Context, path string, sch schema) error {
	db := pool(path, 1, map[string]string{"mode": "rw", "_journal_mode": "DELETE", "_synchronous": "FULL", "_txlock": "immediate"})
	_, err := db.ExecContext(ctx, fmt.Sprintf("PRAGMA page_size = %d; PRAGMA application_id = %d", pageSize, applicationID))
	if err == nil {
		err = migrate(ctx, db, 0, sch)
	}
	if err == nil && !s.options.network(s.dir()) {
		_, err = db.ExecContext(ctx, "PRAGMA journal_mode = WAL")
	}
	return errors.Join(err, db.Close())
}

// removeIfExists removes a file. It is not an error if there is none.
func removeIfExists(path string) error {
	err := os.Remove(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// syncFolder makes the names in a folder durable.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, fs.ErrInvalid) || errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrPermission) {
		err = nil // not needed or not possible on this system
	}
	return errors.Join(err, d.Close())
}

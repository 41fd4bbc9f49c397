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

// creator makes the file of a new database.
type creator struct {
	path    string
	network func(dir string) bool // see Options
	schema  schema
}

// create makes the database in a temporary file and renames it, so that a crash
// leaves no incomplete one. If several processes try, one of them does it.
func (c creator) create(ctx context.Context) error {
	err := c.createLocked(ctx)
	f, known := asFault(err)
	switch {
	case err == nil || errors.Is(err, errNoCgo) || ctx.Err() != nil:
		return err
	case known && f.kind == faultSave:
		return &SaveError{Folder: c.dir(), Cause: f.cause(), Err: err}
	}
	return &OpenError{
		Path: c.path, Cause: "it cannot be created (" + systemReason(err) + ")",
		Remedy: "Check the folder and its permissions, or choose another file.", Err: err,
	}
}

func (c creator) createLocked(ctx context.Context) error {
	if err := os.MkdirAll(c.dir(), 0o700); err != nil {
		return err
	}
	if err := makeLocksFolder(c.dir()); err != nil {
		return err
	}
	lock := lockFile(filepath.Join(locksPath(c.dir()), filepath.Base(c.path)+".create"))
	waiting, cancel := context.WithTimeout(ctx, createTimeout)
	defer cancel()
	if _, err := lock.TryLockContext(waiting, lockRetry); err != nil {
		return err
	}
	err := c.createFile(ctx)
	return errors.Join(err, lock.Unlock())
}

// createFile creates the database unless it exists by now. It removes what an
// earlier attempt left.
func (c creator) createFile(ctx context.Context) error {
	if _, err := os.Lstat(c.path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	temp := filepath.Join(c.dir(), "."+filepath.Base(c.path)+".new")
	for _, suffix := range []string{"", "-journal", "-wal", "-shm"} {
		if err := removeIfExists(temp + suffix); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_RDWR|noFollow, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Close(), c.createTables(ctx, temp)); err != nil {
		return errors.Join(err, removeIfExists(temp))
	}
	if err := os.Rename(temp, c.path); err != nil {
		return err
	}
	return syncFolder(c.dir())
}

// pageSize is twice the default of SQLite: long texts are read in half the time, and
// small commits cost the same.
const pageSize = 8192

func (c creator) dir() string { return filepath.Dir(c.path) }

// createTables makes all tables in an empty file.
func (c creator) createTables(ctx context.Context, path string) error {
	db := pool(path, 1, map[string]string{"mode": "rw", "_journal_mode": "DELETE", "_synchronous": "FULL", "_txlock": "immediate"})
	_, err := db.ExecContext(ctx, fmt.Sprintf("PRAGMA page_size = %d; PRAGMA application_id = %d", pageSize, applicationID))
	if err == nil {
		err = migrate(ctx, db, 0, c.schema)
	}
	if err == nil && !c.network(c.dir()) {
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

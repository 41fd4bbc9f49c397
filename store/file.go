package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"

	"roundtable/debate"
)

// databaseFile is the file of an open database. SQLite does not notice when the file is
// removed or replaced: it keeps writing to a file that can no longer be found.
type databaseFile struct {
	path   string
	opened fs.FileInfo // of the file when it was opened; nil until then
}

func (f databaseFile) dir() string { return filepath.Dir(f.path) }

// check returns a *SaveError that wraps debate.ErrMoved if the file that was opened is
// no longer at its path. On Windows an open database can be neither removed nor renamed.
func (f databaseFile) check() error {
	if f.opened == nil {
		return nil
	}
	now, err := os.Lstat(f.path)
	cause := "another file is in the place of the database"
	switch {
	case errors.Is(err, fs.ErrNotExist):
		cause = "the database was removed or moved"
	case err != nil:
		cause = "the database cannot be found any more: " + systemReason(err)
	case os.SameFile(f.opened, now):
		return nil
	}
	return &SaveError{Folder: f.dir(), Cause: cause, Err: debate.ErrMoved}
}

// Check returns an error that wraps debate.ErrMoved if the file that was opened is no
// longer at its path, so that what was saved cannot be found again.
func (s *Store) Check() error {
	if s.writer == nil { // nothing was saved
		return nil
	}
	return s.file.check()
}

// SaveCopy writes everything that was saved to a new database, even if the file of this
// one is gone. At its path is nothing, or an empty file. The error is a *SaveError if the copy
// cannot be written.
func (s *Store) SaveCopy(ctx context.Context, path string) error {
	if s.writer == nil {
		return &SaveError{Folder: s.file.dir(), Cause: s.readonly}
	}
	dir := filepath.Dir(path)
	refuse := func(cause string, err error) error { return &SaveError{Folder: dir, Cause: cause, Err: err} }
	files := s.options.Files
	if err := files.Ensure(path); err != nil {
		return refuse(systemReason(err)+": "+path, err)
	}
	if info, err := os.Lstat(path); err != nil || info.Size() > 0 {
		return refuse("there is a file already: "+path, cmp.Or(err, fs.ErrExist))
	}
	crashAt("backup", "before")
	_, err := s.writer.ExecContext(ctx, `VACUUM INTO ?`, path) // synced as a commit is
	crashAt("backup", "after")
	if err == nil {
		return nil
	}
	return refuse(systemReason(err), errors.Join(err, files.Remove(path)))
}

// maxValue is the size limit of a value or row, in bytes, so that a file from
// elsewhere cannot exhaust the memory.
const maxValue = 256 << 20

// readers is the number of transactions that can read at the same time.
const readers = 4

// busyTimeout is how long SQLite waits for a lock, in milliseconds.
const busyTimeout = "10000"

// dsn returns the data source name of a file. It is a URL, so that no character of
// the path has a special meaning.
func dsn(path string, options map[string]string) string {
	path = filepath.ToSlash(path)
	if runtime.GOOS == "windows" {
		path = "/" + path
	}
	q := url.Values{"_busy_timeout": {busyTimeout}, "_foreign_keys": {"on"}}
	for k, v := range options {
		q.Set(k, v)
	}
	u := url.URL{Scheme: "file", Path: path, RawQuery: q.Encode()}
	return u.String()
}

// pool returns a pool of at most size connections to this very file.
func (f databaseFile) pool(size int, options map[string]string) *sql.DB {
	db := sql.OpenDB(connector{dsn(f.path, options), f})
	db.SetMaxOpenConns(size)
	db.SetMaxIdleConns(size)
	return db
}

// connector opens connections to a file that is still at its path.
type connector struct {
	dsn  string
	file databaseFile
}

package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
)

// Open opens the database at path, or makes it when nothing is there. Errors
// are an *OpenError, a *NewerError or a *SaveError; the file is then as it was.
// A file or folder that cannot be written to is opened for reading, which
// Notices says.
func Open(ctx context.Context, path string, o Options) (*Store, error) {
	return open(ctx, path, o.withDefaults(), builtin())
}

func open(ctx context.Context, path string, o Options, sch schema) (*Store, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, &OpenError{Path: path, Cause: "the working directory is unknown", Remedy: "Name the file by its whole path.", Err: err}
	}
	s := &Store{path: abs, options: o, opened: o.Now().UTC()}
	there, err := exists(abs)
	if err == nil && !there {
		err = s.create(ctx, sch)
	}
	if err != nil {
		return nil, err
	}
	version, err := s.recognise(ctx, sch)
	if err != nil {
		return nil, err
	}
	if s.readonly, err = s.protect(); err != nil {
		return nil, err
	}
	if s.readonly != "" {
		err = s.openForReading(ctx, version, sch)
	} else {
		err = s.openForWriting(ctx, version, sch)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// exists reports whether a database may be at path. What can be no database is
// refused before it is opened, since a pipe or a device would not let go.
func exists(path string) (bool, error) {
	info, err := os.Lstat(path)
	refuse := func(cause, remedy string) (bool, error) {
		return false, &OpenError{Path: path, Cause: cause, Remedy: remedy, Err: err}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return refuse("it cannot be looked at ("+reason(err)+")", "Check the folder and its rights.")
	case info.Mode()&fs.ModeSymlink != 0:
		return refuse("it is a symbolic link", "Name the file itself.")
	case info.IsDir():
		return refuse("it is a folder", "Name a file in it.")
	case !info.Mode().IsRegular():
		return refuse("it is not a regular file", "Name another file.")
	case info.Size() == 0:
		return refuse("it is empty, so it is not a Roundtable database", "Remove it, or name another file.")
	case !readable(path):
		return refuse("you may not read it", "Run Roundtable as its owner, or name another file.")
	}
	return true, nil
}

// reason returns what the system said, without the path that the text names anyway.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// busyTimeout is how long SQLite waits for another connection, in milliseconds.
const busyTimeout = "10000"

// dsn returns the address of a connection. It is a URL, in which no character
// of a path means anything else.
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

// pool opens connections to a file, all with the same options.
func pool(path string, most int, options map[string]string) *sql.DB {
	db := sql.OpenDB(connector{dsn(path, options)})
	db.SetMaxOpenConns(most)
	db.SetMaxIdleConns(most)
	return db
}

// readers is how many transactions can read at once.
const readers = 4

// openForWriting opens the writer and the readers, and brings the file up to date.
func (s *Store) openForWriting(ctx context.Context, version int, sch schema) error {
	mark, err := openMarkFor(s.path)
	if err != nil {
		return &OpenError{Path: s.path, Cause: "its folder of locks cannot be used (" + reason(err) + ")", Remedy: "Check the rights of " + locksOf(s.dir()) + ".", Err: err}
	}
	s.mark, s.alone = mark, mark.alone
	journal := "WAL"
	if s.options.network(s.dir()) {
		journal = "DELETE"
		s.notices = append(s.notices, fmt.Sprintf("The database is on a network file system (%s): saving is slower, and only one computer may use it at a time.", s.dir()))
	}
	s.writer = pool(s.path, 1, map[string]string{"mode": "rw", "_journal_mode": journal, "_synchronous": "FULL", "_txlock": "immediate", "_stmt_cache_size": "100"})
	s.reader = pool(s.path, readers, map[string]string{"mode": "rw", "_query_only": "on", "_synchronous": "FULL", "_txlock": "deferred", "_stmt_cache_size": "50"})
	if err := s.verify(ctx, s.writer, version, sch); err != nil {
		return err
	}
	if mark.unclean {
		if err := s.examine(ctx); err != nil || s.damaged {
			return err
		}
	}
	return s.upgrade(ctx, version, sch)
}

// examine looks for damage. A damaged database is open for reading only.
func (s *Store) examine(ctx context.Context) error {
	err := quickCheck(ctx, s.reader, s.path)
	var damage *DamagedError
	if !errors.As(err, &damage) {
		s.mark.unclean = err != nil
		return err
	}
	err = s.writer.Close()
	s.writer, s.damaged, s.readonly = nil, true, "the database is damaged"
	s.notices = append(s.notices, damage.Error())
	return err
}

// openForReading opens the readers alone. A log that waits beside the file is
// read too; without one the file is taken as it is, which needs no other file.
func (s *Store) openForReading(ctx context.Context, version int, sch schema) error {
	if version < sch.latest() {
		return &OpenError{Path: s.path, Cause: fmt.Sprintf("%s and of an older Roundtable (schema %d, this is %d), so that it cannot be brought up to date", s.readonly, version, sch.latest()), Remedy: "Make it writable once, or copy it to another folder and open the copy."}
	}
	options := map[string]string{"mode": "ro", "_query_only": "on"}
	if !hasLog(s.path) {
		options["immutable"] = "1"
	}
	s.reader = pool(s.path, readers, options)
	if err := s.verify(ctx, s.reader, version, sch); err != nil {
		return err
	}
	s.notices = append(s.notices, fmt.Sprintf("%s (%s). Debates can be read; nothing can be saved.", upperFirst(s.readonly), s.path))
	return nil
}

// quickCheck returns a *DamagedError when the file is not whole.
func quickCheck(ctx context.Context, db *sql.DB, path string) error {
	var found string
	err := db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&found)
	if f, ok := faultOf(err); ok && f.kind == faultDamaged {
		return &DamagedError{Path: path, Err: err}
	}
	if err == nil && found != "ok" {
		return &DamagedError{Path: path, Err: errors.New(found)}
	}
	return err
}

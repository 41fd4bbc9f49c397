package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Open opens the database at path and creates it if there is none. Errors are an
// *OpenError, a *NewerError or a *SaveError; the file is then unchanged. A file or
// folder that cannot be written to is opened read-only, and Notices says so.
func Open(ctx context.Context, path string, o Options) (*Store, error) {
	return open(ctx, path, o.withDefaults(), builtin())
}

func open(ctx context.Context, path string, o Options, sch schema) (*Store, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, &OpenError{Path: path, Cause: "the working directory is unknown", Remedy: "Give the full path of the file.", Err: err}
	}
	s := &Store{file: databaseFile{path: abs}, options: o, opened: o.Now().UTC()}
	there, err := checkPath(abs)
	if err == nil && !there {
		err = creator{abs, o.network, sch}.create(ctx)
	}
	if err != nil {
		return nil, err
	}
	version, err := inspect(ctx, abs, sch)
	if err != nil {
		return nil, err
	}
	if s.file.opened, err = os.Lstat(abs); err != nil {
		return nil, &OpenError{Path: abs, Cause: systemReason(err), Remedy: "Check the file and its folder.", Err: err}
	}
	if s.readonly, s.notices, err = protect(abs); err != nil {
		return nil, err
	}
	connect := opener{s, sch, version}
	if s.readonly != "" {
		err = connect.forReading()
	} else {
		err = connect.forWriting(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// checkPath reports whether a file that may be a database is at path. Anything else
// is refused before it is opened, since opening a pipe or a device can block.
func checkPath(path string) (bool, error) {
	info, err := os.Lstat(path)
	refuse := func(cause, remedy string) (bool, error) {
		return false, &OpenError{Path: path, Cause: cause, Remedy: remedy, Err: err}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return refuse("it cannot be inspected ("+systemReason(err)+")", "Check the folder and its permissions.")
	case info.Mode()&fs.ModeSymlink != 0:
		return refuse("it is a symbolic link", "Choose the file itself.")
	case info.IsDir():
		return refuse("it is a folder", "Choose a file in it.")
	case !info.Mode().IsRegular():
		return refuse("it is not a regular file", "Choose another file.")
	case info.Size() == 0:
		return refuse("it is empty, so it is not a Roundtable database", "Remove it, or choose another file.")
	case !readable(path):
		return refuse("you have no permission to read it", "Run Roundtable as its owner, or choose another file.")
	}
	return true, nil
}

// systemReason returns the error of the system without the path, which the message
// around it names anyway.
func systemReason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// opener connects a store to a file of a version of the schema.
type opener struct {
	*Store
	schema  schema
	version int
}

// forWriting connects the writer and the readers and migrates the schema.
func (s opener) forWriting(ctx context.Context) error {
	flag, err := raiseOpenFlag(s.file.path)
	if err != nil {
		return &OpenError{
			Path: s.file.path, Cause: "its lock folder cannot be used (" + systemReason(err) + ")",
			Remedy: "Check the permissions of " + locksPath(s.file.dir()) + ".", Err: err,
		}
	}
	s.flag, s.alone = flag, flag.alone
	journal := "WAL"
	if s.options.network(s.file.dir()) {
		journal = "DELETE"
		s.notices = append(s.notices, fmt.Sprintf("The database is on a network file system (%s): "+
			"saving is slower, and only one computer can use it at a time.", s.file.dir()))
	}
	s.writer = s.file.pool(1, map[string]string{
		"mode": "rw", "_journal_mode": journal, "_synchronous": "FULL", "_txlock": "immediate", "_stmt_cache_size": "100",
	})
	s.reader = s.file.pool(readers, map[string]string{
		"mode": "rw", "_query_only": "on", "_synchronous": "FULL", "_txlock": "deferred", "_stmt_cache_size": "50",
	})
	if flag.unclean {
		if err := s.checkAfterCrash(ctx); err != nil || s.writer == nil {
			return err
		}
	}
	return s.upgrade(ctx)
}

// checkAfterCrash looks for damage. A damaged database is opened read-only.
func (s opener) checkAfterCrash(ctx context.Context) error {
	err := quickCheck(ctx, s.reader, s.file.path)
	var damage *DamagedError
	if !errors.As(err, &damage) {
		s.flag.unclean = err != nil
		if f, known := asFault(err); known {
			return &OpenError{Path: s.file.path, Cause: f.cause(), Remedy: "Check the file and its folder.", Err: err}
		}
		return err
	}
	err = s.writer.Close()
	s.writer, s.readonly = nil, "the database is damaged"
	s.notices = append(s.notices, damage.Error())
	return err
}

// forReading connects the readers alone. If no log is beside the file it is
// opened as immutable, since SQLite would otherwise need to create one.
func (s opener) forReading() error {
	if s.version < s.schema.latest() {
		return &OpenError{
			Path: s.file.path,
			Cause: fmt.Sprintf("%s and from an older Roundtable (schema %d, this is %d), so it cannot be upgraded", s.readonly,
				s.version, s.schema.latest()),
			Remedy: "Make it writable once, or copy it to another folder and open the copy.",
		}
	}
	options := map[string]string{"mode": "ro", "_query_only": "on"}
	if !hasLog(s.file.path) {
		options["immutable"] = "1"
	}
	s.reader = pool(s.file.path, readers, options)
	s.notices = append(s.notices, fmt.Sprintf("%s (%s). You can view debates, but not save anything.", upperFirst(s.readonly), s.file.path))
	return nil
}

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

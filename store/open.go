package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"roundtable/debate"
)

// Open opens the database at path and creates it if it does not exist. An error says why it
// cannot be opened and what to do about it; the file is then unchanged, and the error wraps
// debate.ErrNewer if a newer version wrote it. A file or folder that cannot be written to is
// opened read-only, and Notices says so.
func Open(ctx context.Context, path string, o Options) (*Store, error) {
	o = o.withDefaults()
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, databaseFile{path: path}.refuse("the working directory is unknown", "Give the full path of the file.", err)
	}
	s := &Store{file: databaseFile{path: abs}, options: o, opened: o.Now().UTC()}
	s.holder = debate.Holder{PID: os.Getpid(), Host: o.Host, Door: o.Door}
	if o.Host == "" {
		s.holder.Host, _ = os.Hostname() // without a name every holder is taken for one of this host
	}
	there, err := s.file.isUsable()
	if err == nil && !there {
		err = s.create(ctx)
	}
	if err != nil {
		return nil, err
	}
	if s.file.opened, err = os.Lstat(abs); err != nil {
		return nil, s.file.refuse(systemReason(err), checkFile, err)
	}
	s.readonly = s.file.whyReadOnly()
	version, err := s.file.inspect(ctx, s.file.readOptions(s.readonly != ""))
	if err != nil {
		return nil, err
	}
	if s.readonly == "" {
		err = s.forWriting(ctx, version)
	}
	if err == nil && s.readonly != "" {
		err = s.forReading(version)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// checkFile is the remedy where the cause says what is wrong.
const checkFile = "Check the file and its folder."

func (f databaseFile) refuse(cause, remedy string, err error) error {
	return &refusal{fmt.Sprintf("Cannot open %s: %s. Nothing was changed. %s", f.path, cause, remedy), err}
}

// isUsable reports whether there is a file that may be a database. Anything else is
// refused before it is opened, since opening a pipe or a device can block.
func (f databaseFile) isUsable() (bool, error) {
	info, err := os.Lstat(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, f.refuse("it cannot be inspected ("+systemReason(err)+")", "Check the folder and its permissions.", err)
	case !info.Mode().IsRegular():
		return false, f.refuse("it is a folder, a link or another special file", "Choose the file itself.", nil)
	case info.Size() == 0:
		return false, f.refuse("it is empty, so it is not a Roundtable database", "Remove it, or choose another file.", nil)
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
	if found, ok := asFault(err); ok {
		return found.cause()
	}
	return err.Error()
}

// createTimeout is how long to wait for another process that creates the database.
const createTimeout = 10 * time.Second

// create makes the database in a temporary file and renames it, so that a crash
// leaves no incomplete one. If several processes try, one of them does it.
func (s *Store) create(ctx context.Context) error {
	err := s.createLocked(ctx)
	if err == nil || errors.Is(err, errNoCgo) || ctx.Err() != nil {
		return err
	}
	return s.file.refuse("it cannot be created ("+systemReason(err)+")",
		"Check the folder and its permissions, or choose another file.", err)
}

func (s *Store) createLocked(ctx context.Context) error {
	if err := os.MkdirAll(s.file.dir(), 0o700); err != nil {
		return err
	}
	if err := makeLocksFolder(s.options.Files, s.file.dir()); err != nil {
		return err
	}
	lock := lockFile(filepath.Join(locksPath(s.file.dir()), filepath.Base(s.file.path)+".create"))
	waiting, cancel := context.WithTimeout(ctx, createTimeout)
	defer cancel()
	if _, err := lock.TryLockContext(waiting, lockRetry); err != nil {
		return err
	}
	return errors.Join(s.createFile(ctx), lock.Unlock())
}

// createFile creates the database unless it exists by now. It removes what an
// earlier attempt left.
func (s *Store) createFile(ctx context.Context) error {
	if _, err := os.Lstat(s.file.path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	temp := filepath.Join(s.file.dir(), "."+filepath.Base(s.file.path)+".new")
	for _, suffix := range databaseFiles {
		if err := s.options.Files.Remove(temp + suffix); err != nil {
			return err
		}
	}
	if err := s.options.Files.Create(temp); err != nil {
		return err
	}
	if err := s.createTables(ctx, temp); err != nil {
		return errors.Join(err, s.options.Files.Remove(temp))
	}
	return s.options.Files.Rename(temp, s.file.path)
}

// pageSize is twice the default of SQLite: long texts are read in half the time, and
// small commits cost the same.
const pageSize = 8192

func (s *Store) createTables(ctx context.Context, path string) error {
	options := map[string]string{"mode": "rw", "_journal_mode": "DELETE", "_synchronous": "FULL", "_txlock": "immediate"}
	db := databaseFile{path: path}.pool(1, options)
	crashAt("schema", "before")
	_, err := db.ExecContext(ctx, fmt.Sprintf("PRAGMA page_size = %d; PRAGMA application_id = %d; PRAGMA user_version = %d",
		pageSize, applicationID, schemaVersion))
	if err == nil {
		_, err = db.ExecContext(ctx, "BEGIN; "+schemaText+"COMMIT; PRAGMA journal_mode = "+s.options.journal)
	}
	crashAt("schema", "after")
	return errors.Join(err, db.Close())
}

// applicationID marks the databases of this program: "RNDT".
const applicationID = 0x524e4454

// inspect returns the schema version of the file, or an error that says why it
// cannot be used. A file that is refused is not changed.
func (f databaseFile) inspect(ctx context.Context, options map[string]string) (int, error) {
	application, version, err := f.header()
	code := false
	if err == nil && application == applicationID && version <= schemaVersion {
		db := f.pool(1, options)
		row := db.QueryRowContext(ctx, `SELECT user_version, EXISTS (SELECT 1 FROM sqlite_schema
			WHERE type IN ('trigger', 'view')) FROM pragma_user_version`)
		err = errors.Join(row.Scan(&version, &code), db.Close())
	}
	refuse := func(cause, remedy string) (int, error) { return 0, f.refuse(cause, remedy, err) }
	switch {
	case errors.Is(err, errNoCgo):
		return 0, errNoCgo
	case isDamaged(err) || errors.Is(err, errNoDatabase):
		return refuse("it is not a database, or it is truncated or damaged",
			"Restore a backup, move the file away, or choose another file.")
	case err != nil:
		return refuse("it cannot be read ("+systemReason(err)+")", checkFile)
	case application != applicationID:
		return refuse("it belongs to another program", "Choose another file.")
	case version > schemaVersion:
		err = debate.ErrNewer
		return refuse(fmt.Sprintf("a newer Roundtable made it (schema %d, this is %d)", version, schemaVersion), "Update Roundtable.")
	case version != schemaVersion && version != oldSchema:
		return refuse(fmt.Sprintf("this Roundtable cannot read its version (schema %d)", version),
			"The Roundtable of commit 91a050bb brings an older one to schema 25, which opens here.")
	case code:
		return refuse("it has a trigger or a view, which Roundtable never creates", "Restore a backup, or choose another file.")
	}
	return version, nil
}

var errNoDatabase = errors.New("no header of SQLite")

// header returns which program a database belongs to and the version of its schema, without the
// log. SQLite would make files beside the database of another program to read them.
func (f databaseFile) header() (application, version int, err error) {
	file, err := os.Open(f.path)
	if err != nil {
		return 0, 0, err
	}
	defer file.Close()
	raw := make([]byte, 100)
	_, err = io.ReadFull(file, raw)
	if errors.Is(err, io.ErrUnexpectedEOF) || err == nil && !bytes.HasPrefix(raw, []byte("SQLite format 3\x00")) {
		err = errNoDatabase
	}
	return int(binary.BigEndian.Uint32(raw[68:])), int(binary.BigEndian.Uint32(raw[60:])), err
}

// readOptions are those of connections that only read, and do not apply a log, which may be of
// another file. A file without a log that cannot be written is immutable, since SQLite would
// need to create one.
func (f databaseFile) readOptions(readonly bool) map[string]string {
	options := map[string]string{"mode": "rw"}
	switch {
	case isFilled(f.path + "-journal"): // an unfinished transaction, which is rolled back
	case isFilled(f.path + "-wal"):
		options["mode"] = "ro"
	case readonly:
		options["mode"], options["immutable"] = "ro", "1"
	}
	return options
}

func isFilled(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Size() > 0
}

func (f databaseFile) whyReadOnly() string {
	folder, err := os.Stat(f.dir())
	switch {
	case !writable(f.path, f.opened):
		return "the database is read-only"
	case err != nil || !writable(f.dir(), folder):
		return "the folder of the database is read-only"
	}
	return ""
}

// databaseFiles are the suffixes of the files that SQLite keeps for one database.
var databaseFiles = []string{"", "-wal", "-shm", "-journal"}

// restrict sets the mode of a file or folder that other users have access to. A
// missing file and a symbolic link are left alone.
func restrict(path string, mode fs.FileMode) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil || !openToOthers(info) || info.Mode()&fs.ModeSymlink != 0 {
		return err
	}
	return os.Chmod(path, mode)
}

func (s *Store) forReading(version int) error {
	if version < schemaVersion {
		return s.file.refuse(fmt.Sprintf("%s and from an older Roundtable (schema %d, this is %d), so it cannot be converted", s.readonly,
			version, schemaVersion), "Make it writable once, or copy it to another folder and open the copy.", nil)
	}
	options := s.file.readOptions(s.readonly != "")
	options["_query_only"] = "on"
	s.reader = s.file.pool(readers, options)
	s.notices = append(s.notices, fmt.Sprintf("%s (%s). You can view debates, but not save anything.",
		strings.ToUpper(s.readonly[:1])+s.readonly[1:], s.file.path))
	return nil
}

// forWriting connects the writer and the readers and converts an older schema. A database
// that is damaged becomes read-only instead.
func (s *Store) forWriting(ctx context.Context, version int) (err error) {
	for _, suffix := range databaseFiles {
		if err := restrict(s.file.path+suffix, 0o600); err != nil {
			return s.file.refuse("other users can read it, and its permissions cannot be changed ("+systemReason(err)+")",
				"Copy it to a folder of your own and open the copy.", err)
		}
	}
	if s.marker, err = markOpen(s.options.Files, s.file.path); err != nil {
		return s.file.refuse("its lock folder cannot be used ("+systemReason(err)+")",
			"Check the permissions of "+locksPath(s.file.dir())+".", err)
	}
	if s.marker.unclean {
		var found string
		db := s.file.pool(1, s.file.readOptions(false))
		err := errors.Join(db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&found), db.Close())
		switch {
		case isDamaged(err) || err == nil && found != "ok":
			s.readonly = "the database is damaged"
			return nil
		case err != nil:
			return s.file.refuse(systemReason(err), checkFile, err)
		}
	}
	// SQLite takes a rollback journal where the file system has no shared memory for a log. EXTRA is FULL, but that the
	// removal of such a journal, which is a commit, is synced.
	s.writer = s.file.pool(1, map[string]string{
		"mode": "rw", "_journal_mode": s.options.journal, "_synchronous": "EXTRA", "_txlock": "immediate", "_stmt_cache_size": "100",
		"_secure_delete": "on",
	})
	s.reader = s.file.pool(readers, map[string]string{
		"mode": "rw", "_query_only": "on", "_synchronous": "EXTRA", "_txlock": "deferred", "_stmt_cache_size": "50",
	})
	return s.upgrade(ctx, version)
}

package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"roundtable/debate"
	"roundtable/internal/text"
)

// Open opens the database at path and creates it if it does not exist. Errors are an
// *OpenError, a *NewerError or a *SaveError; the file is then unchanged. A file or
// folder that cannot be written to is opened read-only, and Notices says so.
func Open(ctx context.Context, path string, o Options) (*Store, error) {
	return open(ctx, path, o.withDefaults())
}

// opener connects a store to a file.
type opener struct {
	*Store
	version int // of the file's schema
}

func open(ctx context.Context, path string, o Options) (*Store, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, &OpenError{Path: path, Cause: "the working directory is unknown", Remedy: "Give the full path of the file.", Err: err}
	}
	s := opener{Store: &Store{file: databaseFile{path: abs}, options: o, opened: o.Now().UTC()}}
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
	if s.version, err = s.file.inspect(ctx); err != nil {
		return nil, err
	}
	if s.readonly, s.notices, err = s.file.protect(); err != nil {
		return nil, err
	}
	if s.readonly != "" {
		err = s.forReading()
	} else {
		err = s.forWriting(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s.Store, nil
}

// checkFile is the remedy where the cause says what is wrong.
const checkFile = "Check the file and its folder."

// refuse returns an error that says why the file cannot be opened.
func (f databaseFile) refuse(cause, remedy string, err error) error {
	return &OpenError{Path: f.path, Cause: cause, Remedy: remedy, Err: err}
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
	case info.Mode()&fs.ModeSymlink != 0:
		return false, f.refuse("it is a symbolic link", "Choose the file itself.", nil)
	case info.IsDir():
		return false, f.refuse("it is a folder", "Choose a file in it.", nil)
	case !info.Mode().IsRegular():
		return false, f.refuse("it is not a regular file", "Choose another file.", nil)
	case info.Size() == 0:
		return false, f.refuse("it is empty, so it is not a Roundtable database", "Remove it, or choose another file.", nil)
	case !readable(f.path):
		return false, f.refuse("you have no permission to read it", "Run Roundtable as its owner, or choose another file.", nil)
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
func (s opener) create(ctx context.Context) error {
	err := s.createLocked(ctx)
	f, known := asFault(err)
	switch {
	case err == nil || errors.Is(err, errNoCgo) || ctx.Err() != nil:
		return err
	case known && f.kind == faultSave:
		return &SaveError{Folder: s.file.dir(), Cause: f.cause(), Err: err}
	}
	return s.file.refuse("it cannot be created ("+systemReason(err)+")",
		"Check the folder and its permissions, or choose another file.", err)
}

func (s opener) createLocked(ctx context.Context) error {
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
func (s opener) createFile(ctx context.Context) error {
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

// createTables makes all tables in an empty file.
func (s opener) createTables(ctx context.Context, path string) error {
	db := pool(path, 1, map[string]string{"mode": "rw", "_journal_mode": "DELETE", "_synchronous": "FULL", "_txlock": "immediate"})
	_, err := db.ExecContext(ctx, fmt.Sprintf("PRAGMA page_size = %d; PRAGMA application_id = %d", pageSize, applicationID))
	if err == nil {
		err = changeSchema(ctx, db, 0, s.createSchema)
	}
	if err == nil {
		_, err = db.ExecContext(ctx, "PRAGMA journal_mode = "+s.options.journal)
	}
	return errors.Join(err, db.Close())
}

// applicationID marks the databases of this program: "RNDT".
const applicationID = 0x524e4454

// inspect returns the schema version of the file, or an error that says why it
// cannot be used. A file that is refused is not changed.
func (f databaseFile) inspect(ctx context.Context) (int, error) {
	h, err := f.readHeader(ctx)
	refuse := func(cause, remedy string) (int, error) { return 0, f.refuse(cause, remedy, err) }
	found, known := asFault(err)
	switch {
	case errors.Is(err, errNoCgo):
		return 0, errNoCgo
	case known && found.kind == faultDamaged:
		return refuse("it is not a database, or it is truncated or damaged",
			"Restore a backup, move the file away, or choose another file.")
	case known:
		return refuse(found.cause(), checkFile)
	case err != nil:
		return 0, fmt.Errorf("open %s: %w", f.path, err)
	case h.application != applicationID:
		return refuse("it belongs to another program", "Choose another file.")
	case h.version > schemaVersion:
		return 0, &NewerError{Path: f.path, Schema: h.version, Mine: schemaVersion}
	case h.version < 1:
		return refuse("it has no schema version", "Restore a backup, or choose another file.")
	case h.version < oldestSchema:
		return refuse(fmt.Sprintf("an older Roundtable made it (schema %d)", h.version),
			"Open it with the Roundtable of commit 91a050bb first, which brings it to schema 25; that one opens here.")
	case h.code:
		return refuse("it has a trigger or a view, which Roundtable never creates", "Restore a backup, or choose another file.")
	}
	return h.version, nil
}

// header is what a database says of itself before anything in it is used.
type header struct {
	application int
	version     int  // of the schema
	code        bool // has a trigger or a view
}

// How often a database that looks damaged is read again, and how long to wait between.
const (
	damageTries = 10
	damageWait  = 20 * time.Millisecond
)

// readHeader reads the header of the file alone, without a lock and without its log, so
// that SQLite makes no files for the database of another program. If the file is ours
// and not of a newer version, it is read again with the log. While another process
// moves its log into the file both can look damaged for a moment, so damage counts
// only if it persists.
func (f databaseFile) readHeader(ctx context.Context) (header, error) {
	for try := 1; ; try++ {
		h, err := f.header(ctx, map[string]string{"mode": "ro", "immutable": "1"})
		withLog := isDamaged(err) || err == nil && h.application == applicationID && h.version <= schemaVersion
		switch {
		case withLog && isFilled(f.path+"-journal"): // rolling back an unfinished transaction writes to the file
			h, err = f.header(ctx, map[string]string{"mode": "rw"})
		case withLog && isFilled(f.path+"-wal"):
			h, err = f.header(ctx, map[string]string{"mode": "ro"})
		}
		if !isDamaged(err) || try == damageTries {
			return h, err
		}
		select {
		case <-ctx.Done():
			return h, ctx.Err()
		case <-time.After(damageWait):
		}
	}
}

func (f databaseFile) header(ctx context.Context, options map[string]string) (h header, err error) {
	db := pool(f.path, 1, options)
	defer func() { err = errors.Join(err, db.Close()) }()
	for query, value := range map[string]any{
		"PRAGMA application_id": &h.application,
		"PRAGMA user_version":   &h.version,
		"SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type IN ('trigger', 'view'))": &h.code,
	} {
		if err := db.QueryRowContext(ctx, query).Scan(value); err != nil {
			return h, err
		}
	}
	return h, nil
}

// hasLog reports whether the file has a write-ahead log or a rollback journal.
func hasLog(path string) bool { return isFilled(path+"-wal") || isFilled(path+"-journal") }

func isFilled(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Size() > 0
}

// protect removes the permissions of other users from the database and, where it
// can, from its folder. It returns why the database can only be read, or "", and what
// the user should know.
func (f databaseFile) protect() (readonly string, notices []string, err error) {
	folder, err := os.Stat(f.dir())
	switch {
	case err != nil:
		return "", nil, f.refuse(systemReason(err), checkFile, err)
	case !writable(f.path, f.opened):
		return "the database is read-only", nil, nil
	case !writable(f.dir(), folder):
		return "the folder of the database is read-only", nil, nil
	case openToOthers(f.opened) && !isOwner(f.opened):
		return "", nil, f.refuse("it belongs to another user, and others can read or write it",
			"Copy it to a folder of your own and open the copy.", nil)
	}
	for _, suffix := range databaseFiles {
		if err := restrict(f.path+suffix, 0o600); err != nil {
			return "", nil, f.refuse("other users can read it, and its permissions cannot be changed ("+systemReason(err)+")",
				"Run chmod 600 on it.", err)
		}
	}
	return "", f.protectFolder(folder), nil
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

// protectFolder restricts a folder that holds nothing but the database. Any other
// folder, such as that of a project, keeps its mode; if other users can replace
// the database in it, it returns a notice. In a sticky folder like /tmp they cannot.
func (f databaseFile) protectFolder(info fs.FileInfo) (notices []string) {
	if !openToOthers(info) || info.Mode()&fs.ModeSticky != 0 ||
		isOwner(info) && f.isAloneInFolder() && os.Chmod(f.dir(), 0o700) == nil || info.Mode().Perm()&0o022 == 0 {
		return nil
	}
	return []string{fmt.Sprintf("Other users can write to the folder of the database. Run: %s", text.ShellCommand("chmod", "700", f.dir()))}
}

// isAloneInFolder reports whether the folder has no files but those of the database.
func (f databaseFile) isAloneInFolder() bool {
	d, err := os.Open(f.dir())
	if err != nil {
		return false
	}
	defer d.Close()
	names, err := d.Readdirnames(50)
	if err != nil || len(names) == 50 {
		return false
	}
	return !slices.ContainsFunc(names, func(name string) bool {
		return name != locksFolder && !strings.HasPrefix(strings.TrimPrefix(name, "."), filepath.Base(f.path))
	})
}

// forReading connects the readers alone. A file without a log is opened as
// immutable, since SQLite would otherwise need to create one.
func (s opener) forReading() error {
	if s.version < schemaVersion {
		return s.file.refuse(fmt.Sprintf("%s and from an older Roundtable (schema %d, this is %d), so it cannot be converted", s.readonly,
			s.version, schemaVersion), "Make it writable once, or copy it to another folder and open the copy.", nil)
	}
	options := map[string]string{"mode": "ro", "_query_only": "on"}
	if !hasLog(s.file.path) {
		options["immutable"] = "1"
	}
	s.reader = pool(s.file.path, readers, options)
	s.notices = append(s.notices, fmt.Sprintf("%s (%s). You can view debates, but not save anything.",
		strings.ToUpper(s.readonly[:1])+s.readonly[1:], s.file.path))
	return nil
}

// forWriting connects the writer and the readers and converts an older schema.
func (s opener) forWriting(ctx context.Context) error {
	marker, err := markOpen(s.options.Files, s.file.path)
	if err != nil {
		return s.file.refuse("its lock folder cannot be used ("+systemReason(err)+")",
			"Check the permissions of "+locksPath(s.file.dir())+".", err)
	}
	s.marker = marker
	// SQLite takes a rollback journal where the file system has no shared memory for a log. EXTRA is FULL, but that the
	// removal of such a journal, which is a commit, is synced.
	s.writer = s.file.pool(1, map[string]string{
		"mode": "rw", "_journal_mode": s.options.journal, "_synchronous": "EXTRA", "_txlock": "immediate", "_stmt_cache_size": "100",
		"_secure_delete": "on",
	})
	s.reader = s.file.pool(readers, map[string]string{
		"mode": "rw", "_query_only": "on", "_synchronous": "EXTRA", "_txlock": "deferred", "_stmt_cache_size": "50",
	})
	if marker.unclean {
		if err := s.checkAfterCrash(ctx); err != nil || s.writer == nil {
			return err
		}
	}
	return s.upgrade(ctx)
}

// checkAfterCrash looks for damage. A damaged database is opened read-only.
func (s opener) checkAfterCrash(ctx context.Context) error {
	err := s.file.quickCheck(ctx)
	var damage *DamagedError
	if !errors.As(err, &damage) {
		s.marker.unclean = err != nil
		if f, known := asFault(err); known {
			return s.file.refuse(f.cause(), checkFile, err)
		}
		return err
	}
	err = s.writer.Close()
	s.writer, s.readonly = nil, "the database is damaged"
	s.notices = append(s.notices, damage.Error())
	return err
}

// quickCheck returns a *DamagedError if the file is damaged. It does not write to a file with a
// log, so that one which belongs to another file is not applied.
func (f databaseFile) quickCheck(ctx context.Context) error {
	mode := "rw" // a journal is rolled back
	if isFilled(f.path + "-wal") {
		mode = "ro"
	}
	db := f.pool(1, map[string]string{"mode": mode})
	return errors.Join(quickCheck(ctx, db, f.path), db.Close())
}

func quickCheck(ctx context.Context, db *sql.DB, path string) error {
	var found string
	err := db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&found)
	if isDamaged(err) {
		return &DamagedError{Path: path, Err: err}
	}
	if err == nil && found != "ok" {
		return &DamagedError{Path: path, Err: errors.New(found)}
	}
	return err
}

package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// applicationID marks our files: "RNDT".
const applicationID = 0x524e4454

// recognise returns the schema version of the file, or why it is none of ours.
// It reads the file as it lies there, so that nothing of a stranger's changes;
// through SQLite, since closing a file otherwise drops the locks of other
// connections of this process.
func (s *Store) recognise(ctx context.Context, sch schema) (int, error) {
	app, version, err := identityAtRest(ctx, s.path)
	f, known := faultOf(err)
	readable := err == nil || known && f.kind == faultDamaged
	if readable && app == applicationID && version <= sch.latest() && hasLog(s.path) {
		// What lies beside the file belongs to it: pages of a log, or an unfinished
		// change, which only a writer can take back.
		mode := "ro"
		if hasJournal(s.path) {
			mode = "rw"
		}
		app, version, err = identity(ctx, s.path, map[string]string{"mode": mode})
		f, known = faultOf(err)
	}
	refuse := func(cause, remedy string) (int, error) {
		return 0, &OpenError{Path: s.path, Cause: cause, Remedy: remedy, Err: err}
	}
	switch {
	case errors.Is(err, errNoCgo):
		return 0, errNoCgo
	case known && f.kind == faultDamaged:
		return refuse("it is not a database, or it is cut short or damaged", "Put a copy of it back, move it away, or name another file.")
	case known:
		return refuse(f.cause(), "Check the file and its folder.")
	case err != nil:
		return 0, fmt.Errorf("open %s: %w", s.path, err)
	case app != applicationID:
		return refuse("it is the database of another program", "Name another file.")
	case version > sch.latest():
		return 0, &NewerError{Path: s.path, Schema: version, Mine: sch.latest()}
	case version < 1:
		return refuse("it has no schema version", "Put a copy of it back, or name another file.")
	}
	return version, nil
}

// How long a file that looks damaged may be one that another process just writes,
// and how often it is looked at again.
const (
	restPatience = 2 * time.Second
	restPause    = 5 * time.Millisecond
)

// identityAtRest reads a file as it lies there. While another process takes the
// pages of the log into it, it may look damaged: then it is read once more, until
// neither it nor the log has changed meanwhile.
func identityAtRest(ctx context.Context, path string) (app, version int, err error) {
	for began := time.Now(); ; {
		before := stateOf(path)
		app, version, err = identity(ctx, path, map[string]string{"mode": "ro", "immutable": "1"})
		f, known := faultOf(err)
		if !known || f.kind != faultDamaged {
			return app, version, err
		}
		if before == stateOf(path) || time.Since(began) > restPatience {
			return app, version, err
		}
		select {
		case <-ctx.Done():
			return app, version, err
		case <-time.After(restPause):
		}
	}
}

// fileState is what shows that a database is being written.
type fileState struct {
	size, written int64
	log           bool
}

func stateOf(path string) fileState {
	info, err := os.Lstat(path)
	if err != nil {
		return fileState{log: hasLog(path)}
	}
	return fileState{info.Size(), info.ModTime().UnixNano(), hasLog(path)}
}

// identity reads whose file it is and which schema it has. It knows both of a file
// that is shorter than its first page promises, too: it attaches the file, since a
// connection to it alone reads that promise before it can be told not to. To be
// short is damage all the same, unless a log has the rest.
func identity(ctx context.Context, path string, options map[string]string) (app, version int, err error) {
	db := sql.OpenDB(connector{":memory:"})
	db.SetMaxOpenConns(1)
	defer func() { err = errors.Join(err, db.Close()) }()
	if _, err := db.ExecContext(ctx, "PRAGMA writable_schema = ON"); err != nil {
		return app, version, err
	}
	if _, err := db.ExecContext(ctx, "ATTACH ? AS theirs", dsn(path, options)); err != nil {
		return app, version, err
	}
	if err := db.QueryRowContext(ctx, "PRAGMA theirs.application_id").Scan(&app); err != nil {
		return app, version, err
	}
	if err := db.QueryRowContext(ctx, "PRAGMA theirs.user_version").Scan(&version); err != nil {
		return app, version, err
	}
	if _, err := db.ExecContext(ctx, "PRAGMA writable_schema = OFF"); err != nil { // now the promise counts
		return app, version, err
	}
	return app, version, db.QueryRowContext(ctx, "SELECT count(*) FROM theirs.sqlite_schema").Scan(new(int))
}

// hasLog reports whether committed pages or an unfinished change wait beside the file.
func hasLog(path string) bool { return filled(path+"-wal") || hasJournal(path) }

func hasJournal(path string) bool { return filled(path + "-journal") }

func filled(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Size() > 0
}

// verify compares the schema with the one that the version has: a trigger or a
// view that came with the file would run with ours.
func (s *Store) verify(ctx context.Context, db *sql.DB, version int, sch schema) error {
	got, err := schemaHash(ctx, db)
	if f, ok := faultOf(err); ok {
		return &OpenError{Path: s.path, Cause: "its schema cannot be read (" + f.cause() + ")", Remedy: "Put a copy of it back, or name another file.", Err: err}
	}
	if err != nil {
		return fmt.Errorf("read the schema of %s: %w", s.path, err)
	}
	if got != sch.hashes[version-1] {
		return &OpenError{Path: s.path, Cause: "its tables are not those that Roundtable makes", Remedy: "Put a copy of it back, or name another file."}
	}
	return nil
}

// protect closes the file and its folder to other users where it can. It returns
// why the file can only be read, if so.
func (s *Store) protect() (readonly string, err error) {
	info, err := os.Lstat(s.path)
	folder, err2 := os.Stat(s.dir())
	if err := errors.Join(err, err2); err != nil {
		return "", &OpenError{Path: s.path, Cause: reason(err), Remedy: "Check the file and its folder.", Err: err}
	}
	switch {
	case !writable(s.path, info):
		return "the database is read-only", nil
	case !writable(s.dir(), folder):
		return "the folder of the database is read-only", nil
	case loosened(info) != 0 && !mine(info):
		return "", &OpenError{Path: s.path, Cause: "it belongs to another user, and more than one may read or write it", Remedy: "Copy it to a folder of your own and open the copy."}
	}
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		if err := tighten(s.path+suffix, 0o600); err != nil {
			return "", &OpenError{Path: s.path, Cause: "other users may read it, and that cannot be changed (" + reason(err) + ")", Remedy: "Run chmod 600 on it.", Err: err}
		}
	}
	s.protectFolder()
	return "", nil
}

// tighten takes the rights of others from a file or folder of ours, if it is there.
func tighten(path string, mode fs.FileMode) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil || loosened(info) == 0 || info.Mode()&fs.ModeSymlink != 0 {
		return err
	}
	return os.Chmod(path, mode)
}

// protectFolder closes a folder that holds nothing but the database. One that
// holds other things, such as a project, keeps its mode; who can write to it
// could put another file in place of the database, which is worth a notice; but in
// a folder like /tmp nobody can.
func (s *Store) protectFolder() {
	info, err := os.Stat(s.dir())
	if err != nil || loosened(info) == 0 || info.Mode()&fs.ModeSticky != 0 {
		return
	}
	if mine(info) && s.onlyOurs() && os.Chmod(s.dir(), 0o700) == nil {
		return
	}
	if info.Mode().Perm()&0o022 != 0 {
		s.notices = append(s.notices, fmt.Sprintf("Other users can write to the folder of the database. Run: chmod 700 %s", s.dir()))
	}
}

// onlyOurs reports whether the database is alone in its folder.
func (s *Store) onlyOurs() bool {
	d, err := os.Open(s.dir())
	if err != nil {
		return false
	}
	defer d.Close()
	names, err := d.Readdirnames(50)
	if err != nil || len(names) == 50 {
		return false
	}
	for _, name := range names {
		if name != locksFolder && !strings.HasPrefix(strings.TrimPrefix(name, "."), filepath.Base(s.path)) {
			return false
		}
	}
	return true
}

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"time"
)

// applicationID marks the databases of this program: "RNDT".
const applicationID = 0x524e4454

// header is what a database says of itself before anything in it is used.
type header struct {
	application int
	version     int  // of the schema
	code        bool // has a trigger or a view
}

// inspect returns the schema version of the file, or an error that says why it
// cannot be used. A file that is refused is not changed.
func inspect(ctx context.Context, path string, sch schema) (int, error) {
	h, err := readStable(ctx, path, sch.latest())
	refuse := func(cause, remedy string) (int, error) {
		return 0, &OpenError{Path: path, Cause: cause, Remedy: remedy, Err: err}
	}
	f, known := asFault(err)
	switch {
	case errors.Is(err, errNoCgo):
		return 0, errNoCgo
	case isDamaged(err):
		return refuse("it is not a database, or it is truncated or damaged",
			"Restore a backup, move the file away, or choose another file.")
	case known:
		return refuse(f.cause(), "Check the file and its folder.")
	case err != nil:
		return 0, fmt.Errorf("open %s: %w", path, err)
	case h.application != applicationID:
		return refuse("it belongs to another program", "Choose another file.")
	case h.version > sch.latest():
		return 0, &NewerError{Path: path, Schema: h.version, Mine: sch.latest()}
	case h.version < 1:
		return refuse("it has no schema version", "Restore a backup, or choose another file.")
	case h.code:
		return refuse("it has a trigger or a view, which Roundtable never creates", "Restore a backup, or choose another file.")
	}
	return h.version, nil
}

// How often a database that looks damaged is read again, and how long to wait between.
const (
	damageTries = 10
	damageWait  = 20 * time.Millisecond
)

// readStable reads the header, including the log if the file is ours up to the schema
// version newest. While another process moves its log into the file both can look
// damaged for a moment, so damage is believed only if it stays.
func readStable(ctx context.Context, path string, newest int) (header, error) {
	for try := 1; ; try++ {
		h, err := readFile(ctx, path)
		withLog := isDamaged(err) || err == nil && h.application == applicationID && h.version <= newest
		if withLog && hasLog(path) {
			h, err = readWithLog(ctx, path)
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

// readFile reads the header of the file alone, without a lock and without its log, so
// that SQLite makes no file beside the database of another program.
func readFile(ctx context.Context, path string) (header, error) {
	return readHeader(ctx, path, map[string]string{"mode": "ro", "immutable": "1"})
}

// readWithLog reads the header including what is in the log beside the file. An
// unfinished transaction is rolled back, for which the file must be writable.
func readWithLog(ctx context.Context, path string) (header, error) {
	mode := "ro"
	if hasJournal(path) {
		mode = "rw"
	}
	return readHeader(ctx, path, map[string]string{"mode": mode})
}

func readHeader(ctx context.Context, path string, options map[string]string) (h header, err error) {
	db := pool(path, 1, options)
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

// hasLog reports whether a write-ahead log or a rollback journal is beside the file.
func hasLog(path string) bool { return isFilled(path+"-wal") || hasJournal(path) }

func hasJournal(path string) bool { return isFilled(path + "-journal") }

func isFilled(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Size() > 0
}

// quickCheck returns a *DamagedError if the file is damaged.
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
